"""What a learner answers: a move, or how often to choose what."""

from __future__ import annotations

import math
import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from number_duels.core.text import listed, printable
from number_duels.trainer.spot import OpenSpot

MOVE, MIXTURE = FORMS = ("move", "mixture")
WEIGHT = re.compile(r"\d{1,9}(\.\d{1,9})?%?")


@dataclass(frozen=True)
class Answer:
    """How often each move is chosen, by its notation; a single move is chosen always.

    >>> Answer({"6": 0.5, "8": 0.5}).text, Answer({"10": 1.0}).text
    ('6:50 8:50', '10')
    """

    #: How often each move is chosen; the sum is 1.
    weights: Mapping[str, float]

    @property
    def move(self) -> str | None:
        """The move that is chosen always; None for a mixture."""
        return next(iter(self.weights)) if len(self.weights) == 1 else None

    @property
    def text(self) -> str:
        """The answer as it is typed."""
        return self.move or " ".join(f"{m}:{100 * w:.3g}" for m, w in self.weights.items())


def read_answer(spot: OpenSpot, text: str, form: str) -> Answer:
    """An answer as it was typed; a ValueError says what would have been right.

    >>> from number_duels.core.game import Seat
    >>> from number_duels.trainer.spot import Spot
    >>> spot = Spot("number-bid", {"numbers": 10}, None, "", Seat.ONE).open()
    >>> read_answer(spot, "9:1, 10:3", "mixture").weights
    {'9': 0.25, '10': 0.75}
    """
    if form == MIXTURE and ":" in text:
        return Answer(read_mixture(spot, text))
    return Answer({str(read_move(spot, text)): 1.0})


def read_move(spot: OpenSpot, text: str) -> Hashable:
    move = spot.game.parse(text)
    if move not in spot.options:
        raise ValueError(f"{move} is not available; choose {listed(list(map(str, spot.options)))}.")
    return move


def read_mixture(spot: OpenSpot, text: str) -> dict[str, float]:
    """The shares of a mixture, in the order of the options; weights need not add up to 100."""
    found: dict[Hashable, float] = {}
    for part in re.sub(r"\s*:\s*", ":", text).replace(",", " ").split():
        named, _, weight = part.rpartition(":")
        if not WEIGHT.fullmatch(weight) or not named:
            example = " ".join(f"{move}:50" for move in spot.options[:2])
            raise ValueError(
                f"{printable(part)!r} is no part of a mixture; write each choice with how often: "
                f"{example}."
            )
        move = read_move(spot, named)
        if move in found:
            raise ValueError(f"{move} is there twice; name each choice once.")
        found[move] = float(weight.rstrip("%"))
    total = math.fsum(found.values())
    if not total:
        raise ValueError("All of it is nothing; give at least one choice a weight.")
    return {str(move): found[move] / total for move in spot.options if found.get(move)}
