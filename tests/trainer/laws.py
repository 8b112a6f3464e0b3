"""Laws of a whole game that lessons state, and the states in which they are asked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from random import Random
from typing import TypeAlias

from number_duels import Chance, Decision, Outcome, Seat, states
from number_duels.core.game import AnyGame
from number_duels.review.position import AnySolution

#: Whether a law holds in a state for a seat that decides there; None where it says nothing.
Law: TypeAlias = Callable[[AnySolution, Hashable, Seat], bool | None]
LAWS: dict[str, dict[str, Law]] = {}
#: Laws that only hold nearly always: in at least this share of the states.
SHARES: dict[Law, float] = {}

#: More states than can be visited: games are sampled instead.
MANY_STATES = 1_000_000


def law(game: str, words: str, at_least: float = 1.0) -> Callable[[Law], Law]:
    """Files a law under its game, in the words that the lesson's data uses."""

    def filed(found: Law) -> Law:
        LAWS.setdefault(game, {})[words] = found
        SHARES[found] = at_least
        return found

    return filed


# ---- which states ----------------------------------------------------------------


def decisions(solution: AnySolution, games: int) -> Iterator[tuple[Hashable, Seat]]:
    """Every state in which a seat decides; in a game that is too large, those of sampled games."""
    if solution.states > MANY_STATES:
        yield from sampled_decisions(solution, games)
    else:
        yield from seats_of(solution, (state for _, state in states(solution.game)))


def sampled_decisions(solution: AnySolution, games: int) -> Iterator[tuple[Hashable, Seat]]:
    yield from seats_of(solution, sampled(solution, games))


def seats_of(solution: AnySolution, found: Iterator[Hashable]) -> Iterator[tuple[Hashable, Seat]]:
    for state in found:
        turn = solution.game.turn(state)
        if isinstance(turn, Decision):
            for seat in turn.options:
                yield state, seat


def sampled(solution: AnySolution, games: int) -> Iterator[Hashable]:
    """The states of games in which every second move is perfect and the rest are random."""
    game, rng = solution.game, Random(17)
    for _ in range(games):
        state = game.start()
        while not isinstance(turn := game.turn(state), Outcome):
            yield state
            state = following(solution, game, state, turn, rng)


def following(
    solution: AnySolution,
    game: AnyGame,
    state: Hashable,
    turn: Decision[Hashable] | Chance[Hashable],
    rng: Random,
) -> Hashable:
    if isinstance(turn, Chance):
        odds = [float(share) for share in turn.odds.values()]
        return game.drawn(state, rng.choices(list(turn.odds), odds)[0])
    moves = {}
    for seat, options in turn.options.items():
        moves[seat] = rng.choice(options)
        if rng.random() < 0.5:
            values = solution.values(state, seat)
            moves[seat] = max(options, key=values.__getitem__)
    return game.resolve(state, moves)
