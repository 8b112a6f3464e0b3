"""Reports of an arena or a bench as text, and the live standings of an arena."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size

from number_duels.arena.formatting import STANDINGS, counted, misfit, percent, times
from number_duels.arena.report import Report, Row
from number_duels.arena.results import GameResult
from number_duels.arena.schedule import MAX_NAME_LENGTH, OVERALL
from number_duels.arena.stats.intervals import MIN_CORRECTED_PAIRS as ENOUGH_PAIRS
from number_duels.bench import words
from number_duels.bench.compare import Difference
from number_duels.bench.report import BenchReport
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.progress_bar import filled_bar
from number_duels.players.registry import BUILT_IN
from number_duels.review.words import bar
from number_duels.terminal.line.console import Console, aligned, breadth

Cells = Sequence[str]
COLUMNS = (
    *("player", "cost/decision", "exploitable", "score", "without luck", "cost/move"),
    *("accuracy", "rating"),
)
PLAIN_SCORE = (
    "The score without luck is the plain score if two players have fewer than"
    f" {ENOUGH_PAIRS} pairs, or if nearly all their pairs ended the same way."
)


def report_lines(report: Report, console: Console) -> Iterator[str]:
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
    yield from name_lines(report)
    yield from trouble_lines(report)
    yield from mistake_lines(report)
    if report.waiting:
        yield f"{report.waiting} games do not count, because the other game of the pair is missing."
    yield "Score: a win counts as 1, and a draw as one half. All intervals are 95% intervals."
    yield "Cost/decision: the average cost of a decision. Turning a win into a loss costs 2."
    yield "Exploitable: what the best counter-strategy wins per game."
    yield '"At least" marks a lower bound from the games played, and * marks an exact figure.'
    yield "Cost/move: how much a move lowers the winning chance, if a mistake is possible."
    yield "Accuracy: how much of the possible cost was avoided."
    if any(row.plain_interval and row.corrected for row in report.rows):
        yield PLAIN_SCORE


def standings_table(rows: Sequence[Row], console: Console) -> list[str]:
    width = None if console.plain else console.width - 1
    drawn = list(table(standings(rows, bars=not console.plain)))
    if width is None or max(map(breadth, drawn)) <= width:
        return drawn
    return list(table(standings(rows, bars=False), width))


def standings(rows: Sequence[Row], *, bars: bool) -> Iterator[Cells]:
    yield *COLUMNS[:3], *([""] if bars else []), *COLUMNS[3:]
    for row in rows:
        drawn = [bar((1 + row.score.mean) / 2)] if bars else []
        cells = [STANDINGS[column](row) for column in COLUMNS]
        yield *cells[:3], *drawn, *cells[3:]


def luck_lines(report: Report) -> Iterator[str]:
    yield (
        "Without luck: results without the effect of cards and random choices."
        " In the long run, they need fewer games for an interval of the same width, by this factor:"
    )
    for event in report.events:
        rows = [r for r in report.rows if r.event == event and r.fewer is not None]
        if rows and event != OVERALL:
            yield f"  {event}: " + ", ".join(f"{row.name} {times(row.fewer)}" for row in rows)
    yield ""


def verdict_lines(report: Report) -> Iterator[str]:
    said = [meeting for meeting in report.meetings if meeting.verdict]
    for one in said:
        clear = f"This was clear after {one.score.count} pairs."
        yield f"{one.event}: {one.one} - {one.two} is {one.verdict}. {clear}"
        yield f"  {percent(one.score)}, {one.caveat}."
    if said:
        yield "A pairing stops once its result is clear, so its score is slightly too extreme."
        yield ""


def rating_lines(report: Report) -> Iterator[str]:
    rows = [row for row in report.rows if row.misfits]
    if not rows:
        return
    yield (
        "Ratings use the results without luck if these have an interval of their own, and the plain"
        " results otherwise. They assume that one number describes a player's strength. A player"
        " with an unusual style may get a different rating against other opponents."
    )
    for row in rows:
        if row.only_opponent is not None:
            only = row.only_opponent
            yield f"  {row.event}: the rating of {row.name} comes from games against {only} only."
        for one in row.misfits:
            if one.flagged:
                yield f"  {misfit(row, one)}"
    yield ""


def name_lines(report: Report) -> Iterator[str]:
    found = {row.name: row.who for row in report.rows if row.who not in BUILT_IN}
    cut = {name: who for name, who in found.items() if len(name) > MAX_NAME_LENGTH - 4}
    yield from (f"{name} = {who}" for name, who in cut.items())
    if cut:
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
            if row.first_forfeit:
                yield f"  First: {row.first_forfeit}"
    if found:
        yield ""


def mistake_lines(report: Report) -> Iterator[str]:
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
        yield f"  {place}, {wrong.move} costs {50 * wrong.loss:.0f}%; {better}"
    if seen:
        yield ""


def kinds(counts: Mapping[str, int]) -> str:
    return f" ({', '.join(f'{kind} {n}' for kind, n in counts.items())})" if counts else ""


def table(rows: Iterable[Cells], width: int | None = None) -> Iterator[str]:
    """Yield the lines of a table. Columns that do not fit into `width` follow in another table."""
    cells = list(rows)
    widths = [max(map(breadth, column)) for column in zip(*cells, strict=True)]
    for group in column_groups(widths, width):
        side_by_side = ([row[place] for place in group] for row in cells)
        yield from aligned(side_by_side, right=range(1, len(group)))


def column_groups(widths: Sequence[int], width: int | None) -> list[list[int]]:
    """Split columns into groups that fit `width`. Each group starts with column 0.

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


