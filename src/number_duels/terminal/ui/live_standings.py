"""A table that moves while an arena is played, on standard error where it is a screen."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from shutil import get_terminal_size
from types import TracebackType

from number_duels.arena.game_result import GameResult
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.terminal.line.console import breadth
from number_duels.terminal.line.progress import filled_bar

REDRAW_DELAY_S = 0.25
BAR_WIDTH = 30


class LiveStandings:
    """Games, points, forfeits for every player, and how far the whole has come."""

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
        """Count a game that has just ended."""
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
        return f", {self.new / spent:.0f} a second, {int(left) // 60}:{int(left) % 60:02} left"

    def draw(self) -> None:
        """Show the table where it was before."""
        size = get_terminal_size()
        lines = [line[: size.columns - 1] for line in self.lines()][-(size.lines - 1) :]
        up = f"\r\x1b[{self.shown}A" if self.shown else ""
        sys.stderr.write(up + "".join(f"\x1b[2K{line}\n" for line in lines))
        sys.stderr.flush()
        self.shown, self.seen = len(lines), self.clock.monotonic()

    def __enter__(self) -> LiveStandings:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.shown:
            # A typed ^C may stand on the line below.
            sys.stderr.write(f"\r\x1b[{self.shown}A\x1b[J")
            sys.stderr.flush()
