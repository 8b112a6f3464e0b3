"""What the moves of a game cost, and how much of its result was luck that can be known.

Luck is a sum of surprises: at every card, the value after it less the value before; at
every choice of a player whose probabilities are known, the value of what was chosen
less its mean under those probabilities. Each surprise is zero on average, whoever else
plays and however well: so luck can be taken off a result without changing what is to
be expected of it (`stats/luck.py`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import fsum, prod
from operator import mul
from typing import TypeAlias

from number_duels.core.game import Decision, Seat
from number_duels.core.notation import Step, read
from number_duels.core.record import Record
from number_duels.review import Grade, Option, Position
from number_duels.review.grades import grade_step
from number_duels.review.position import AnySolution
from number_duels.solvers.policies import Policy, probabilities

#: How many better moves are named for a blunder.
MAX_BETTER_MOVES = 3
MAX_CACHED_POSITIONS = 20_000
#: Figures are rounded to what all machines agree on.
DIGITS = 12

AnyPolicy: TypeAlias = Policy[Hashable, Hashable]
AnyStep: TypeAlias = Step[Hashable, Hashable, Hashable]
#: A policy for each seat; None: nobody knows how it chooses.
Policies: TypeAlias = tuple[AnyPolicy | None, AnyPolicy | None]


@dataclass(frozen=True)
class Blunder:
    """A decisive mistake: where, what, what it cost, and what was better."""

    turn: int
    move: str
    loss: float
    best: tuple[str, ...]


@dataclass(frozen=True)
class Cost:
    """What one seat's decisions cost in one game, and what the worst ones would have."""

    loss: float = 0.0
    worst: float = 0.0
    decisions: int = 0
    blunders: tuple[Blunder, ...] = ()
    #: Decisions that are not obvious: not forced, and not all options equal.
    choices: int = 0


@dataclass(frozen=True)
class Figures:
    """What cards and known mixing brought Player 1, and what both sides lost by mistakes."""

    cards: float
    mixing: float
    costs: tuple[Cost, Cost]


@dataclass
class Grader:
    """Grades the games of one solution; positions that come back are not worked out again."""

    solution: AnySolution
    _positions: dict[Hashable, Position] = field(default_factory=dict)

    def grade(self, record: Record, policies: Policies) -> Figures:
        """What every decision of a written game cost, and all surprises."""
        game = self.solution.game
        return self.grade_steps(read(game, game.start(deal=record.deal), record.moves), policies)

    def grade_steps(self, steps: Iterable[AnyStep], policies: Policies) -> Figures:
        grades: list[Grade] = []
        cards, mixing = [], []
        drawn, turn = "", 1
        for step in steps:
            if not step.moves:
                cards.append(self.solution.value(step.after) - self.solution.value(step.before))
                drawn += step.text
                continue
            mixing.append(self.surprise(step, policies))
            grades += grade_step(step, turn, self.position(step.before), drawn)
            drawn, turn = "", turn + 1
        costs = cost(grades, Seat.ONE), cost(grades, Seat.TWO)
        return Figures(round(fsum(cards), DIGITS), round(fsum(mixing), DIGITS), costs)

    def position(self, state: Hashable) -> Position:
        """What every option is worth, without how perfect play would mix them."""
        game = self.solution.game
        key = game.key(state)
        if key not in self._positions:
            if len(self._positions) >= MAX_CACHED_POSITIONS:
                self._positions.clear()
            turn = game.turn(state)
            assert isinstance(turn, Decision)
            options = {
                seat: tuple(
                    Option(str(move), value, 0.0)
                    for move, value in self.solution.values(state, seat).items()
                )
                for seat in turn.options
            }
            self._positions[key] = Position(self.solution.value(state), options)
        return self._positions[key]

    def surprise(self, step: AnyStep, policies: Policies) -> float:
        """How much better for Player 1 choices turned out than what was to be expected of them."""
        game, turn = self.solution.game, self.solution.game.turn(step.before)
        assert isinstance(turn, Decision)
        mixtures = {
            seat: probabilities(game, policy, step.before, seat, turn.options[seat])
            for seat in step.moves
            if (policy := policies[seat]) is not None
        }
        if not mixtures:
            return 0.0
        return self.solution.value(step.after) - self.mean(step, mixtures)

    def mean(self, step: AnyStep, mixtures: Mapping[Seat, Mapping[Hashable, float]]) -> float:
        """The expected value after a step, given what those chose whose mixing is not known."""
        turn = self.solution.game.turn(step.before)
        assert isinstance(turn, Decision)
        odds = (
            mixtures[seat].values()
            if seat in mixtures
            else [float(move == step.moves[seat]) for move in turn.options[seat]]
            for seat in sorted(turn.options)
        )
        return fsum(map(mul, map(prod, product(*odds)), self.solution.following(step.before)))


def cost(grades: list[Grade], seat: Seat) -> Cost:
    own = [grade for grade in grades if grade.seat is seat]
    return Cost(
        loss=round(fsum(grade.loss for grade in own), DIGITS),
        worst=round(fsum(grade.worst for grade in own), DIGITS),
        decisions=len(own),
        blunders=tuple(
            Blunder(grade.turn, grade.drawn + grade.move, grade.loss, grade.best[:MAX_BETTER_MOVES])
            for grade in own
            if grade.is_decisive
        ),
        choices=sum(grade.worst > 0 for grade in own),
    )
