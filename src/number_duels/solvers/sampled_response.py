"""The best answer to a player that was only watched: what it did is all that is known of it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeAlias

from number_duels.core.game import Chance, Decision, E, M, S, Seat
from number_duels.solvers.best_response import Response, induce_response, lookup, response
from number_duels.solvers.solution import Solution

#: How often a seat was seen to choose what, by the key of the state.
Observations: TypeAlias = Mapping[tuple[Hashable, Seat], Mapping[M, int]]

#: How many observations perfect play counts as, wherever something was observed.
PRIOR_OBSERVATIONS = 1.0


@dataclass(frozen=True)
class ObservedPolicy(Generic[S, M, E]):
    """Plays as often as it was seen to, and a little as perfect play does; elsewhere perfectly."""

    solution: Solution[S, M, E]
    seen: Observations[M]

    def __call__(self, state: S, seat: Seat) -> dict[M, float]:
        """The observed frequencies, with perfect play as one more observation."""
        perfect = self.solution.strategy(state, seat)
        counts = self.seen.get((self.solution.game.key(state), seat), {})
        if not any(counts.values()):
            return perfect
        total = sum(counts.values()) + PRIOR_OBSERVATIONS
        return {
            move: (counts.get(move, 0) + PRIOR_OBSERVATIONS * odds) / total
            for move, odds in perfect.items()
        }

    def known(self, state: S, seat: Seat) -> bool:
        """Whether the seat was seen to decide here, or may be right after what nature brings."""
        game = self.solution.game
        turn = game.turn(state)
        if isinstance(turn, Chance):
            return any(self.known(game.drawn(state, event), seat) for event in turn.odds)
        if isinstance(turn, Decision) and seat in turn.options:
            return (game.key(state), seat) in self.seen
        return True


def best_response_to_samples(
    solution: Solution[S, M, E], seen: Observations[M]
) -> Response[S, M, E]:
    """The best answer to a model of a player that was watched.

    The model plays what was seen, as often as it was seen, and counts perfect
    play as one observation more. From where nothing was seen it is taken to
    be perfect to the end, so that only what was seen is searched: a game may
    have any number of states. What the answer is said to bring is what it
    brings against the model; the player itself must be played to know better.

    >>> from number_duels import load, solve
    >>> game = load("number-bid", numbers=3)
    >>> seen = {(game.key(game.start()), Seat.TWO): {game.parse("1"): 99}}
    >>> found = best_response_to_samples(solve(game, cache=False), seen)
    >>> round(found.values[Seat.ONE], 2), found.values[Seat.TWO]
    (0.99, 0.0)
    """
    model = ObservedPolicy(solution, seen)
    found = {}
    for seat in Seat:

        def leaf(state: S, other: Seat = seat.other) -> float | None:
            return None if model.known(state, other) else solution.value(state)

        found[seat] = induce_response(solution.game, seat, model, leaf)
    return response(solution, model, lookup(solution.game, found))
