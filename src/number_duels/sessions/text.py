"""Positions and tables of a scene as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from number_duels.core.scene import Row, Scene, Table
from number_duels.review.text import BAR_WIDTH, bar, named


def scene_lines(scene: Scene) -> Iterator[str]:
    """How good a position is, what to do, and what every option is worth."""
    yield scene.detail
    for table in scene.tables:
        if table.kind == "options":
            yield ""
            yield from table_lines(table)
    if scene.notes:
        yield ""
        yield from (f"  {note}" for note in scene.notes)


def table_lines(table: Table) -> Iterator[str]:
    """A table; figures that are read as a bar have one."""
    yield from table.sentences
    if table.kind == "series":  # what was chosen how often: figures alone
        you, between, perfect = table.columns
        yield f"   {you}  {between:14}  {perfect}"
        for row in table.rows:
            you, between, perfect = row.cells
            yield f"  {you:>4}  {between:14}  {perfect:>7}  {row.words}"
        return
    title = "" if table.sentences else table.title
    yield "  " + "  ".join([f"{title:{BAR_WIDTH}}", *table.columns])
    for rows in table.folded():
        figures = zip(rows[0].cells, table.columns, strict=True)
        cells = (f"{cell:>{len(column)}}" for cell, column in figures)
        yield "  " + "  ".join([bar(rows[0].share), *cells, words_of(rows)])


def words_of(rows: tuple[Row, ...]) -> str:
    """What lines that read the same are about, and what each brings."""
    said = named([row.words for row in rows])
    return f"{said}: {rows[0].said}" if rows[0].said else said
