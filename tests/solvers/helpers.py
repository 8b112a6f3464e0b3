"""What the tests of the solvers share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from number_duels.core.game import Decision, E, Game, M, Outcome, S, Seat
from number_duels.core.reachable_states import states
from number_duels.solvers.policies import Policy

Settings = dict[str, int | str]
#: Games whose kernels work on whole levels, with settings that are quickly gone through.
LAYERED: list[tuple[str, Settings]] = [
    ("high-low-battle", {"cards": 4, "rounds": 3}),
    ("number-bid", {"numbers": 5}),
    ("number-drop", {"side": 2, "first": 2}),
    ("number-knot", {"numbers": 4, "life": 5, "first": 2}),
    ("number-knot", {"numbers": 4, "life": 6, "exhausted": "higher-life"}),
]


def every_state(game: Game[S, M, E]) -> Iterator[S]:
    """One state for each key that can be reached and is not an end, by the rules alone."""
    for _, state in states(game):
        if not isinstance(game.turn(state), Outcome):
            yield state


def silent(fraction: float) -> None:
    """Progress that nobody looks at."""


def wrapped(policy: Policy[S, M]) -> Policy[S, M]:
    """The same policy in a function that nobody knows."""

    def function(view: S, seat: Seat) -> Mapping[M, float] | Mapping[str, float]:
        return policy(view, seat)

    return function


def lopsided(game: Game[S, M, E]) -> Policy[S, M]:
    """Every option is twice as likely as the one before, and the first is never chosen."""

    def policy(state: S, seat: Seat) -> dict[M, float]:
        turn = game.turn(state)
        assert isinstance(turn, Decision)
        options = turn.options[seat]
        if len(options) == 1:
            return {options[0]: 1.0}
        weights = [2.0**place for place in range(len(options) - 1)]
        return {m: w / sum(weights) for m, w in zip(options[1:], weights, strict=True)}

    return policy
