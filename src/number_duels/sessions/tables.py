"""The tables of a verdict: good and bad options, and a series of answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from number_duels.core.scene import Row, Table
from number_duels.review.text import named
from number_duels.review.words import chance, percent
from number_duels.trainer.feedback import Feedback, Group
from number_duels.trainer.series import Series, series_sentences


def feedback_tables(feedback: Feedback) -> Iterator[Table]:
    """Every option with its winning chance: those that cost nothing, then the mistakes."""
    mixes = any(0 < group.probability < 1 for group in feedback.good)
    columns = ("chance", "often") if mixes else ("chance",)
    for title, head, groups, good in (
        ("good", "Good: these cost nothing", feedback.good, True),
        ("bad", "Mistakes, the least first", feedback.bad, False),
    ):
        if groups:
            rows = tuple(option_rows(groups, mixes=mixes, good=good))
            yield Table(rows, columns, title, head=head)


def option_rows(groups: Sequence[Group], *, mixes: bool, good: bool) -> Iterator[Row]:
    """Yield groups of options, best first; options with equal figures share a row."""

    def reads(group: Group) -> tuple[tuple[str, ...], str]:
        often = percent(group.probability) if group.probability else "-"
        return (chance(group.value), often) if mixes else (chance(group.value),), group.brings

    ordered = sorted(groups, key=lambda group: (-round(group.value, 6), -group.probability))
    for (cells, brings), equal in groupby(ordered, key=reads):
        same = list(equal)
        words = [move for one in same for move in one.words]
        yield Row(f"{named(words)}: {brings}", cells, (1 + same[0].value) / 2, good)


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