def bench_lines(report: BenchReport, console: Console) -> Iterator[str]:
    width = None if console.plain else console.width - 1
    total = report.total
    yield console.paint(words.headline(total, report.header.player), "bold")
    yield f"Suite: {words.suite_words(report.header)}."
    yield ""
    yield from table([words.HEAD, *map(words.row_of, report.figures)], width)
    yield ""
    known = {who: f"{50 * cost:.1f}%" for who, cost in total.moves.baselines.items()}
    rungs = [(one.opponent, known.get(one.opponent, ""), percent(one.score)) for one in total.rungs]
    yield from table([("opponent", "cost of its moves", "score against it"), *rungs], width)
    yield ""
    if total.forfeits or total.refused:
        yield f"Games forfeited: {counted(total.forfeits)}. Refused: {counted(total.refused)}."
    if took := words.took(total):
        yield f"{took}."
    if report.played < report.planned:
        yield f"Incomplete: {report.played} of {report.planned} games are played."
    yield "Costs say how much the winning chance falls, in percent, with 95% intervals."
    yield "Cost of a move: measured in fixed positions that are the same for every player."
    yield "Score: the result without the luck of cards and random choices."
    yield PLAIN_SCORE
    yield "Exploitable: what an opponent gains by knowing the player's stated mixed strategy."
    yield "In positions where only one player chooses, it is the mean cost of the stated moves."
    yield "Cost in games: the mean cost of a decision in the games. It depends on the opponents."


def comparison_lines(found: Sequence[Difference], said: str, console: Console) -> Iterator[str]:
    width = None if console.plain else console.width - 1
    head = ("figure", "first", "second", "difference", "", "")
    yield from table([head, *map(words.difference_cells, found)], width)
    yield ""
    yield said


REDRAW_DELAY_S = 0.25
BAR_WIDTH = 30


class LiveStandings:
    def __init__(
        self, total: int, results: Iterable[GameResult], clock: Clock = SYSTEM_CLOCK
    ) -> None:
        self.total, self.clock = total, clock
        self.done = 0
        self.new = 0
        self.counts: dict[str, list[float]] = {}
        self.shown = 0
        self.seen = 0.0
        self.began = self.clock.monotonic()
        self.screen = sys.stderr.isatty()
        for result in results:
            self.count(result)

    def count(self, result: GameResult) -> None:
        self.done += 1
        for side, score in zip(result.sides, (result.score, -result.score), strict=True):
            row = self.counts.setdefault(side.name, [0, 0.0, 0])
            row[0] += 1
            row[1] += (1 + score) / 2
            row[2] += bool(side.forfeit)

    def add(self, result: GameResult) -> None:
        self.count(result)
        self.new += 1
        if self.screen and self.clock.monotonic() - self.seen > REDRAW_DELAY_S:
            self.draw()

    def lines(self) -> list[str]:
        wide = max((breadth(name) for name in self.counts), default=6)
        lines = [f"{'player':{wide}}  games   score  forfeits"]
        ranked = sorted(self.counts.items(), key=lambda item: -item[1][1] / item[1][0])
        for name, (games, points, forfeits) in ranked:
            pad = " " * (wide - breadth(name))
            lines.append(f"{name}{pad}  {games:5.0f}  {points / games:6.1%}  {forfeits or '':>8}")
        bar = filled_bar(self.done / max(1, self.total), BAR_WIDTH)
        return [*lines, f"[{bar}] {self.done} of {self.total} games{self.rest()}"]

    def rest(self) -> str:
        spent = self.clock.monotonic() - self.began
        if self.new < 10 or spent < 1:
            return ""
        left = (self.total - self.done) * spent / self.new
        return f", {self.new / spent:.0f} per second, {int(left) // 60}:{int(left) % 60:02} left"

    def draw(self) -> None:
        size = get_terminal_size()
        lines = [line[: size.columns - 1] for line in self.lines()][-(size.lines - 1) :]
        up = f"\r\x1b[{self.shown}A" if self.shown else ""
        sys.stderr.write(up + "".join(f"\x1b[2K{line}\n" for line in lines))
        sys.stderr.flush()
        self.shown, self.seen = len(lines), self.clock.monotonic()

    @contextmanager
    def live(self) -> Iterator[None]:
        try:
            yield
        finally:
            if self.shown:
                # ^C may have been echoed below the table, so erase to the end of the screen.
                sys.stderr.write(f"\r\x1b[{self.shown}A\x1b[J")
                sys.stderr.flush()
