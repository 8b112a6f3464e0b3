"""One counter a game, written from its document alone, without the package.

Each gives the number of positions at which play goes on and at which it is over.
Numbers that are left are the bits of an integer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Position = tuple[int, ...]
Step = Callable[[Position], Iterable[Position] | None]


def flood(start: Position, step: Step) -> tuple[int, int]:
    """Count what can be reached; `step` gives None at an end."""
    seen, waiting, ends = {start}, [start], 0
    while waiting:
        following = step(waiting.pop())
        if following is None:
            ends += 1
            continue
        for position in following:
            if position not in seen:
                seen.add(position)
                waiting.append(position)
    return len(seen) - ends, ends


def bits(left: int) -> list[int]:
    """The numbers that are left."""
    return [n for n in range(1, left.bit_length() + 1) if left >> (n - 1) & 1]


def full(numbers: int) -> int:
    """All the numbers from 1."""
    return (1 << numbers) - 1


def gone(left: int, *numbers: int) -> int:
    """What is left without some numbers."""
    for n in numbers:
        left &= ~(1 << (n - 1))
    return left


def number_bid(numbers: int = 10) -> tuple[int, int]:
    """The pool, and how far Player 1 leads."""

    def step(position: Position) -> Iterable[Position] | None:
        pool, lead = position
        if not pool:
            return None
        return [
            (gone(pool, a, b), lead + (a + b) * ((a > b) - (a < b)))
            for a in bits(pool)
            for b in bits(pool)
        ]

    return flood((full(numbers), 0), step)


def high_low_battle(
    cards: int = 9, rounds: int = 5, *, sudden_death: bool = True
) -> tuple[int, int]:
    """Both hands, how far Player 1 leads, and who was lower when cards last differed (0: never)."""

    def step(position: Position) -> Iterable[Position] | None:
        mine, theirs, lead, lower = position
        played = cards - mine.bit_count()
        if played >= rounds and (lead or not sudden_death or not mine):
            return None
        return [
            (gone(mine, a), gone(theirs, b), lead + 2 * lower, lower)
            if a == b
            else (gone(mine, a), gone(theirs, b), lead + (1 if a > b else -1), -1 if a > b else 1)
            for a in bits(mine)
            for b in bits(theirs)
        ]

    return flood((full(cards), full(cards), 0, 0), step)


def number_knot(life: int = 10, numbers: int = 9) -> tuple[int, int]:
    """The line, the life of who moves and of who waits, and who moves."""

    def step(position: Position) -> Iterable[Position] | None:
        line, own, other, mover = position
        if own <= 0 or other <= 0 or not line:
            return None
        adding = [(gone(line, n), other, own + n, 1 - mover) for n in bits(line)]
        return adding + [(gone(line, n), other - n, own, 1 - mover) for n in bits(line)]

    return flood((full(numbers), life, life, 0), step)


def number_drop(side: int = 3, own: int = 0, other: int = 0) -> tuple[int, int]:
    """The grid of who moves and of who waits (0: a full one), and who moves."""

    def step(position: Position) -> Iterable[Position] | None:
        own, other, mover = position
        if not own or not other:
            return None
        left = bits(own)
        if len(left) == 1:
            return [(gone(other, left[0]), 0, 1 - mover)]
        return [
            (gone(other, result), gone(own, a, b), 1 - mover)
            for a in left
            for b in left
            if a < b
            for result in (a + b, b - a)
        ]

    return flood((own or full(side**2), other or full(side**2), 0), step)
