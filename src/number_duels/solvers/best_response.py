"""The best answer to a policy: what it brings, and how it is played."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from math import fsum
from typing import Generic, TypeAlias

from number_duels.core.game import Chance, Decision, E, Game, M, Outcome, S, Seat
from number_duels.solvers.backward_induction import MAX_STATES, RESULTS
from number_duels.solvers.errors import TooLarge
from number_duels.solvers.locked_policy import LockedPolicy
from number_duels.solvers.perfect_policy import PerfectPolicy
from number_duels.solvers.policies import Policy, known_error_rate, probabilities
from number_duels.solvers.protocols import (
    ErrorRateMethod,
    LockMethod,
    PolicyMethod,
    Progress,
    ResponseValue,
    silent,
)
from number_duels.solvers.solution import Solution
from number_duels.solvers.solver import solve

#: What a state is worth to Player 1 without looking further; None: look further.
Leaf: TypeAlias = Callable[[S], float | None]


@dataclass(frozen=True, repr=False)
class Response(Generic[S, M, E]):
    """The best answer to a policy, for either seat.

    >>> import number_duels as nd
    >>> game = nd.load("number-bid", numbers=4)
    >>> response = nd.best_response(game, lambda state, seat: {str(state.pool[0]): 1.0})
    >>> response.values[nd.Seat.ONE]
    1.0
    """

    #: What the answer brings in each seat, to the seat that gives it.
    values: Mapping[Seat, float]
    #: How much more that is than perfect play would bring against perfect play.
    gains: Mapping[Seat, float]
    #: The exact solution of the game.
    solution: Solution[S, M, E] = field(compare=False)
    #: What is answered.
    policy: Policy[S, M] = field(compare=False)
    worth: ResponseValue[S] = field(compare=False)

    @property
    def exploitability(self) -> float:
        """What the policy loses to the best answer, on the average of both seats."""
        return sum(self.gains.values()) / len(self.gains)

    def strategy(self, state: S, seat: Seat) -> dict[M, float]:
        """The answer's one move, as probabilities; perfect play where nothing is known to answer.

        >>> from number_duels import best_response, load
        >>> from number_duels.solvers.policies import UniformPolicy
        >>> game = load("number-knot", numbers=3, life=4)
        >>> response = best_response(game, UniformPolicy(game), cache=False)
        >>> [str(m) for m, p in response.strategy(game.start(), Seat.ONE).items() if p]
        ['S3']
        """
        game = self.solution.game
        turn = game.turn(state)
        if not isinstance(turn, Decision) or seat not in turn.options:
            raise ValueError(f"{seat} has nothing to decide here.")
        if self.worth(state, seat) is None:
            return self.solution.strategy(state, seat)
        sign = 1 if seat is Seat.ONE else -1
        values = [
            sign * fsum(odds * self.after(then, seat) for then, odds in branch)
            for branch in branches(game, state, seat, turn, self.policy)
        ]
        best = values.index(max(values))
        return {move: float(place == best) for place, move in enumerate(turn.options[seat])}

    def after(self, state: S, seat: Seat) -> float:
        """What a state is worth to Player 1; what is not known to differ is played perfectly."""
        turn = self.solution.game.turn(state)
        if isinstance(turn, Outcome):
            return RESULTS[turn.winner]
        found = self.worth(state, seat)
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
    """The best answer to a policy, exactly: what it brings in either seat, and how it is played.

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
    """What states are worth to the best answer, by the fastest method there is."""
    game, method = solution.game, solution.tables.method
    error_rate = known_error_rate(game, policy)
    if error_rate is not None and isinstance(method, ErrorRateMethod):
        return solution.tables.read(
            lambda sections: method.respond_to_errors(error_rate, sections, progress)
        )
    if (
        isinstance(policy, LockedPolicy)
        and policy.rules.game == game
        and isinstance(method, LockMethod)
    ):
        return solution.tables.read(
            lambda sections: method.respond_to_locks(policy.rules, sections, progress)
        )
    if isinstance(method, PolicyMethod):
        return method.respond(game, policy, progress)
    if solution.states > MAX_STATES:
        raise TooLarge(
            f"{game.title} with these settings has {solution.states:,} states: too many to call a "
            f"function for each (at most {MAX_STATES:,}). The strategy of its solution, also "
            "with_errors, and a UniformPolicy can be answered; pass one of them."
        )
    return lookup(
        game, {seat: induce_response(game, seat, policy, lambda _: None) for seat in Seat}
    )


