"""What a policy brings: the exact expected result of one way to play against another."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from operator import getitem

from number_duels.core.game import Chance, Decision, E, Game, M, Outcome, S
from number_duels.solvers.backward_induction import RESULTS
from number_duels.solvers.policies import Policy, Slipping, Uniform
from number_duels.solvers.protocols import Progress, silent
from number_duels.solvers.solution import Solution

__all__ = ["Policy", "expected", "expected_all", "slipping", "uniform", "with_slips"]


def uniform(game: Game[S, M, E]) -> Policy[S, M]:
    """The policy of `random`: every option is as likely as any other."""
    return Uniform(game)


def slipping(perfect: Policy[S, M], slip: float) -> Policy[S, M]:
    """A policy, mixed with a little of every option."""
    return Slipping(perfect, slip)


def expected(game: Game[S, M, E], one: Policy[S, M], two: Policy[S, M]) -> float:
    """Player 1's expected result when the seats play by these policies.

    >>> from number_duels import load
    >>> game = load("number-knot", numbers=2, life=1)
    >>> expected(game, uniform(game), uniform(game))
    0.375
    """
    return expected_all(game, [(one, two)])[0]


def expected_all(
    game: Game[S, M, E], pairs: Sequence[tuple[Policy[S, M], Policy[S, M]]]
) -> list[float]:
    """Player 1's expected result for each pair of policies, in one pass over the game."""
    known: dict[Hashable, list[float]] = {}
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
            known[key] = [RESULTS[turn.winner]] * len(pairs)
            continue
        after = [(game.key(s), s, odds) for s, odds in successors(game, state, turn, pairs)]
        ahead = [s for k, s, _ in after if k not in known]
        if ahead:
            waiting += ahead
            continue
        found = [0.0] * len(pairs)
        for k, _, odds in after:
            for place, (chance, value) in enumerate(zip(odds, known[k], strict=True)):
                found[place] += chance * value
        known[key] = found
    return known[game.key(start)]


def successors(
    game: Game[S, M, E],
    state: S,
    turn: Decision[M] | Chance[E],
    pairs: Sequence[tuple[Policy[S, M], Policy[S, M]]],
) -> Iterator[tuple[S, list[float]]]:
    """Every next state that is possible, with its probability under each pair of policies."""
    if isinstance(turn, Chance):
        for event, chance in turn.odds.items():
            yield game.drawn(state, event), [float(chance)] * len(pairs)
        return
    seats = sorted(turn.options)
    mixtures = [[pair[seat](state, seat) for seat in seats] for pair in pairs]
    for moves in product(*(turn.options[seat] for seat in seats)):
        odds = [prod(map(getitem, mixture, moves)) for mixture in mixtures]
        if any(odds):
            yield game.resolve(state, dict(zip(seats, moves, strict=True))), odds


def with_slips(
    solution: Solution[S, M, E],
    slips: Sequence[tuple[float, float]],
    progress: Progress = silent,
) -> list[float]:
    """Player 1's expected result when the seats slip that often, and are perfect otherwise.

    Each pair says how often Player 1 and Player 2 play a random option.

    >>> from number_duels import load
    >>> from number_duels.solvers import solve
    >>> solution = solve(load("number-knot", numbers=2, life=1), cache=False)
    >>> with_slips(solution, [(0.0, 0.0), (1.0, 1.0)])
    [1.0, 0.375]
    """
    fast = solution.with_slips(slips, progress)
    if fast is not None:
        return fast
    perfect = lru_cache(maxsize=2)(solution.strategy)  # asked again for every pair of slips
    pairs = [(slipping(perfect, one), slipping(perfect, two)) for one, two in slips]
    return expected_all(solution.game, pairs)
