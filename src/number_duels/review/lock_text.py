"""What locks change in a position, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from number_duels.core.game import Seat
from number_duels.review.locks import LockedOption, LockedPosition, to
from number_duels.review.text import figure, named
from number_duels.review.words import either, percent
from number_duels.solvers.locks import NEVER, PLAYS, Lock


def lock_lines(position: LockedPosition, here: str) -> Iterator[str]:
    """What the locks are and what they change; `here` has the moves so far."""
    yield f"Locked: {'; '.join(lock_words(lock, here) for lock in position.locks)}."
    for seat in position.replies:
        yield reply_sentence(position, seat)
    yield adjusted_sentence(position)
    for seat, options in position.options.items():
        yield ""
        yield f"{seat}'s moves with the locks"
        yield from option_rows(options)
    if position.options:
        yield ""
        yield from column_notes(position)


def lock_words(lock: Lock, here: str) -> str:
    """A lock in words.

    >>> lock_words(Lock.parse("2 never 9 10"), here="")
    'Player 2 never plays 9 or 10'
    >>> lock_words(Lock.parse("1 plays 6:1 8:3 at 7/6"), here="")
    'Player 1 plays 6 (25%), 8 (75%) after 7/6'
    """
    verb = f"{lock.rule} plays"
    said = either(lock.moves, most=len(lock.moves)) if lock.rule == NEVER else lock.moves[0]
    if lock.rule == PLAYS:
        verb, total = "plays", sum(lock.weights)
        shares = (percent(weight / total) for weight in lock.weights)
        said = ", ".join(f"{m} ({s})" for m, s in zip(lock.moves, shares, strict=True))
    where = f" after {lock.at}" if lock.at else " at the start"
    if lock.at is None or lock.at == here:
        where = "" if lock.at is None else " here"
    return f"{lock.seat} {verb} {said}{where}"


def reply_sentence(position: LockedPosition, seat: Seat) -> str:
    """What the best reply of a seat to the other's locked play gains."""
    gain, value = position.gain(seat), figure(to(seat, position.replies[seat])).strip()
    before = figure(to(seat, position.free)).strip()
    changes = f"{value} instead of {before}, a gain of {gain:.3f}" if gain else f"{value}, no gain"
    best = position.options[seat][0].words if seat in position.options else ""
    reply = f"{seat}'s best reply" + (f", {best}," if best else "")
    return f"If {seat.other} plays everything else as before, {reply} brings {changes}."


def adjusted_sentence(position: LockedPosition) -> str:
    """What the locks cost whoever is locked, if it makes the best of it."""
    locked = sorted({lock.seat for lock in position.locks})
    makes = "make" if len(locked) > 1 else "makes"
    seat, cost = locked[0], position.cost(locked[0])
    value, before = (figure(to(seat, v)).strip() for v in (position.adjusted, position.free))
    changes = f"{value}, which costs nothing"
    if cost:
        changes = f"{value} instead of {before}, a {'cost' if cost > 0 else 'gain'}"
        changes += f" of {abs(cost):.3f}"
    return f"If {' and '.join(map(str, locked))} {makes} the best of it, {seat} has {changes}."


def option_rows(options: tuple[LockedOption, ...]) -> Iterator[str]:
    """The options as a table, those of equal worth in one line."""
    first = options[0]
    heads = ["   free"]
    heads += ["  reply"] if first.reply is not None else []
    heads += ["plays"] if first.played is not None else []
    yield "  " + "  ".join([*heads, "adjusted", "often"])
    # What reads the same is told in one line.
    for (cells, locked), equal in groupby(options, key=lambda o: (option_cells(o), o.locked)):
        said = named([option.words for option in equal])
        yield "  " + "  ".join([*cells, f"{said} (locked)" if locked else said])


def option_cells(option: LockedOption) -> tuple[str, ...]:
    cells = [f"{figure(option.free):>7}"]
    cells += [f"{figure(option.reply):>7}"] if option.reply is not None else []
    cells += [often(option.played)] if option.played is not None else []
    return *cells, f"{figure(option.adjusted):>8}", often(option.probability)


def often(share: float) -> str:
    return f"{percent(share) if share else '-':>5}"


def column_notes(position: LockedPosition) -> Iterator[str]:
    """What the columns mean: +1 is a sure win, 0 is even, -1 a sure loss."""
    options = [several[0] for several in position.options.values()]
    yield "  free: what it is worth without locks; +1 is a sure win, 0 is even, -1 a sure loss."
    if any(option.reply is not None for option in options):
        yield "  reply: what it is worth if the other plays everything else as before."
    if any(option.played is not None for option in options):
        yield "  plays: how often it is played with everything else as before."
    yield "  adjusted, often: its worth and how often it is played if both make the best of it."
