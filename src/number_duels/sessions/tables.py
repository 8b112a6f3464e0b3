"""The tables of a verdict: good and bad options, and a series of answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from number_duels.core.scene import Row, Table
from number_duels.review.text import is_mixed
from number_duels.review.words import percent
from number_duels.sessions.options import option_rows
from number_duels.trainer.feedback import Feedback
from number_duels.trainer.series import Series, series_sentences


def feedback_tables(feedback: Feedback) -> Iterator[Table]:
    """Every option with its winning chance: those that cost nothing, then the mistakes."""
    columns = ("chance", "often") if is_mixed(feedback.good) else ("chance",)
    for title, head, options, good in (
        ("good", "Good: these cost nothing", feedback.good, True),
        ("bad", "Mistakes, the least first", feedback.bad, False),
    ):
        if options:
            rows = option_rows(options, columns)
            read = tuple(replace(row, good=good, key="", short="") for row in rows)
            yield Table(read, columns, title, head=head)


def series_table(found: Series) -> Table:
    """How often each move was chosen, and how often perfect play does."""
    rows = tuple(
        Row(
            one.words,
            (
                percent(one.share),
                f"{percent(one.low)} to {percent(one.high)}",
                percent(one.perfect),
            ),
            one.share,
            range=(one.low, one.high),
            mark=one.perfect,
        )
        for one in found.moves
        if one.count or one.perfect
    )
    return Table(
        rows,
        ("you", "(range)", "perfect"),
        f"{found.count} answers",
        (*series_sentences(found),),
        kind="series",
        head="move",
    )
