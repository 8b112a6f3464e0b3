"""An exercise: a spot with its solution, and the form in which its answer is wanted."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass
from functools import cached_property

from number_duels.review.position import TOLERANCE, AnySolution, Option, Position, examine
from number_duels.review.text import is_mixed
from number_duels.review.words import cost
from number_duels.trainer.answers import MIXTURE, MOVE
from number_duels.trainer.greedy import greedy_moves
from number_duels.trainer.spot import OpenSpot

#: A mixture is right if somebody who knows it takes no more than this winning chance.
RIGHT_WITHIN = 0.01


@dataclass(frozen=True)
class Exercise:
    """What is asked of a learner.

    >>> from number_duels import Seat, load, solve
    >>> from number_duels.trainer.spot import Spot
    >>> spot = Spot("number-knot", {"numbers": 3, "life": 3}, None, "", Seat.ONE).open()
    >>> exercise = Exercise(spot, solve(spot.game))
    >>> exercise.best, exercise.stake
    (('S3',), 2.0)
    """

    #: Where it is asked.
    spot: OpenSpot
    #: What judges the answer.
    solution: AnySolution
    #: How it is answered: `move` or `mixture`.
    form: str = MOVE
    #: The part of the game that it was taken from: opening, middle, end; empty where unknown.
    phase: str = ""
    #: `easy`, `medium` or `hard` among what its game asks; empty where nobody compared.
    level: str = ""

    @cached_property
    def position(self) -> Position:
        """The exact analysis of the spot."""
        return examine(self.solution, self.spot.state)

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of the seat that decides, best first."""
        return self.position.options[self.spot.seat]

    @property
    def best(self) -> tuple[str, ...]:
        """The moves that cost nothing."""
        return self.position.costs[self.spot.seat].best

    @property
    def value(self) -> float:
        """The value of the position to the seat that decides."""
        return self.position.best(self.spot.seat)

    @property
    def mixes(self) -> bool:
        """Whether perfect play chooses by chance here."""
        return is_mixed(self.options)

    def cost(self, move: str) -> float:
        """What a move costs against the best one."""
        return self.position.costs[self.spot.seat].moves[move][0]

    # ---- how much there is to learn --------------------------------------------

    @property
    def stake(self) -> float:
        """What the worst move costs."""
        return self.position.costs[self.spot.seat].worst

    @property
    def gap(self) -> float:
        """What the least of all mistakes costs; 0 where no move is one."""
        costs = [cost for cost, _ in self.position.costs[self.spot.seat].moves.values() if cost]
        return min(costs, default=0.0)

    @cached_property
    def temptation(self) -> float:
        """How often any move (a slip of `level:1`) and greedy play go wrong, on the average."""
        greedy = greedy_moves(self.spot.game, self.spot.state, self.spot.seat)
        return (self.wrong_share(self.spot.options) + self.wrong_share(greedy)) / 2

    def wrong_share(self, moves: Collection[Hashable]) -> float:
        """How many of some moves cost something, from 0 to 1."""
        return sum(self.cost(str(move)) > TOLERANCE for move in moves) / len(moves)

    @property
    def difficulty(self) -> float:
        """From 0 to 1: the smaller the gap and the more tempting the mistakes, the harder."""
        return ((1 - self.gap / 2) + self.temptation) / 2

    # ---- what is asked ---------------------------------------------------------

    @property
    def prompt(self) -> str:
        """What is asked, in a sentence or two."""
        seat = self.spot.seat
        if self.form == MIXTURE:
            return (
                f"{seat}: how often do you choose what? It is right if somebody who knows your "
                f"answer takes at most {cost(2 * RIGHT_WITHIN)} of your winning chance."
            )
        if self.spot.both_choose:
            return f"{seat}: you both choose at once. What do you choose?"
        return f"{seat}: what do you play?"
