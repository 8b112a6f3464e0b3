"""Review games: the value of each position, and the cost of each move.

>>> import number_duels as nd
>>> match = nd.Match(nd.load("number-knot"), seed=7)
>>> for seat, move in [(nd.Seat.ONE, "S5"), (nd.Seat.TWO, "A3"), (nd.Seat.ONE, "S9")]:
...     match.submit(seat, move)
>>> [grade.loss for grade in nd.review(match).grades]
[0.0, 1.0, 0.0]
"""

from number_duels.core import make_callable
from number_duels.review.game import Review, review, totals
from number_duels.review.habits import Habit
from number_duels.review.mistakes import (
    Concession,
    ExpectedResult,
    Grade,
    Line,
    Mistake,
    Play,
    Turn,
)
from number_duels.review.position import Chances, Costs, Option, Position, examine, position_of
from number_duels.review.tally import Carelessness, Tally

__all__ = [
    "review",
    "Review",
    "ExpectedResult",
    "Grade",
    "Mistake",
    "Habit",
    "Line",
    "Turn",
    "Play",
    "Tally",
    "Carelessness",
    "totals",
    "examine",
    "position_of",
    "Position",
    "Option",
    "Costs",
    "Chances",
    "Concession",
]

make_callable(__name__, review)
