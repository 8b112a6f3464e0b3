"""The report of a bench as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from number_duels.arena.formatting import counted, percent
from number_duels.arena.html import (
    ChartRow,
    Whisker,
    document,
    figure,
    scale_of,
    section,
    stacked,
    table,
    whisker_chart,
)
from number_duels.bench import words
from number_duels.bench.report import BenchReport, GameFigures, Rung

#: Marks a page as a bench report, which may be overwritten.
TITLE = "<title>Bench report</title>"
#: Number of positions shown with their stated and played moves.
MAX_STATED = 40


def page(report: BenchReport) -> str:
    return document(TITLE, sections(report))


def sections(report: BenchReport) -> Iterator[str]:
    total, header = report.total, report.header
    yield f"<h1>{escape(header.player)}</h1>"
    yield f'<p class="lead">Measured by {escape(words.suite_words(header))}.</p>'
    if report.played < report.planned:
        yield f"<p>Not complete: {report.played:,} of {report.planned:,} games are played.</p>"
    yield (
        f"<p>Over {total.games:,} games and {total.decisions:,} decisions it loses"
        f" <b>{escape(words.figure(total.loss)) or 'nothing that was seen'}</b> a decision,"
        " against perfect play.</p>"
    )
    chart = figure("Lost a decision, with 95% intervals; 0 is perfect", losses(report.figures))
    totals = table(words.HEAD, [words.row_of(one) for one in report.figures], stacked)
    yield section("Totals", f'<div class="charts">\n{chart}\n</div>', totals)
    yield from ladder(report.figures)
    yield section("Answers, tokens and time", trouble(report.figures))
    if report.stated:
        yield section("Stated mixtures beside what was played", stated(report))
    if report.blunders:
        yield section(f"The worst of {total.blunders:,} blunders", blunders(report))
    yield NOTES
    rows = words.origin_rows(header, report.first, report.last, report.salt)
    told = table((), [row for row in rows if row[1]], kind="words folded")
    yield section("How it was measured", told)


def losses(figures: Sequence[GameFigures]) -> str:
    rows, ends = [], [0.0]
    for one in figures:
        if one.loss is not None:
            note = f"{one.event}: {words.figure(one.loss)}"
            whisker = Whisker(one.loss.mean, one.loss.low, one.loss.high, "main", note)
            rows.append(ChartRow(one.event, (whisker,)))
            ends += [one.loss.low, one.loss.high]
    return whisker_chart(rows, *scale_of(ends, 0.01), "", "Lost a decision")


def ladder(figures: Sequence[GameFigures]) -> Iterator[str]:
    names = list(dict.fromkeys(rung.opponent for one in figures for rung in one.rungs))
    tables: dict[str, Callable[[Rung], str]] = {
        "Score against each rung, in percent of the points": lambda rung: percent(rung.score),
        "Lost a decision against each rung": lambda rung: words.figure(rung.loss),
    }
    for title, cell in tables.items():
        body = []
        for one in figures:
            met = {rung.opponent: rung for rung in one.rungs}
            body.append((one.event, *(cell(met[name]) if name in met else "" for name in names)))
        yield section(title, table(("game", *names), body, stacked))


def trouble(figures: Sequence[GameFigures]) -> str:
    head = ("game", "games", "decisions", "forfeited", "refused answers", "took")
    body = [
        (
            one.event,
            f"{one.games:,}",
            f"{one.decisions:,}",
            counted(one.forfeits),
            counted(one.refused),
            words.took(one),
        )
        for one in figures
    ]
    return table(head, body)


def stated(report: BenchReport) -> str:
    head = ("position", "stated", "played there", "off", "perfect play", "a reader takes", "by")
    body = [
        (
            f"{one.answer.spot.game} {one.answer.spot.moves or 'start'}, {one.answer.spot.seat}",
            words.shares(one.stated) or "no answer",
            words.played(one),
            "" if one.distance is None else f"{100 * one.distance:.0f}%",
            words.shares(one.perfect),
            f"{one.answer.grade.cost:.3f}",
            one.answer.grade.reader,
        )
        for one in report.stated[:MAX_STATED]
    ]
    return table(head, body, kind="words folded")


def blunders(report: BenchReport) -> str:
    head = ("which game", "turn", "move", "cost", "better", "the whole game", "in its own words")
    body = [
        (
            f"{one.fixture}, Player {one.seat}",
            str(one.turn),
            one.move,
            f"{one.loss:.2f}",
            ", ".join(one.better),
            one.moves,
            one.words,
        )
        for one in report.blunders
    ]
    return table(head, body, kind="words folded")


NOTES = """\
<section>
<h2>What the figures mean</h2>
<ul>
<li><b>Lost a decision</b>: what decisions cost against perfect play, exactly; a win turned into a
loss costs 2. Every opponent has the same weight, and every game. Intervals are of 95%; pairs of
games with the seats swapped are what varies.</li>
<li><b>Accuracy</b>: how much of the possible cost was avoided.</li>
<li><b>Score</b>: the share of the points, a draw counting half, without the luck that
is known.</li>
<li><b>Best moves</b>: single positions; how many answers cost nothing, and what one costs on the
average. No answer costs as much as the worst.</li>
<li><b>Mixtures</b>: how often each move would be chosen, as the player states it.
<b>Exploitable</b>: what somebody takes who knows the statement, at this decision, exactly. Where
one decides alone nobody needs to mix, and it is what the stated moves cost on the average.</li>
<li><b>Off</b>: how far what is stated is from what was played at the same position: half of all
differences of shares.</li>
<li><b>Blunders</b> cost a quarter of the way from a win to a loss, or more.</li>
</ul>
</section>"""
