"""Grade finished games: what each move cost, and how much luck affected the result.

Luck is a sum of surprises. A surprise is the position's value after a card or a random choice,
minus the value expected before it. Surprises have mean zero, so a result without luck has no bias.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from math import fsum, prod
from operator import mul
from types import MappingProxyType
from typing import TypeAlias

from number_duels.core.game import Decision, Seat
from number_duels.core.notation import Step, read
from number_duels.core.record import Record
from number_duels.review.mistakes import is_blunder
from number_duels.review.position import AnySolution, drop_rounding_error, forfeit_cost
from number_duels.solvers.policies import Policy, known_error_rate, weights

MAX_BETTER_MOVES = 3
MAX_CACHED_POSITIONS = 20_000
#: Figures are rounded to this many decimals, so that all machines give the same.
DIGITS = 12

AnyPolicy: TypeAlias = Policy[Hashable, Hashable]
AnyStep: TypeAlias = Step[Hashable, Hashable, Hashable]
Policies: TypeAlias = tuple[AnyPolicy | None, AnyPolicy | None]
ErrorRates: TypeAlias = tuple[float, float]
NO_FORFEITS: Mapping[Seat, Hashable] = MappingProxyType({})


@dataclass(frozen=True)
class Blunder:
    turn: int
    move: str
    loss: float
    best: tuple[str, ...]


@dataclass(frozen=True)
class Cost:
    """The cost of one seat's decisions in one game, and of the worst options."""

    loss: float = 0.0
    worst: float = 0.0
    decisions: int = 0
    blunders: tuple[Blunder, ...] = ()
    choices: int = 0


@dataclass(frozen=True)
class Figures:
    """Player 1's luck from cards and from mixed strategies, and the costs of both seats."""

    cards: float
    mixing: float
    costs: tuple[Cost, Cost]


@dataclass(frozen=True, slots=True)
class Node:
    """A cached position: its value for Player 1, and the options of each seat."""

    value: float
    options: Mapping[Seat, tuple[Hashable, ...]]
    #: The value of each option for the seat that plays it, in the order of `options`.
    values: Mapping[Seat, list[float]]
    #: Player 1's expected value after this position, for each pair of error rates.
    means: dict[ErrorRates, float] = field(default_factory=dict)


@dataclass
class Grader:
    solution: AnySolution
    _nodes: dict[Hashable, Node] = field(default_factory=dict)

    def grade(self, record: Record, policies: Policies, forfeits: Collection[Seat] = ()) -> Figures:
        game = self.solution.game
        start = game.start(deal=record.deal)
        steps = tuple(read(game, start, record.moves))
        end = steps[-1].after if steps else start
        return self.grade_steps(steps, policies, dict.fromkeys(forfeits, end))

    def grade_steps(
        self,
        steps: Iterable[AnyStep],
        policies: Policies,
        forfeits: Mapping[Seat, Hashable] = NO_FORFEITS,
    ) -> Figures:
        """Grade the steps of a game. `forfeits` has the state in which each seat forfeited."""
        played = tuple(steps)
        nodes = [self.node(step.before) for step in played]
        values = [node.value for node in nodes]
        values += [self.solution.value(step.after) for step in played[-1:]]
        rates = self.error_rates(policies)
        costs = Costs(), Costs()
        cards, mixing = [], []
        drawn, turn = "", 1
        for step, node, after in zip(played, nodes, values[1:], strict=True):
            if not step.moves:
                cards.append(after - node.value)
                drawn += step.text
                continue
            mixing.append(self.surprise(step, node, after, policies, rates))
            for seat, move in step.moves.items():
                costs[seat].add(turn, drawn, move, node.options[seat], node.values[seat])
            drawn, turn = "", turn + 1
        for seat, state in forfeits.items():
            costs[seat].add_forfeit(forfeit_cost(self.solution, state, seat))
        return Figures(
            round(fsum(cards), DIGITS),
            round(fsum(mixing), DIGITS),
            (costs[0].total(), costs[1].total()),
        )

    def error_rates(self, policies: Policies) -> ErrorRates | None:
        one, two = (
            None if policy is None else known_error_rate(self.solution.game, policy)
            for policy in policies
        )
        return None if one is None or two is None else (one, two)

    def node(self, state: Hashable) -> Node:
        game, solution = self.solution.game, self.solution
        key = game.key(state)
        found = self._nodes.get(key)
        if found is None:
            if len(self._nodes) >= MAX_CACHED_POSITIONS:
                self._nodes.clear()
            turn = game.turn(state)
            options = turn.options if isinstance(turn, Decision) else {}
            values = {seat: solution.option_values(state, seat) for seat in options}
            found = self._nodes[key] = Node(solution.value(state), options, values)
        return found

    def surprise(
        self,
        step: AnyStep,
        node: Node,
        after: float,
        policies: Policies,
        rates: ErrorRates | None,
    ) -> float:
        """Return how much better than expected the choices turned out for Player 1."""
        if rates is None:
            known = any(policies[seat] is not None for seat in node.options)
            return after - self.mean(step, node, policies) if known else 0.0
        if rates not in node.means:
            node.means[rates] = self.mean(step, node, policies)
        return after - node.means[rates]

    def mean(self, step: AnyStep, node: Node, policies: Policies) -> float:
        """Return Player 1's expected value after a step.

        If a seat's policy is unknown, its move counts as certain.
        """
        game = self.solution.game
        odds: list[Sequence[float]] = []
        for seat in sorted(node.options):
            options, policy = node.options[seat], policies[seat]
            if policy is None:
                odds.append([float(move == step.moves[seat]) for move in options])
            else:
                odds.append(weights(game, policy, step.before, seat, options))
        return fsum(map(mul, map(prod, product(*odds)), self.following(step.before, node)))

    def following(self, state: Hashable, node: Node) -> list[float]:
        if len(node.values) > 1:
            return self.solution.following(state)
        ((seat, values),) = node.values.items()
        return values if seat is Seat.ONE else [0.0 - value for value in values]


@dataclass
class Costs:
    losses: list[float] = field(default_factory=list)
    worsts: list[float] = field(default_factory=list)
    blunders: list[Blunder] = field(default_factory=list)

    def add(
        self,
        turn: int,
        drawn: str,
        move: Hashable,
        options: tuple[Hashable, ...],
        values: list[float],
    ) -> None:
        top = max(values)
        loss = drop_rounding_error(top - values[place(move, options)])
        self.losses.append(loss)
        self.worsts.append(drop_rounding_error(top - min(values)))
        if is_blunder(loss):
            equal = (
                m for m, v in zip(options, values, strict=True) if not drop_rounding_error(top - v)
            )
            best = tuple(map(str, islice(equal, MAX_BETTER_MOVES)))
            self.blunders.append(Blunder(turn, f"{drawn}{move}", loss, best))

    def add_forfeit(self, cost: float) -> None:
        self.losses.append(cost)
        self.worsts.append(cost)

    def total(self) -> Cost:
        return Cost(
            loss=round(fsum(self.losses), DIGITS),
            worst=round(fsum(self.worsts), DIGITS),
            decisions=len(self.losses),
            blunders=tuple(self.blunders),
            choices=sum(worst > 0 for worst in self.worsts),
        )


def place(move: Hashable, options: tuple[Hashable, ...]) -> int:
    # Comparing by identity first is faster.
    for n, option in enumerate(options):
        if option is move:
            return n
    return options.index(move)