def response(
    solution: Solution[S, M, E], policy: Policy[S, M], worth: ResponseValue[S]
) -> Response[S, M, E]:
    start = solution.game.start()
    signs = {Seat.ONE: 1, Seat.TWO: -1}
    found = {seat: worth(start, seat) for seat in Seat}
    perfect = solution.value(start)
    # Where nothing is known to answer, perfect play brings its value.
    results = {seat: perfect if value is None else value for seat, value in found.items()}
    values = {seat: sign * results[seat] + 0.0 for seat, sign in signs.items()}
    # The best answer brings no less than the value; what says otherwise is the value's rounding.
    gains = {seat: max(0.0, values[seat] - sign * perfect) for seat, sign in signs.items()}
    return Response(values, gains, solution, policy, worth)


def lookup(game: Game[S, M, E], found: Mapping[Seat, Mapping[Hashable, float]]) -> ResponseValue[S]:
    return lambda state, seat: found[seat].get(game.key(state))


def induce_response(
    game: Game[S, M, E],
    seat: Seat,
    policy: Policy[S, M],
    leaf: Leaf[S],
    start: S | None = None,
) -> dict[Hashable, float]:
    """What every key is worth to Player 1 when a seat answers the policy in the best way.

    It begins at the start of the game, or at another state. Backward induction over keys is
    exact. Where both choose at once, the answer is the best move against the policy's mixture,
    unseen. Nothing else is ever hidden from a seat that decides, which solving makes sure of: a
    card in the other's hand lies on the table before one's own next decision.
    """
    known: dict[Hashable, float] = {}
    ends: dict[Hashable, float] = {}
    opened: dict[Hashable, list[list[tuple[Hashable, S, float]]]] = {}
    waiting = [game.start() if start is None else start]
    while waiting:
        state = waiting[-1]
        key, turn = game.key(state), game.turn(state)
        if key in known or key in ends:
            waiting.pop()
            continue
        if isinstance(turn, Outcome):
            ends[key] = RESULTS[turn.winner]
            continue
        if (end := leaf(state)) is not None:
            ends[key] = end
            continue
        keys = opened.pop(key, None) or keyed(game, branches(game, state, seat, turn, policy))
        ahead = [then for b in keys for k, then, _ in b if k not in known and k not in ends]
        if ahead:
            opened[key] = keys
            waiting += ahead
            continue
        worth = [fsum(p * (known[k] if k in known else ends[k]) for k, _, p in b) for b in keys]
        known[key] = max(worth) if seat is Seat.ONE else min(worth)
    return known


def keyed(
    game: Game[S, M, E], found: list[list[tuple[S, float]]]
) -> list[list[tuple[Hashable, S, float]]]:
    return [[(game.key(then), then, odds) for then, odds in branch] for branch in found]


def branches(
    game: Game[S, M, E],
    state: S,
    seat: Seat,
    turn: Decision[M] | Chance[E],
    policy: Policy[S, M],
) -> list[list[tuple[S, float]]]:
    """For each move of the seat, what may follow and its probability; one row if it has none."""
    if isinstance(turn, Chance):
        return [[(game.drawn(state, event), float(odds)) for event, odds in turn.odds.items()]]
    others: list[tuple[dict[Seat, M], float]] = [({}, 1.0)]
    if seat.other in turn.options:
        view, options = game.view(state, seat.other), turn.options[seat.other]
        mixture = probabilities(game, policy, view, seat.other, options)
        others = [({seat.other: move}, odds) for move, odds in mixture.items() if odds]
    own: list[dict[Seat, M]] = [{seat: move} for move in turn.options.get(seat, ())]
    return [[(game.resolve(state, mine | r), p) for r, p in others] for mine in own or [{}]]
