"""The bench report as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

from number_duels.arena.formatting import counted, percent
from number_duels.arena.html import (
    ChartRow,
    Mark,
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

TITLE = "<title>Bench report</title>"
MAX_STATED = 40


def page(report: BenchReport) -> str:
    return document(TITLE, sections(report))


def sections(report: BenchReport) -> Iterator[str]:
    total, header = report.total, report.header
    yield f"<h1>{escape(header.player)}</h1>"
    yield f'<p class="lead">Measured by {escape(words.suite_words(header))}.</p>'
    yield f"<p><b>{escape(words.headline(total, header.player))}</b></p>"
    if report.played < report.planned:
        yield f"<p>Incomplete: {report.played:,} of {report.planned:,} games have been played.</p>"
    title = (
        "Cost of a move with 95% interval. Marks show perfect play, levels 5 to 1 and random play"
    )
    chart = figure(title, costs(report.figures))
    totals = table(words.HEAD, [words.row_of(one) for one in report.figures], stacked)
    yield section("Totals", f'<div class="charts">\n{chart}\n</div>', totals)
    yield from ladder(report.figures)
    yield section("Answers, tokens and time", trouble(report.figures))
    if report.stated:
        yield section("Stated mixed strategies, and the moves played", stated(report))
    if report.blunders:
        yield section(f"The worst of {total.blunders:,} blunders", blunders(report))
    yield NOTES
    rows = words.origin_rows(header, report.first, report.last, report.salt)
    told = table((), [row for row in rows if row[1]], kind="words folded")
    yield section("How it was measured", told)


def costs(figures: Sequence[GameFigures]) -> str:
    rows, ends = [], [0.0]
    for one in figures:
        found = one.moves.cost
        if found is not None:
            note = f"{one.event}: {words.cost(found)}"
            own = Whisker(50 * found.mean, 50 * found.low, 50 * found.high, "main", note)
            known = {who: 50 * cost for who, cost in one.moves.baselines.items()}
            others = tuple(Mark(at, f"{who}: {at:.1f}%") for who, at in known.items())
            rows.append(ChartRow(one.event, (own,), others))
            ends += [own.low, own.high, *known.values()]
    return whisker_chart(rows, *scale_of(ends, 1.0), "%", "Cost of a move")


def ladder(figures: Sequence[GameFigures]) -> Iterator[str]:
    names = list(dict.fromkeys(rung.opponent for one in figures for rung in one.rungs))
    tables: dict[str, Callable[[Rung], str]] = {
        "Score against each opponent, in percent": lambda rung: percent(rung.score),
        "Cost of a decision in games against each opponent": lambda rung: words.cost(rung.loss),
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
    head = ("position", "stated", "played there", "off", "perfect play", "exploitable", "by")
    body = [
        (
            f"{one.answer.spot.game} {one.answer.spot.moves or 'start'}, {one.answer.spot.seat}",
            words.shares(one.stated) or "no answer",
            words.played(one),
            "" if one.distance is None else f"{100 * one.distance:.0f}%",
            words.shares(one.perfect),
            f"{50 * one.answer.grade.cost:.1f}%",
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
            f"{50 * one.loss:.0f}%",
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
<li><b>Cost of a move</b>: how much a move lowers the winning chance on average. Every player gets
the same positions. They come from games in which half of the moves are random. Positions with more
at stake are chosen more often. A missing answer costs as much as a forfeit. Intervals are 95%
intervals over positions.</li>
<li><b>Score</b>: the score against the built-in opponents, without known luck. It is the plain
score if two players have fewer than 50 pairs, or if nearly all their pairs ended the same way. A
win counts 100%, a draw 50%.</li>
<li><b>Exploitable</b>: the player states how often it would choose each move. The figure is what
an opponent who knows this answer can win. If only one player decides, it is the mean cost of the
moves.</li>
<li><b>Cost in games</b>: the mean cost of the decisions in the games. It depends on the opponents,
because moves in a lost position cost nothing.</li>
<li><b>Off</b>: how far the moves played at a position differ from the stated mixed strategy, as
half the sum of all differences.</li>
<li><b>Blunders</b> cost at least 25% of the winning chance.</li>
</ul>
</section>"""
