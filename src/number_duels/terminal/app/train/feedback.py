"""What stands beside the board of the trainer: what is asked, and what an answer was worth."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from number_duels.core.scene import Scene, Table
from number_duels.review.words import bar
from number_duels.sessions.tables import table_lines, words_of
from number_duels.terminal.ui.text_width import fold

SHORT_BAR = 8
#: From this width on an option's words stand beside its figures.
ROOMY_WIDTH = 60


def scene_content(scene: Scene, width: int) -> Content:
    """What is asked and how the game came here; or what the answer was worth."""
    shown = verdict_lines(scene, width) if scene.verdict else asked_lines(scene, width)
    return Content("\n").join(shown)


def asked_lines(scene: Scene, width: int) -> Iterator[Content]:
    yield from (Content.styled(part, "bold") for part in fold(scene.prompt, width))
    yield Content("")
    yield from (Content.styled(part, "$faint") for part in fold(scene.path, width))


def verdict_lines(scene: Scene, width: int) -> Iterator[Content]:
    """Why an answer was right or wrong, every option, and the series so far."""
    assert scene.verdict
    for sentence in scene.verdict.sentences:
        yield from map(Content, fold(sentence, width))
    for table in scene.tables:
        yield Content("")
        if table.kind == "series":
            for line in table_lines(table):
                yield from map(Content, fold(line, width))
        else:
            yield from option_lines(table, width)


def option_lines(table: Table, width: int) -> Iterator[Content]:
    """The good options, or the bad ones."""
    heads = [f"{table.title.capitalize():{SHORT_BAR}}", *table.columns]
    yield Content.styled("  ".join(heads), "$faint")
    for rows in table.folded():
        row, words = rows[0], words_of(rows)
        cells = zip(row.cells, table.columns, strict=True)
        figures = "".join(f"  {text:>{len(column)}}" for text, column in cells)
        drawn = (bar(row.share, SHORT_BAR), "$success" if row.good else "$error")
        if width >= ROOMY_WIDTH:
            indent = SHORT_BAR + len(figures) + 2
            first, *rest = fold(words, width - indent)
            yield Content.assemble(drawn, figures, f"  {first}")
        else:
            indent, rest = 2, fold(words, width - 2)
            yield Content.assemble(drawn, figures)
        yield from (Content(" " * indent + part) for part in rest)
