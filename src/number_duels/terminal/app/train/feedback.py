"""What stands beside the board of the trainer: what is asked, and what an answer was worth."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from number_duels.core.text import NO_BREAK
from number_duels.review.text import bar, share
from number_duels.terminal.train.sitting import Task, Verdict
from number_duels.terminal.train.words import is_mixed, place_of, rows
from number_duels.terminal.ui.text_width import fold
from number_duels.trainer.series import series_lines

SHORT_BAR = 8
#: From this width on an option's words stand beside its figures.
ROOMY_WIDTH = 60


def asked_content(task: Task, width: int) -> Content:
    """What is asked, and how the game came here."""
    lines = [Content.styled(part, "bold") for part in fold(task.prompt, width)]
    lines += [
        Content(""),
        *(Content.styled(part, "$faint") for part in fold(place_of(task), width)),
    ]
    return Content("\n").join(lines)


def verdict_content(verdict: Verdict, width: int) -> Content:
    return Content("\n").join(verdict_lines(verdict, width))


def verdict_lines(verdict: Verdict, width: int) -> Iterator[Content]:
    """Why an answer was right or wrong, every option, and the series so far."""
    for sentence in (*verdict.feedback.sentences, *verdict.task.remarks):
        yield from map(Content, fold(sentence, width))
    yield from option_lines(verdict, width)
    if verdict.series:
        yield Content("")
        for line in series_lines(verdict.series):
            yield from map(Content, fold(line, width))


def option_lines(verdict: Verdict, width: int) -> Iterator[Content]:
    """Every option, folded into good and bad."""
    feedback = verdict.feedback
    mixes = is_mixed(feedback)
    for heading, groups, colour in (
        ("Good", feedback.good, "$success"),
        ("Bad", feedback.bad, "$error"),
    ):
        if groups:
            yield Content("")
            often = "  often" if mixes and heading == "Good" else ""
            head = f"{heading:{SHORT_BAR}}  points{often}"
            yield Content.styled(head, "$faint")
        for row in rows(groups, mixes=mixes, joined=NO_BREAK):
            figures = f"  {share(row.value):>6}" + (f"  {row.often:>5}" if mixes else "")
            drawn = (bar((1 + row.value) / 2, SHORT_BAR), colour)
            if width >= ROOMY_WIDTH:
                indent = SHORT_BAR + len(figures) + 2
                first, *rest = fold(row.words, width - indent)
                yield Content.assemble(drawn, figures, f"  {first}")
            else:
                indent, rest = 2, fold(row.words, width - 2)
                yield Content.assemble(drawn, figures)
            yield from (Content(" " * indent + part) for part in rest)
