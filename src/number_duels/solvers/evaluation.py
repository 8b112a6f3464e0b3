"""What a policy brings: the exact expected result of one way to play against another."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import product
from math import prod
from operator import getitem

from number_duels.core.game import Chance, Decision, E, Game, M, Outcome, S
from number_duels.solvers import kernels
from number_duels.solvers.backward_induction import RESULTS
from number_duels.solvers.policies import Policy, probabilities
from number_duels.solvers.protocols import ErrorRateMethod, Progress, silent
from number_duels.solvers.solution import Solution


def expected(game: Game[S, M, E], one: Policy[S, M], two: Policy[S, M]) -> float:
    """Player 1's expected result when the seats play by these policies.

    >>> from number_duels import load
    >>> from number_duels.solvers.policies import UniformPolicy
    >>> game = load("number-knot", numbers=2, life=1)
    >>> expected(game, UniformPolicy(game), UniformPolicy(game))
    0.375
    """
    return expected_all(game, [(one, two)])[0]


def expected_all(
    game: Game[S, M, E], pairs: Sequence[tuple[Policy[S, M], Policy[S, M]]]
) -> list[float]:
    """Player 1's expected result for each pair of policies, in one pass over the game."""
    if (found := played_out(game, pairs)) is not None:
        return found
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
        after = [(game.key(s), s, odds) for s, odds in next_states(game, state, turn, pairs)]
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


def played_out(
    game: Game[S, M, E], pairs: Sequence[tuple[Policy[S, M], Policy[S, M]]]
) -> list[float] | None:
    """The results of policies that are arrays, on whole layers at once; None: some are not."""
    if not all(hasattr(policy, "mixtures") for pair in pairs for policy in pair):
        return None
    from number_duels.solvers.layered_policies import PolicyKernel
    from number_duels.solvers.strategy_arrays import ArrayPolicy

    known = [
        (one.mixtures, two.mixtures)
        for one, two in pairs
        if isinstance(one, ArrayPolicy) and isinstance(two, ArrayPolicy)
        if one.game == two.game == game
    ]
    kernel = kernels.find_kernel(game)
    if len(known) < len(pairs) or not isinstance(kernel, PolicyKernel):
        return None
    return kernel.play_out(known)


def next_states(
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
    mixtures = [
        [
            probabilities(game, pair[seat], game.view(state, seat), seat, turn.options[seat])
            for seat in seats
        ]
        for pair in pairs
    ]
    for moves in product(*(turn.options[seat] for seat in seats)):
        odds = [prod(map(getitem, mixture, moves)) for mixture in mixtures]
        if any(odds):
            yield game.resolve(state, dict(zip(seats, moves, strict=True))), odds


def expected_with_errors(
    solution: Solution[S, M, E],
    error_rates: Sequence[tuple[float, float]],
    progress: Progress = silent,
) -> list[float]:
    """Player 1's expected result when the seats err that often, and are perfect otherwise.

    Each pair says how often Player 1 and Player 2 play a random option.

    >>> from number_duels import load, solve
    >>> solution = solve(load("number-knot", numbers=2, life=1), cache=False)
    >>> expected_with_errors(solution, [(0.0, 0.0), (1.0, 1.0)])
    [1.0, 0.375]
    """
    method = solution.tables.method
    if isinstance(method, ErrorRateMethod):
        return solution.tables.read(
            lambda sections: method.expected_results(error_rates, sections, progress)
        )
    perfect = solution.strategy
    pairs = [(perfect.with_errors(one), perfect.with_errors(two)) for one, two in error_rates]
    return expected_all(solution.game, pairs)
