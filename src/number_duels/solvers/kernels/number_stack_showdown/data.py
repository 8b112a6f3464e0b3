"""What the kernel of Number Stack Showdown and its compiled parts hand to each other."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

#: What a value of 1 is written as.
VALUE_SCALE = 2**31 - 1

Integers: TypeAlias = NDArray[np.int64]
Starts: TypeAlias = NDArray[np.uint32]
Values: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float64]
Choices: TypeAlias = NDArray[np.uint16]


class Deck(NamedTuple):
    """The settings, and how sets of cards are numbered."""

    target: int
    copies: int
    overflow: bool
    digits: Integers
    places: Integers


class SolvedDeck(NamedTuple):
    """A deck, where the splits of each set of cards begin, and the value of every split."""

    deck: Deck
    starts: Starts
    values: Values


class Draw(NamedTuple):
    """A card is drawn: what lies on both stacks, whose turn it is, and what the card counts.

    Its weight is how many of it are left in the deck, or how likely it is.
    """

    total: int
    first_moves: bool
    card: int
    weight: float
