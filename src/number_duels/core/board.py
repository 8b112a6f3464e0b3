"""The parts of a board, such as grids and cards, which any front end can draw.

>>> left = Numbers("Numbers", None, (1, 2, 3), left=(1, 3))
>>> board = (Meter("Life", 0, 8, full=10), left, Cards("Cards", 1, ("?",)))
>>> list(in_words(board))
['Player 1 Life: 8', 'Numbers: 1 3', 'Player 2 Cards: ?']
>>> list(in_words((Grid("Grid", 0, ((1, 2), (None, 4))),)))
['Player 1 Grid:', '[1][2]', '[ ][4]']
>>> Places(board, seat=0).of(Place("Numbers", None, 3))
(1, 2)
>>> list(in_words((Fact("Round", None, "2 of 5"), Fact("A tie earns", 0, "nothing"))))
['Round: 2 of 5', 'Player 1: A tie earns nothing']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, product, zip_longest
from typing import TypeAlias

__all__ = [
    "Numbers",
    "Grid",
    "Meter",
    "Cards",
    "Fact",
    "Part",
    "Owner",
    "Place",
    "Places",
    "in_words",
    "changed",
    "draw_bar",
    "score",
]

#: A seat's number (0 or 1), or None for a part that both share.
Owner: TypeAlias = int | None


@dataclass(frozen=True)
class _Labeled:
    label: str
    owner: Owner


@dataclass(frozen=True)
class Numbers(_Labeled):
    """A pool or a hand of numbers, some of which may be used up."""

    #: All numbers.
    numbers: tuple[int, ...]
    #: The numbers that are left.
    left: tuple[int, ...]


@dataclass(frozen=True)
class Grid(_Labeled):
    """Numbers in rows. An empty cell is None."""

    #: The cells, row by row.
    rows: tuple[tuple[int | None, ...], ...]


@dataclass(frozen=True)
class Meter(_Labeled):
    """A number that changes: a score, a life total, or a stack total with its target."""

    #: The current value.
    value: int
    #: The value of a full meter, or None if there is no limit.
    full: int | None = None
    #: The value at the end of its bar if it may rise above `full`, otherwise None.
    most: int | None = None


@dataclass(frozen=True)
class Cards(_Labeled):
    """Cards in a row. A card that is face down is "?"."""

    #: The text of each card.
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Fact(_Labeled):
    """A short text about the game, such as the round. It is never part of a move."""

    text: str


Part: TypeAlias = Numbers | Grid | Meter | Cards | Fact


@dataclass(frozen=True)
class Place:
    """A part of a board, or one number in that part."""

    #: The label of the part.
    label: str
    #: The owner of the part: 0, 1, or None for both.
    owner: Owner
    #: A number that the part shows, or None for the whole part.
    number: int | None = None


class Places:
    """A lookup table for positions on a board.

    A position is a pair: the index of a part, and the index of a number in that part. The second
    index is None for a whole part.

    >>> board = (Meter("Life", 0, 8), Numbers("Numbers", None, (1, 2, 3), (1, 3)))
    >>> places = Places(board, seat=0)
    >>> places.of_number("3"), places.of_number("2"), places.of(Place("Life", 0))
    ((1, 2), None, (0, None))
    """

    def __init__(self, parts: Sequence[Part], seat: int) -> None:
        self._board = parts
        self._numbers: dict[int, dict[str, int]] = {}
        self._parts = {(part.label, part.owner): index for index, part in enumerate(parts)}
        self._reach: dict[str, tuple[int, int]] = {}
        for owner in (None, seat):  # the seat's own numbers overwrite shared ones
            for index, part in enumerate(parts):
                if part.owner == owner:
                    for text, place in _shown(part):
                        self._reach[text] = index, place

    def of_number(self, text: str) -> tuple[int, int] | None:
        """Return the position of a number on the seat's own or shared parts, or None.

        If several parts show the number, prefer the seat's own.
        """
        return self._reach.get(text)

    def of(self, place: Place) -> tuple[int, int | None] | None:
        """Return the position of a `Place`, or None if this board does not show it."""
        index = self._parts.get((place.label, place.owner))
        if index is None or place.number is None:
            return None if index is None else (index, None)
        if index not in self._numbers:
            self._numbers[index] = dict(_shown(self._board[index]))
        found = self._numbers[index].get(str(place.number))
        return None if found is None else (index, found)


def _shown(part: Part) -> Iterator[tuple[str, int]]:
    match part:
        case Numbers():
            left = set(part.left)
            yield from ((str(n), place) for place, n in enumerate(part.numbers) if n in left)
        case Grid():
            cells = enumerate(chain(*part.rows))
            yield from ((str(n), place) for place, n in cells if n is not None)
        case Cards():
            yield from ((card, place) for place, card in enumerate(part.cards))


def score(parts: Sequence[Part]) -> tuple[str, tuple[int, int]] | None:
    """Return the score's label and both players' points, or None if the game has no score.

    A score is a pair of meters without a limit, one per player.

    >>> score((Meter("Score", 0, 8), Meter("Score", 1, 3)))
    ('Score', (8, 3))
    >>> score((Meter("Life", 0, 8, full=10), Meter("Life", 1, -1, full=10)))
    """
    points = [part for part in parts if isinstance(part, Meter) and part.full is None]
    for one, two in product(points, repeat=2):
        if (one.owner, two.owner) == (0, 1) and one.label == two.label:
            return one.label, (one.value, two.value)
    return None


def gainer(before: Sequence[Part], after: Sequence[Part]) -> int | None:
    """Return 1 or 2 for the player who gained more points, or None if neither did.

    >>> mine, theirs = Meter("Score", 0, 0), Meter("Score", 1, 0)
    >>> gainer((mine, theirs), (mine, Meter("Score", 1, 2)))
    2
    """
    old, new = score(before), score(after)
    if old is None or new is None:
        return None
    one, two = (now - was for was, now in zip(old[1], new[1], strict=True))
    return None if one == two else 1 if one > two else 2


def draw_bar(part: Meter, cells: int) -> tuple[str, str]:
    """Return the filled and the empty part of a meter's bar, with a tick at `full`.

    The scale never changes during a game, so a bar shrinks only if its value does. There is no
    tick if the bar ends at `full`. A value above the end fills the bar.

    >>> [draw_bar(Meter("Total", 0, value, full=10), 10) for value in (-1, 4, 14)]
    [('', '░░░░░░░░░░'), ('████', '░░░░░░'), ('██████████', '')]
    >>> [draw_bar(Meter("Life", 0, value, full=10, most=20), 11) for value in (4, 10, 14)]
    [('██', '░░░│░░░░░'), ('█████', '│░░░░░'), ('█████│██', '░░░')]
    """
    full = max(1, part.full or 1)
    end = max(full, part.most or 0)
    room = cells - (end > full)
    room -= bool(room * full % end) * (end > full)  # the tick is exact
    drawn = room * max(0, min(part.value, end)) // end
    bar, tick = "█" * drawn + "░" * (room - drawn), room * full // end
    if end > full:
        bar = f"{bar[:tick]}│{bar[tick:]}"
    split = drawn + (drawn > tick and end > full)
    return bar[:split], bar[split:]


def in_words(parts: tuple[Part, ...]) -> Iterator[str]:
    """Yield lines of text that describe a board.

    >>> list(in_words((Meter("Life", 0, 8, 10), Numbers("Numbers", None, (1, 2, 3), (1, 3)))))
    ['Player 1 Life: 8', 'Numbers: 1 3']
    """
    for part in parts:
        whose = "" if part.owner is None else f"Player {part.owner + 1} "
        match part:
            case Meter():
                yield f"{whose}{part.label}: {part.value}"
            case Fact(owner=None):
                yield f"{part.label}: {part.text}"
            case Fact():
                yield f"{whose.strip()}: {part.label} {part.text}"
            case Numbers():
                yield f"{whose}{part.label}: {' '.join(map(str, part.left)) or 'None'}"
            case Cards():
                yield f"{whose}{part.label}: {' '.join(part.cards) or 'None'}"
            case Grid():
                yield f"{whose}{part.label}:"
                for row in part.rows:
                    yield "".join(f"[{' ' if n is None else n}]" for n in row)


def changed(before: Sequence[Part], after: Sequence[Part]) -> dict[Part, frozenset[int]]:
    """Return each part that changed, with the indexes of its changed numbers, cells or cards.

    Indexes start at 0, in reading order. A changed meter has no indexes. Facts are ignored.

    >>> old, new = (Numbers("Pool", None, (1, 2, 3), left) for left in ((1, 2, 3), (1,)))
    >>> list(changed([old], [new]).values()) == [{1, 2}]
    True
    """
    earlier = {(part.label, part.owner): part for part in before}
    marks: dict[Part, frozenset[int]] = {}
    for part in after:
        old = earlier.get((part.label, part.owner))
        if part != old and not isinstance(part, Fact):
            marks[part] = frozenset(_places(old, part))
    return marks


def _places(old: Part | None, new: Part) -> Iterator[int]:
    match old, new:
        case Numbers(), Numbers():
            went = set(old.left) ^ set(new.left)
            yield from (place for place, n in enumerate(new.numbers) if n in went)
        case Grid(), Grid():
            pairs = zip(chain(*old.rows), chain(*new.rows), strict=False)
            yield from (place for place, (a, b) in enumerate(pairs) if a != b)
        case _, Cards():
            known = old.cards if isinstance(old, Cards) else ()
            pairs_of_cards = zip_longest(known, new.cards)
            yield from (place for place, (a, b) in enumerate(pairs_of_cards) if a != b and b)
