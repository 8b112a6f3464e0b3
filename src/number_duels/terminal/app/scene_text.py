"""Draw a scene's hints and tables as lines of text beside a board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from number_duels.core.scene import Scene, Table
from number_duels.review.words import bar
from number_duels.sessions.scene_tables import mix_line, worded
from number_duels.terminal.line.console import breadth, fold

SHORT_BAR = 8
#: The least widths for a bar beside an option's figures, and for its text beside them.
BAR_WIDTH, ROOMY_WIDTH = 36, 54


def hint_lines(steps: Sequence[Scene], width: int) -> Iterator[Content]:
    last = steps[-1]
    more = last.actions[0].label if last.actions else "Close the hint"
    yield Content.assemble(
        (steps[0].title, "bold $accent"), "   ", ("h", "bold $accent"), (f"  {more}", "$faint")
    )
    for step in steps:
        yield from step_lines(step, width)


def step_lines(step: Scene, width: int) -> Iterator[Content]:
    if step.detail:
        yield from (Content.styled(part, "bold") for part in fold(step.detail, width))
    for line in step.lines:
        yield Content("")
        yield from map(Content, fold(line, width))
    for table in step.tables:
        if table.kind == "mixed":
            yield Content("")
            yield from map(Content, fold(mix_line(table), width))
        if table.kind == "options":
            yield Content("")
            yield from option_lines(table, width)
    for note in step.notes:
        yield from (Content.styled(part, "$faint") for part in fold(note, width))


def option_lines(table: Table, width: int) -> Iterator[Content]:
    has_bar = width >= BAR_WIDTH
    title, heads = table.title.capitalize(), "  ".join(table.columns)
    # Without a title, there is room for "winning chance" above the bar and its figure.
    above = f"{title:{SHORT_BAR}}  " if title else f"{'winning ':>{SHORT_BAR + 2}}"
    bare = f"{heads}  {title}" if title else f"winning {heads}"
    yield Content.styled(f"{above}{heads}" if has_bar else bare, "$faint")
    for rows, words in worded(table):
        row = rows[0]
        cells = zip(row.cells, table.columns, strict=True)
        figures = "  ".join(f"{text:>{len(column)}}" for text, column in cells)
        style = "$error" if row.good is False else "$success"
        drawn = (f"{bar(row.share, SHORT_BAR)}  " if has_bar else "", style)
        indent = len(drawn[0]) + len(figures) + 2
        if width >= max(ROOMY_WIDTH, indent + 20) or indent + breadth(words) <= width:
            first, *rest = fold(words, width - indent)
            yield Content.assemble(drawn, figures, f"  {first}")
        else:
            indent, rest = 2, fold(words, width - 2)
            yield Content.assemble(drawn, figures)
        yield from (Content(" " * indent + part) for part in rest)
