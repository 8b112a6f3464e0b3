"""What every option of a position is worth, as tables; and the scene of a hint."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from number_duels.core.game import Seat
from number_duels.core.record import with_names
from number_duels.core.scene import Row, Scene, Table
from number_duels.review.position import (
    TOLERANCE,
    Option,
    Position,
)
from number_duels.review.text import advice, is_mixed
from number_duels.review.words import SCALE, brings, capital, chance, percent, verdict

Names = tuple[str, str]
SEAT_NAMES = (str(Seat.ONE), str(Seat.TWO))
#: A word that names a kind of move.
FIRST_WORD = re.compile(r"[^\W\d_]+ ")
#: What the figures of a table mean.
MEANINGS = {
    "chance": f"chance: the winning chance; {SCALE}.",
    "often": "often: how often perfect play chooses it.",
    "if expected": "if expected: the winning chance against the best reply to it.",
}


def hint_scene(position: Position, seat: Seat | None, names: Names = SEAT_NAMES) -> Scene:
    """What a position is worth to a seat and what to do, in words first."""
    tables: tuple[Table, ...] = ()
    if seat is not None and seat in position.options:
        tables = tuple(option_tables(position, seat, viewer=seat))
    return Scene(
        "told",
        "Hint",
        detail=with_names(verdict(position.value, seat, position.chances), names),
        you=seat,
        tables=tables,
        notes=column_notes(tables),
    )


def option_tables(
    position: Position,
    seat: Seat,
    names: Names = SEAT_NAMES,
    *,
    viewer: Seat | None = None,
    key: Callable[[str], str] = lambda _: "",
    picked: str = "",
) -> Iterator[Table]:
    """What to choose by chance, if anything, and every option; equally good ones side by side.

    A viewer is spoken to as "you". A key is what a face sends back for a move.
    """
    options, both = position.options[seat], len(position.options) == 2
    mixes, top = is_mixed(options), position.best(seat)
    first = shared_word([option.words for option in options])

    def short(option: Option) -> str:
        return capital(option.words[len(first) :])

    # What reads the same is in one group, but the best options stand apart.
    groups: dict[tuple[bool, tuple[str, ...], str], list[Option]] = {}
    for option in options:
        often = percent(option.probability) if option.probability else "-"
        cells = [chance(option.value), *([often] if mixes else [])]
        cells += [chance(option.guarantee)] if both else []
        said = brings(option.value, option.chances)
        groups.setdefault((option.value > top - TOLERANCE, (*cells,), said), []).append(option)
    worse = any(not good for good, _, _ in groups)
    rows = [
        Row(
            option.words,
            cells,
            share_of(option.value),
            good if worse else None,
            key=key(option.move),
            seat=seat,
            here=option.move == picked,
            short=short(option),
            said=said,
            same=option is not equal[0],
        )
        for (good, cells, said), equal in groups.items()
        for option in equal
    ]
    if mixes:
        played = sorted((o for o in options if o.probability > TOLERANCE), key=natural_order)
        areas = [
            Row(o.words, (percent(o.probability),), o.probability, seat=seat, short=short(o))
            for o in played
        ]
        title = "How often perfect play chooses what"
        yield Table((*areas,), ("often",), title, kind="mixture")
    columns = ("chance", *(["often"] if mixes else []), *(["if expected"] if both else []))
    said_first = tuple(with_names(line, names) for line in advice(position, seat, viewer))
    title = names[seat] if both and viewer is None else ""
    yield Table((*rows,), columns, title, said_first, head=capital(first.strip()) or "Move")


def share_of(value: float) -> float:
    """How much of a bar a value between -1 and 1 fills."""
    return min(1.0, max(0.0, (1 + value) / 2))


def shared_word(words: Sequence[str]) -> str:
    """The word that all begin with, and a space; empty where there is none.

    >>> shared_word(["bid 7", "bid 10"]), shared_word(["add 3", "subtract 3"])
    ('bid ', '')
    """
    found = FIRST_WORD.match(words[0])
    first = found[0] if found else ""
    return first if all(one.startswith(first) for one in words) else ""


def natural_order(option: Option) -> list[tuple[int, str]]:
    """The order in which people count: 9 before 10."""
    return [
        (len(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", option.words)
    ]


def column_notes(tables: Sequence[Table]) -> tuple[str, ...]:
    """What the columns of some tables mean."""
    shown = {column for table in tables if table.kind == "options" for column in table.columns}
    return tuple(text for column, text in MEANINGS.items() if column in shown)
