"""A bench's report, and the comparison of two, as tables on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from number_duels.arena.formatting import percent
from number_duels.bench import words
from number_duels.bench.compare import Difference
from number_duels.bench.report import BenchReport
from number_duels.terminal.line.console import Console
from number_duels.terminal.ui.arena_report import table


def bench_lines(report: BenchReport, console: Console) -> Iterator[str]:
    """The report, no line of it wider than the screen."""
    for line in unfolded_lines(report, console):
        yield from console.fold(line)


def unfolded_lines(report: BenchReport, console: Console) -> Iterator[str]:
    width = None if console.plain else console.width - 1
    total = report.total
    yield console.paint(f"{report.header.player}: {words.suite_words(report.header)}", "bold")
    yield from table([words.HEAD, *map(words.row_of, report.figures)], width)
    yield ""
    rungs = [(rung.opponent, percent(rung.score), words.figure(rung.loss)) for rung in total.rungs]
    yield from table([("against", "score", "lost/decision"), *rungs], width)
    yield ""
    if total.forfeits or total.refused:
        yield f"Games forfeited: {words.counted(total.forfeits)}."
        yield f"Answers refused: {words.counted(total.refused)}."
    if took := words.took(total):
        yield f"{took}."
    if report.played < report.planned:
        yield f"Not complete: {report.played} of {report.planned} games are played."
    yield "Lost: what decisions cost against perfect play (a win made a loss costs 2), with 95%"
    yield "intervals. Exploitable: what a reader of the stated mixtures takes; docs/bench.md."


def comparison_lines(found: Sequence[Difference], said: str, console: Console) -> Iterator[str]:
    """All differences, then what they come to."""
    width = None if console.plain else console.width - 1
    head = ("figure", "first", "second", "difference", "", "")
    yield from table([head, *map(words.difference_cells, found)], width)
    yield ""
    yield from console.fold(said)
