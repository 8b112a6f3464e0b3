"""Compute exact results of policies against each other and against the best response."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import fsum, prod
from operator import getitem
from typing import Generic

from number_duels.core.game import Chance, Decision, E, Game, M, Outcome, S, Seat
from number_duels.solvers import kernels
from number_duels.solvers.cache import Progress, silent
from number_duels.solvers.errors import TooLarge
from number_duels.solvers.induction import (
    MAX_STATES,
    RESULTS,
    ResponseValue,
    branches,
    induce_response,
    lookup,
)
from number_duels.solvers.policies import Policy, decision_of, known_error_rate, probabilities
from number_duels.solvers.solution import PerfectPolicy, Solution
from number_duels.solvers.solver import solve
from number_duels.solvers.strategy_lock_solution import LockedPolicy


@dataclass(frozen=True, repr=False)
class Response(Generic[S, M, E]):
    """The best responses to a policy, one for each seat.

    >>> import number_duels as nd
    >>> game = nd.load("number-bid", numbers=4)
    >>> response = nd.best_response(game, lambda state, seat: {str(state.pool[0]): 1.0})
    >>> response.values[nd.Seat.ONE]
    1.0
    """

    #: For each seat, its expected result with the best response.
    values: Mapping[Seat, float]
    #: For each seat, its value minus its result if both play perfectly.
    gains: Mapping[Seat, float]
    #: The exact solution of the game.
    solution: Solution[S, M, E] = field(compare=False)
    #: The policy that the responses exploit.
    policy: Policy[S, M] = field(compare=False)
    value_at: ResponseValue[S] = field(compare=False)

    @property
    def exploitability(self) -> float:
        """Return how much the best response gains per game, on average over both seats."""
        return sum(self.gains.values()) / len(self.gains)

    def strategy(self, state: S, seat: Seat) -> dict[M, float]:
        """Return the probability of each option: 1 for the best response, 0 for the others.

        For a state that the search did not reach, return perfect play.

        >>> from number_duels import best_response, load
        >>> from number_duels.solvers.policies import UniformPolicy
        >>> game = load("number-knot", numbers=3, life=4)
        >>> response = best_response(game, UniformPolicy(game), cache=False)
        >>> [str(m) for m, p in response.strategy(game.start(), Seat.ONE).items() if p]
        ['S3']
        """
        game = self.solution.game
        turn = decision_of(game, state, seat)
        if self.value_at(state, seat) is None:
            return self.solution.strategy(state, seat)
        sign = 1 if seat is Seat.ONE else -1
        values = [
            sign * fsum(odds * self.after(then, seat) for then, odds in branch)
            for branch in branches(game, state, seat, turn, self.policy)
        ]
        best = values.index(max(values))
        return {move: float(place == best) for place, move in enumerate(turn.options[seat])}

    def after(self, state: S, seat: Seat) -> float:
        """Return a state's value for Player 1 if `seat` plays the best response.

        For a state that the search did not reach, return the value of perfect play.
        """
        turn = self.solution.game.turn(state)
        if isinstance(turn, Outcome):
            return RESULTS[turn.winner]
        found = self.value_at(state, seat)
        return self.solution.value(state) if found is None else found

    def __repr__(self) -> str:
        values = ", ".join(f"{seat!r}: {value:.9g}" for seat, value in self.values.items())
        return f"Response(values={{{values}}}, exploitability={self.exploitability:.9g})"


def best_response(
    game: Game[S, M, E],
    policy: Policy[S, M],
    *,
    progress: Progress | None = None,
    cache: bool = True,
) -> Response[S, M, E]:
    """Find the exact best response to a policy for each seat.

    `policy(state, seat)` returns the probability of every option. Its result may depend only on the
    key of the state. Raise ValueError if the probabilities are invalid.

    >>> from number_duels import load
    >>> from number_duels.solvers.policies import UniformPolicy
    >>> game = load("number-knot", numbers=2, life=2)
    >>> best_response(game, UniformPolicy(game), cache=False)
    Response(values={Seat.ONE: 1, Seat.TWO: 0}, exploitability=0.5)
    """
    if isinstance(policy, PerfectPolicy | LockedPolicy) and policy.solution.game == game:
        solution = policy.solution
    else:
        solution = solve(game, progress=progress, cache=cache)
    return response(solution, policy, response_value(solution, policy, progress or silent))


def response_value(
    solution: Solution[S, M, E], policy: Policy[S, M], progress: Progress
) -> ResponseValue[S]:
    game, tables = solution.game, solution.tables
    error_rate = known_error_rate(game, policy)
    if error_rate is not None:
        found = tables.read(
            lambda sections: tables.method.respond_to_errors(error_rate, sections, progress)
        )
    elif isinstance(policy, LockedPolicy) and policy.rules.game == game:
        found = policy.responses(progress)
    else:
        found = tables.method.respond(game, policy, progress)
    if found:
        return found
    if solution.states > MAX_STATES:
        raise TooLarge(
            f"{game.title} with these settings has {solution.states:,} states, too many to call a "
            f"function for each of them (the limit is {MAX_STATES:,}). Pass the solution's "
            "strategy, its strategy.with_errors(…), or a UniformPolicy instead."
        )
    return lookup(game, {seat: induce_response(game, seat, policy) for seat in Seat})


def response(
    solution: Solution[S, M, E], policy: Policy[S, M], value_at: ResponseValue[S]
) -> Response[S, M, E]:
    start = solution.game.start()
    perfect = solution.value(start)
    values, gains = dict[Seat, float](), dict[Seat, float]()
    for seat, sign in ((Seat.ONE, 1), (Seat.TWO, -1)):
        found = value_at(start, seat)
        # If the start was not searched, both play perfectly.
        values[seat] = sign * (perfect if found is None else found) + 0.0
        # The best response is never worse than perfect play, except for rounding errors.
        gains[seat] = max(0.0, values[seat] - sign * perfect)
    return Response(values, gains, solution, policy, value_at)


def expected(game: Game[S, M, E], one: Policy[S, M], two: Policy[S, M]) -> float:
    """Return Player 1's expected result if Player 1 plays `one` and Player 2 plays `two`.

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
    if not all(hasattr(policy, "strategies") for pair in pairs for policy in pair):
        return None
    # NumPy is loaded only with a policy that needs it.
    from number_duels.solvers.layered_method import LayeredMethod
    from number_duels.solvers.strategy_arrays import ArrayPolicy

    known = [
        (one.strategies, two.strategies)
        for one, two in pairs
        if isinstance(one, ArrayPolicy) and isinstance(two, ArrayPolicy)
        if one.game == two.game == game
    ]
    kernel = kernels.find_kernel(game)
    if len(known) < len(pairs) or not isinstance(kernel, LayeredMethod):
        return None
    return kernel.play_out(known)


