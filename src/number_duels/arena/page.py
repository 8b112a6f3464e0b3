"""The arena report as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from number_duels.arena.formatting import STANDINGS, exploited, percent, rated, signed
from number_duels.arena.html import (
    ChartRow,
    Whisker,
    bar_chart,
    document,
    figure,
    scale_of,
    section,
    stacked,
    table,
    whisker_chart,
)
from number_duels.arena.report import Meeting, Provenance, Report, Row
from number_duels.arena.schedule import OVERALL
from number_duels.arena.stats.intervals import Estimate

TITLE = "<title>Arena report</title>"


def page(report: Report, run: Provenance | None = None, command: str = "") -> str:
    return document(TITLE, [*sections(report), *([origins(run, command)] if run else [])])


def sections(report: Report) -> Iterator[str]:
    players = len({row.name for row in report.rows})
    games = [event for event in report.events if event != OVERALL]
    yield "<h1>Arena report</h1>"
    yield (
        f'<p class="lead">{report.games:,} games, {players} players,'
        f" {len(games)} {'game' if len(games) == 1 else 'kinds of game'}."
        " Every decision is measured against perfect play.</p>"
    )
    if report.waiting:
        missing = "the other game of each pair is missing"
        yield f"<p>{report.waiting} games are not counted because {missing}.</p>"
    for event in report.events:
        yield section(event, *event_parts(report, event))
    if report.mistakes:
        yield mistakes(report)
    yield NOTES


def origins(run: Provenance, command: str) -> str:
    settings = (
        f"{event}: " + ", ".join(f"{name} {value}" for name, value in own.items())
        for event, own in run.settings.items()
    )
    rows = {
        "command": command,
        "seed": "not in the file" if run.seed is None else str(run.seed),
        "salt": run.salt or "",
        "pairs": "" if run.pairs is None else str(run.pairs),
        "players": "; ".join(f"{name} = {who}" for name, who in run.players.items()),
        "settings": "; ".join(settings),
        "played": f"{run.first} to {run.last}" if run.first else "",
        "versions": ", ".join(f"{name} {number}" for name, number in run.versions.items()),
    }
    told = table((), [one for one in rows.items() if one[1]], kind="words folded")
    return section("How the games were played", told)


def event_parts(report: Report, event: str) -> Iterator[str]:
    rows = [row for row in report.rows if row.event == event]
    yield '<div class="charts">'
    if all(row.loss_per_game is not None for row in rows):
        costs = [(row.name, row.loss_per_game or 0.0, f"{row.loss_per_game:.3f}") for row in rows]
        yield figure("Cost of mistakes per game", bar_chart(costs, "Cost per game"))
    gains = [(row.name, one.gain, exploited(one)) for row in rows if (one := row.exploitability)]
    if gains:
        yield figure(
            "How much the best counter-strategy wins per game", bar_chart(gains, "Exploitability")
        )
    yield figure("Score in percent, as played and without luck (a draw is 50%)", scores(rows))
    if any(row.rating for row in rows):
        yield figure("Rating with 95% interval (rings mark exact ratings)", ratings(rows))
    yield "</div>"
    cells = [[column(row) for column in STANDINGS.values()] for row in rows]
    yield table(tuple(STANDINGS), cells, stacked)
    meetings = [meeting for meeting in report.meetings if meeting.event == event]
    if meetings and len(rows) > 2:
        yield cross_table(rows, meetings)
    yield from verdicts(meetings)
    yield from misfits(rows)


def ratings(rows: Sequence[Row]) -> str:
    lines, ends = [], []
    for row in rows:
        if row.rating is None:
            continue
        one = row.rating
        style = "anchor" if row.anchor else "main"
        note = f"{row.name}: {rated(one, row.anchor)}"
        lines.append(ChartRow(row.name, (Whisker(one.rating, one.low, one.high, style, note),)))
        ends += [one.rating, one.low, one.high]
    return whisker_chart(lines, *scale_of(ends, 60), "", "Ratings")


def scores(rows: Sequence[Row]) -> str:
    lines = []
    for row in rows:
        whiskers = [whisker(row.score, "plain", f"{row.name}, as played")]
        if row.corrected is not None:
            whiskers.append(whisker(row.corrected, "main", f"{row.name}, without luck"))
        lines.append(ChartRow(row.name, tuple(whiskers)))
    return whisker_chart(lines, 0, 100, "%", "Scores")


def whisker(estimate: Estimate, style: str, whose: str) -> Whisker:
    mean, low, high = (50 * (1 + x) for x in (estimate.mean, estimate.low, estimate.high))
    return Whisker(mean, low, high, style, f"{whose}: {percent(estimate)}")


def cross_table(rows: Sequence[Row], meetings: Sequence[Meeting]) -> str:
    found: dict[tuple[str, str], float] = {}
    for meeting in meetings:
        better = meeting.corrected or meeting.score
        found[meeting.one, meeting.two] = better.mean
        found[meeting.two, meeting.one] = -better.mean
    known = sum(meeting.corrected is not None for meeting in meetings)
    note = ", without luck" if known == len(meetings) else ""
    if 0 < known < len(meetings):
        note = ", with luck subtracted where it is known"
    names = [row.name for row in rows]
    top = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    lines = []
    for one in names:
        cells = "".join(cell(found.get((one, two))) for two in names)
        lines.append(f'<tr><th scope="row">{escape(one)}</th>{cells}</tr>')
    joined = "\n".join(lines)
    return (
        f"<h3>Each player's score against every other player, in percent{note}</h3>\n"
        f'<div class="wide"><table class="cross">\n<tr><td></td>{top}</tr>\n'
        f"{joined}\n</table></div>"
    )


def cell(mean: float | None) -> str:
    if mean is None:
        return "<td></td>"
    share = max(0.0, min(1.0, (1 + mean) / 2))
    colour = f"hsl({round(120 * share)} 60% 50% / 0.35)"
    return f'<td style="background: {colour}">{50 * (1 + mean):z.0f}</td>'


def verdicts(meetings: Sequence[Meeting]) -> Iterator[str]:
    for one in meetings:
        if one.verdict:
            text = (
                f"The difference {one.one} - {one.two} is {one.verdict}."
                f" This was clear after {one.score.count} pairs."
            )
            yield f"<p>{escape(text)} {percent(one.score)}, {escape(one.caveat or '')}.</p>"


def misfits(rows: Sequence[Row]) -> Iterator[str]:
    body = [
        (
            row.name,
            one.opponent,
            f"{100 * one.observed:.0f}%",
            f"{100 * one.expected:.0f}%",
            signed(100 * (one.observed - one.expected)),
            "more than chance" if one.flagged else "",
            "the rating comes from this opponent only" if row.only_opponent else "",
        )
        for row in rows
        for one in row.misfits
    ]
    if body:
        yield "<h3>How well the ratings fit</h3>"
        yield table(("player", "opponent", "scored", "expected", "off", "", ""), body)


def mistakes(report: Report) -> str:
    head = ("player", "which game", "turn", "move", "cost", "better", "the whole game")
    body = [
        (
            one.name,
            one.fixture,
            str(one.blunder.turn),
            one.blunder.move,
            f"{50 * one.blunder.loss:.0f}%",
            ", ".join(one.blunder.best),
            one.moves,
        )
        for one in report.mistakes
    ]
    return section("The worst mistakes", table(head, body, kind="words"))


NOTES = """\
<section>
<h2>What the figures mean</h2>
<ul>
<li><b>Score</b>: a win counts 100%, a draw 50%. The 95% interval is over pairs of games. The
players swap sides within a pair. Two built-in players get the same cards in both games.</li>
<li><b>Without luck</b>: the score after subtracting the luck of the cards and of the random
choices of built-in players. <b>Games saved</b>: the score without luck needs this many times fewer
games for the same interval.</li>
<li>If two players have fewer than 50 pairs, or if nearly all their pairs ended alike, the score
<b>without luck</b> is the score as played.</li>
<li><b>Stopped early</b>: a pairing stops once its result is clear, so its score is a little too
extreme. Rely on the verdict.</li>
<li><b>Cost/decision</b>, <b>cost/game</b>: the exact cost of a player's decisions, compared with
perfect play. Turning a win into a loss costs 2.</li>
<li><b>Exploitable</b>: what the best counter-strategy wins per game. A star marks an exact figure.
"At least" marks a lower bound from the games played.</li>
<li><b>Cost/move</b>: how much a move lowers the winning chance, if a mistake is possible.
<b>Accuracy</b>: how much of the possible cost was avoided.</li>
<li><b>Rating</b>: a Bradley-Terry rating on the Elo scale, in which <code>random</code> is 0. It
uses results without luck where these have their own interval. The ratings of built-in players are
computed exactly. A rating assumes that strength is one number: a player whose style differs from
the built-in players may have a different rating against other opponents.</li>
<li><b>Forfeits</b>: games lost by silence, crashes or repeated bad answers. <b>Refused</b>: the
number of bad answers.</li>
</ul>
</section>"""
