"""Types shared by the kernel for Number Stack Showdown and its compiled parts."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]
Starts: TypeAlias = NDArray[np.uint32]
Values: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float64]
Choices: TypeAlias = NDArray[np.uint16]


class Deck(NamedTuple):
    """The settings of the game, and the base and place value of each card's digit."""

    target: int
    copies: int
    overflow: bool
    digits: Integers
    places: Integers


class SolvedDeck(NamedTuple):
    """A deck, the index of each set's first split, and the value of every split."""

    deck: Deck
    starts: Starts
    values: Values


class Draw(NamedTuple):
    """A drawn card. Its weight is the number of copies left, or its probability."""

    total: int
    first_moves: bool
    card: int
    weight: float
