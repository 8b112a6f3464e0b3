"""What a position is worth, and what each move of a game cost: hints and reviews."""

from number_duels.review.game import Grade, Review, Tally, review, totals
from number_duels.review.position import Option, Position, examine, position_of

__all__ = [
    "Grade",
    "Option",
    "Position",
    "Review",
    "Tally",
    "examine",
    "position_of",
    "review",
    "totals",
]
