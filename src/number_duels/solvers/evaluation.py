"""What a policy brings: the exact expected result of one way to play against another."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import TypeAlias

from number_duels.core.game import Chance, Decision, E, Game, M, Outcome, S, Seat
from number_duels.solvers.induction import RESULTS
from number_duels.solvers.solution import Solution

#: The probability of every option of a seat in a state; it may depend on the key alone.
Policy: TypeAlias = Callable[[S, Seat], Mapping[M, float]]


def uniform(game: Game[S, M, E]) -> Policy[S, M]:
    """The policy of `random`: every option is as likely as any other."""

    def policy(state: S, seat: Seat) -> dict[M, float]:
        turn = game.turn(state)
        assert isinstance(turn, Decision)
        options = turn.options[seat]
        return dict.fromkeys(options, 1 / len(options))

    return policy


def expected(game: Game[S, M, E], one: Policy[S, M], two: Policy[S, M]) -> float:
    """Player 1's expected result when the seats play by these policies.

    >>> from number_duels import load
    >>> game = load("number-knot", numbers=2, life=1)
    >>> expected(game, uniform(game), uniform(game))
    0.375
    """
    policies = {Seat.ONE: one, Seat.TWO: two}
    known: dict[Hashable, float] = {}
    start = game.start()
    waiting = [start]
    while waiting:
        state = waiting[-1]
        key = game.key(state)
        if key in known:
            waiting.pop()
            continue
        turn = game.turn(state)
        if isinstance(turn, Outcome):
            known[key] = RESULTS[turn.winner]
            continue
        after = list(successors(game, state, turn, policies))
        ahead = [s for s, _ in after if game.key(s) not in known]
        if ahead:
            waiting += ahead
        else:
            known[key] = sum(odds * known[game.key(s)] for s, odds in after)
    return known[game.key(start)]


def with_slips(solution: Solution[S, M, E], slips: Sequence[tuple[float, float]]) -> list[float]:
    """Player 1's expected result when the seats slip that often, and are perfect otherwise.

    Each pair says how often Player 1 and Player 2 play a random option.

    >>> from number_duels import load
    >>> from number_duels.solvers import solve
    >>> solution = solve(load("number-knot", numbers=2, life=1), cache=False)
    >>> with_slips(solution, [(0.0, 0.0), (1.0, 1.0)])
    [1.0, 0.375]
    """
    fast = solution.with_slips(slips)
    if fast is not None:
        return fast
    return [
        expected(solution.game, slipping(solution, one), slipping(solution, two))
        for one, two in slips
    ]


def slipping(solution: Solution[S, M, E], slip: float) -> Policy[S, M]:
    """Perfect play, mixed with a little of every option."""

    def policy(state: S, seat: Seat) -> dict[M, float]:
        perfect = solution.strategy(state, seat)
        spread = slip / len(perfect)
        return {move: (1 - slip) * odds + spread for move, odds in perfect.items()}

    return policy


def successors(
    game: Game[S, M, E],
    state: S,
    turn: Decision[M] | Chance[E],
    policies: Mapping[Seat, Policy[S, M]],
) -> Iterator[tuple[S, float]]:
    """Every next state that the policies and nature allow, with its probability."""
    if isinstance(turn, Chance):
        for event, chance in turn.odds.items():
            yield game.drawn(state, event), float(chance)
        return
    seats = sorted(turn.options)
    mixtures = [policies[seat](state, seat) for seat in seats]
    for moves in product(*mixtures):
        odds = prod(mixture[move] for mixture, move in zip(mixtures, moves, strict=True))
        if odds:
            yield game.resolve(state, dict(zip(seats, moves, strict=True))), odds
