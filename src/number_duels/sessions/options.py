"""What every option of a position is worth, as tables; and the scene of a hint."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from number_duels.core.game import Seat
from number_duels.core.names import SEAT_NAMES, Names
from number_duels.core.record import with_names
from number_duels.core.scene import TOLD, Row, Scene, Table
from number_duels.review.position import (
    TOLERANCE,
    Option,
    Position,
)
from number_duels.review.text import advice, is_mixed
from number_duels.review.words import SCALE, brings, capital, chance, percent, verdict

#: A word that names a kind of move.
FIRST_WORD = re.compile(r"[^\W\d_]+ ")
#: The figures of an option as they are read.
FIGURES: Mapping[str, Callable[[Option], str]] = {
    "chance": lambda option: chance(option.value),
    "often": lambda option: percent(option.probability) if option.probability else "-",
    "if expected": lambda option: chance(option.guarantee),
}
#: What they mean.
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
        TOLD,
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
    """What to choose by chance, if anything, and every option.

    A viewer is spoken to as "you". A key is what a face sends back for a move.
    """
    options, columns = position.options[seat], ["chance"]
    if is_mixed(options):
        columns.append("often")
        yield mixture_table([o for o in options if o.probability > TOLERANCE], seat)
    if len(position.options) == 2:
        columns.append("if expected")
    rows = tuple(
        replace(row, key=key(row.key), seat=seat, here=row.key == picked)
        for row in option_rows(options, columns)
    )
    title = names[seat] if len(position.options) == 2 and viewer is None else ""
    sentences = tuple(with_names(line, names) for line in advice(position, seat, viewer))
    head = capital(shared_word(options).strip()) or "Move"
    yield Table(rows, tuple(columns), title, sentences, head=head)


def option_rows(options: Sequence[Option], columns: Sequence[str]) -> Iterator[Row]:
    """List the options with their figures; equal figures stand together, the best ones apart.

    The key of a row is its move, in notation.
    """
    top, first = max(option.value for option in options), shared_word(options)
    groups: dict[tuple[bool, tuple[str, ...], str], list[Option]] = {}
    for option in options:
        cells = tuple(FIGURES[column](option) for column in columns)
        reads = option.value > top - TOLERANCE, cells, brings(option.value, option.chances)
        groups.setdefault(reads, []).append(option)
    worse = any(not good for good, _, _ in groups)
    for (good, cells, said), equal in groups.items():
        for option in equal:
            yield Row(
                option.words,
                cells,
                share_of(option.value),
                good if worse else None,
                key=option.move,
                short=capital(option.words[len(first) :]),
                said=said,
                same=option is not equal[0],
            )


def mixture_table(played: Sequence[Option], seat: Seat) -> Table:
    """How often perfect play chooses what, in the order in which people count."""
    first = len(shared_word(played))
    rows = tuple(
        Row(o.words, (percent(o.probability),), o.probability, seat=seat, short=o.words[first:])
        for o in sorted(played, key=natural_order)
    )
    return Table(rows, ("often",), "How often perfect play chooses what", kind="mixture")


def share_of(value: float) -> float:
    """How much of a bar a value between -1 and 1 fills."""
    return min(1.0, max(0.0, (1 + value) / 2))


def shared_word(options: Sequence[Option]) -> str:
    """The word that the words of all options begin with, and a space; empty where there is none."""
    found = FIRST_WORD.match(options[0].words)
    first = found[0] if found else ""
    return first if all(option.words.startswith(first) for option in options) else ""


def natural_order(option: Option) -> list[tuple[int, str]]:
    """The order in which people count: 9 before 10."""
    return [
        (len(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", option.words)
    ]


def column_notes(tables: Sequence[Table]) -> tuple[str, ...]:
    """What the columns of some tables mean."""
    shown = {column for table in tables if table.kind == "options" for column in table.columns}
    return tuple(text for column, text in MEANINGS.items() if column in shown)
