"""An arena's report as tables on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from number_duels.arena.formatting import (
    accuracy,
    exploited,
    misfit,
    percent,
    rated,
    scored,
    thrown_away,
    times,
    with_interval,
)
from number_duels.arena.report import Report
from number_duels.arena.row import OVERALL, Row
from number_duels.arena.stats.intervals import MIN_CORRECTED_PAIRS as ENOUGH_PAIRS
from number_duels.review.text import bar
from number_duels.terminal.line.console import Console, breadth

Cells = Sequence[str]


def report_lines(report: Report, console: Console) -> Iterator[str]:
    """The report, no line of it wider than the screen."""
    for line in unfolded_lines(report, console):
        yield from console.fold(line)


def unfolded_lines(report: Report, console: Console) -> Iterator[str]:
    if not report.games:
        yield "No game has been played yet."
        return
    for event in report.events:
        rows = [row for row in report.rows if row.event == event]
        games = sum(row.games for row in rows) // 2
        yield console.paint(f"{event}: {games} games", "bold")
        yield from standings_table(rows, console)
        yield ""
    if any(row.fewer and row.fewer > 1.05 for row in report.rows):
        yield from luck_lines(report)
    yield from verdict_lines(report)
    yield from rating_lines(report)
    yield from trouble_lines(report)
    yield from mistake_lines(report)
    if report.waiting:
        yield f"{report.waiting} games wait for the other game of their pair and are not counted."
    yield "Scores count a draw as half, with 95% intervals; lost: what moves cost against"
    yield "perfect play (a win made a loss costs 2); * computed exactly, not played for."
    yield "Exploitable: what the best reply gains a game, at least what somebody did."
    yield "Thrown away: chances lost a decision that is not obvious; docs/reviews.md."
    if any(row.plain_interval and row.corrected for row in report.rows):
        yield "Without luck, a score has the plain interval where two players have fewer than"
        yield f"{ENOUGH_PAIRS} pairs, or pairs that nearly all ended alike: they show too little."


def standings_table(rows: Sequence[Row], console: Console) -> list[str]:
    """The standings; bars go first where the screen is narrow."""
    width = None if console.plain else console.width - 1
    drawn = list(table(standings(rows, bars=not console.plain)))
    if width is None or max(map(breadth, drawn)) <= width:
        return drawn
    return list(table(standings(rows, bars=False), width))


def standings(rows: Sequence[Row], *, bars: bool) -> Iterator[Cells]:
    yield (
        "player",
        "lost/decision",
        "exploitable",
        *([""] if bars else []),
        "score",
        "without luck",
        "thrown away",
        "accuracy",
        "rating",
    )
    for row in rows:
        drawn = [bar((1 + row.score.mean) / 2)] if bars else []
        yield (
            row.name,
            with_interval(row.loss_per_decision, row.loss_per_decision_interval, 4),
            exploited(row.exploitability),
            *drawn,
            scored(row.score, row.caveat),
            percent(row.corrected),
            thrown_away(row.carelessness),
            accuracy(row),
            rated(row.rating, row.anchor),
        )


def luck_lines(report: Report) -> Iterator[str]:
    """How many games the correction for luck saves."""
    yield "Without luck: results less what cards and known mixing brought. In the long run"
    yield "it needs this many times fewer games for intervals of the same width:"
    for event in report.events:
        rows = [r for r in report.rows if r.event == event and r.fewer is not None]
        if rows and event != OVERALL:
            yield f"  {event}: " + ", ".join(f"{row.name} {times(row.fewer)}" for row in rows)
    yield ""


def verdict_lines(report: Report) -> Iterator[str]:
    said = [meeting for meeting in report.meetings if meeting.verdict]
    for one in said:
        pairs = one.score.count
        yield f"{one.event}: {one.one} - {one.two} is {one.verdict}, known after {pairs} pairs."
        yield f"  {percent(one.score)}, {one.caveat}."
    if said:
        yield "A pairing is stopped when it looks decided: its score is a little too extreme."
        yield ""


def rating_lines(report: Report) -> Iterator[str]:
    """What the ratings rest on, and where they do not fit."""
    rows = [row for row in report.rows if row.misfits]
    if not rows:
        return
    yield "Ratings use results without luck where these have an interval of their own, else"
    yield "plain ones. They take strength to be one number: who plays unlike the built-in"
    yield "players may have another rating from other opponents."
    for row in rows:
        if row.only_opponent is not None:
            yield f"  {row.event}: the rating of {row.name} rests on {row.only_opponent} alone."
        for one in row.misfits:
            if one.flagged:
                yield f"  {misfit(row, one)}"
    yield ""


def trouble_lines(report: Report) -> Iterator[str]:
    found = False
    for row in report.rows:
        if row.event != OVERALL and (row.forfeits or row.refused):
            found = True
            given = f"{sum(row.forfeits.values())} of {row.games} games forfeited"
            yield (
                f"{row.event}: {row.name}: {given}{kinds(row.forfeits)},"
                f" {sum(row.refused.values())} answers refused{kinds(row.refused)}"
            )
    if found:
        yield ""


def mistake_lines(report: Report) -> Iterator[str]:
    """The worst blunders, one a player and game."""
    seen: set[tuple[str, str]] = set()
    for one in report.mistakes:
        if (one.event, one.name) in seen:
            continue
        if not seen:
            yield "The worst mistakes:"
        seen.add((one.event, one.name))
        wrong = one.blunder
        better = f"better: {', '.join(wrong.best)}" if wrong.best else ""
        place = f"{one.fixture}: {one.name}, turn {wrong.turn}"
        yield f"  {place}, {wrong.move} costs {wrong.loss:z.2f}; {better}"
    if seen:
        yield ""


def kinds(counts: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{kind} {n}' for kind, n in counts.items())})" if counts else ""


def table(rows: Iterable[Cells], width: int | None = None) -> Iterator[str]:
    """Rows in columns, the first to the left, figures to the right; what is too wide goes below."""
    cells = list(rows)
    widths = [max(map(breadth, column)) for column in zip(*cells, strict=True)]
    for group in column_groups(widths, width):
        for row in cells:
            padding = [" " * (widths[place] - breadth(row[place])) for place in group]
            figures = [pad + row[place] for pad, place in zip(padding, group, strict=True)]
            yield "  ".join([row[0] + padding[0], *figures[1:]]).rstrip()


def column_groups(widths: Sequence[int], width: int | None) -> list[list[int]]:
    """Which columns stand side by side; the first, which names the row, stands in every group.

    >>> column_groups([5, 8, 8, 8], 25)
    [[0, 1, 2], [0, 3]]
    """
    groups = [[0]]
    for place in range(1, len(widths)):
        taken = sum(widths[other] + 2 for other in groups[-1]) + widths[place]
        if width is not None and taken > width and len(groups[-1]) > 1:
            groups.append([0])
        groups[-1].append(place)
    return groups
