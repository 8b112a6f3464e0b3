"""Advice in sentences: what to do and why; and the pieces of a table of options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from number_duels.core.game import Seat
from number_duels.review.position import TOLERANCE, Option, Position
from number_duels.review.words import (
    HALF,
    brings,
    chance,
    either,
    kept,
    mixture,
)

BAR_WIDTH = 12
#: How many fixed choices are named to show why to mix.
MAX_FIXED = 3
#: How many equally good moves are named.
MAX_NAMED = 12
EIGHTHS = " ▏▎▍▌▋▊▉█"


def advice(position: Position, seat: Seat, viewer: Seat | None = None) -> Iterator[str]:
    """What a seat should do, in a sentence or two."""
    options = position.options[seat]
    whose = "Your" if viewer is seat else f"{seat}'s"
    other = "your opponent" if viewer is seat else str(seat.other)
    best = options[0]
    keeps = kept(best.value, best.chances)
    if len(options) == 1:
        yield f"{whose} only move is {best.words}."
    elif len(safe_options(options)) == len(options):
        said = "loses" if keeps == "the loss" else f"keeps {keeps}"
        yield f"{whose} moves are all equally good: every move {said}."
        yield from preferred(position, options, other)
    elif safe := safe_options(options):
        verb = brings(best.value, best.chances)
        if len(position.options) == 2:
            verb = f"keeps {keeps}, whatever {other} does"
        if len(safe) == 1:
            yield f"{whose} best move is {safe[0].words}: it {verb}."
        else:
            yield f"{whose} best moves are equally good, {either(words_of(safe))}: each {verb}."
            yield from preferred(position, safe, other)
    else:
        yield f"{whose} best is to choose by chance: {mixture(options)}."
        yield why_mix(options, draws="draw" in keeps)


def preferred(position: Position, options: Sequence[Option], other: str) -> Iterator[str]:
    """Which of equally good options perfect play chooses, if it is one, and why."""
    likely = max(options, key=lambda option: option.probability)
    if likely.probability > 1 - TOLERANCE:
        why = f"{other} goes wrong most easily after it"
        if len(position.options) == 2:
            why = f"it gains most if {other} goes wrong"
        yield f"Perfect play chooses {likely.words}: {why}."


def words_of(options: Sequence[Option]) -> list[str]:
    return [option.words for option in options]


def safe_options(options: Sequence[Option]) -> list[Option]:
    """The options that keep the value whatever the other seat does, perfect play's first."""
    top = max(option.value for option in options)
    safe = [option for option in options if option.guarantee >= top - TOLERANCE]
    return sorted(safe, key=lambda option: -option.probability)


def why_mix(options: Sequence[Option], *, draws: bool) -> str:
    """What a choice that never changes would leave against somebody who expects it."""
    played = [option for option in options if option.probability > 0]
    fixed = sorted(played, key=lambda option: -option.guarantee)
    listed = ", ".join(f"always {o.words}: {chance(o.guarantee)}" for o in fixed[:MAX_FIXED])
    half = f"; {HALF}" if draws else ""
    left = f"a winning chance of at most {chance(fixed[0].guarantee)} ({listed}{half})"
    if fixed[0].guarantee < TOLERANCE - 1:
        left = "no winning chance"
    return (
        f"Always the same choice can be expected, and the best reply to it leaves {left};"
        " what chance decides nobody can expect."
    )


# ---- the table of options ------------------------------------------------------


def is_mixed(options: Sequence[Option]) -> bool:
    """Whether perfect play chooses among several by chance."""
    return any(TOLERANCE < option.probability < 1 - TOLERANCE for option in options)


def named(words: Sequence[str]) -> str:
    """The moves of a line; many are counted."""
    more = len(words) - MAX_NAMED
    return ", ".join(words[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def bar(share: float, width: int = BAR_WIDTH) -> str:
    """A share between 0 and 1 as a bar of blocks; only a whole is full."""
    most = width * 8 - (share < 1 - TOLERANCE)
    eighths = min(most, round(max(0.0, min(1.0, share)) * width * 8))
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + (EIGHTHS[rest] if rest else "")).ljust(width, "·")