def next_states(
    game: Game[S, M, E],
    state: S,
    turn: Decision[M] | Chance[E],
    pairs: Sequence[tuple[Policy[S, M], Policy[S, M]]],
) -> Iterator[tuple[S, list[float]]]:
    if isinstance(turn, Chance):
        for event, chance in turn.odds.items():
            yield game.drawn(state, event), [float(chance)] * len(pairs)
        return
    seats = sorted(turn.options)
    mixes = [
        [
            probabilities(game, pair[seat], game.view(state, seat), seat, turn.options[seat])
            for seat in seats
        ]
        for pair in pairs
    ]
    for moves in product(*(turn.options[seat] for seat in seats)):
        odds = [prod(map(getitem, mix, moves)) for mix in mixes]
        if any(odds):
            yield game.resolve(state, dict(zip(seats, moves, strict=True))), odds


def expected_with_errors(
    solution: Solution[S, M, E],
    error_rates: Sequence[tuple[float, float]],
    progress: Progress = silent,
) -> list[float]:
    """Return Player 1's expected result for each pair of error rates (Player 1's, Player 2's).

    An error rate is the share of random moves in otherwise perfect play.

    >>> from number_duels import load, solve
    >>> solution = solve(load("number-knot", numbers=2, life=1), cache=False)
    >>> expected_with_errors(solution, [(0.0, 0.0), (1.0, 1.0)])
    [1.0, 0.375]
    """
    found = solution.tables.read(
        lambda sections: solution.tables.method.expected_results(error_rates, sections, progress)
    )
    if found is not None:
        return found
    perfect = solution.strategy
    pairs = [(perfect.with_errors(one), perfect.with_errors(two)) for one, two in error_rates]
    return expected_all(solution.game, pairs)
