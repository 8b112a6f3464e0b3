"""What moves on a screen while something takes long: bars, and the standings of an arena."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import StringIO

import pytest

import number_duels as nd
from number_duels.core.progress_bar import PATIENCE_S, progress_bar
from number_duels.terminal.reports import LiveStandings
from tests.arena.matches import GAMES, results_of, schedule
from tests.clock import ManualClock


class Screen:
    """A terminal as standard error, of which nobody reads more than is asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.terminal, theirs = os.openpty()
        self.stream = os.fdopen(theirs, "w")
        monkeypatch.setattr(sys, "stderr", self.stream)

    def close(self) -> str:
        """All that was written."""
        sys.stderr.write("\0")
        sys.stderr.flush()
        heard = b""
        while not heard.endswith(b"\0"):
            heard += os.read(self.terminal, 65536)
        self.stream.close()
        os.close(self.terminal)
        return heard.decode().removesuffix("\0")


@pytest.mark.parametrize(("waited", "at_once"), [(0, False), (PATIENCE_S, False), (0, True)])
def test_a_bar_is_drawn_where_something_takes_long_and_taken_away(
    waited: float, at_once: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, screen = ManualClock(), Screen(monkeypatch)
    with progress_bar("Solving", at_once=at_once, clock=clock) as report:
        clock.advance(waited)
        report(0.5)
    heard = screen.close()
    assert (" 50%" in heard) == bool(waited or at_once)
    assert ("  0%" in heard) == at_once
    assert not heard or heard.endswith("\r\x1b[K")


@pytest.mark.parametrize(
    ("label", "call"),
    [
        ("Solving Number Knot", lambda: nd.solve("knot", numbers=4, cache=False)),
        ("Finding the best", lambda: nd.exploitability("knot", "random", numbers=4)),
        ("Playing", lambda: nd.arena(["random", "perfect"], "knot(numbers=4)", pairs=1)),
        ("Measuring random", lambda: nd.bench("random", "knot(numbers=4)", seed=1)),
    ],
)
def test_a_program_that_computes_for_long_shows_a_bar(
    label: str, call: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("number_duels.core.progress_bar.PATIENCE_S", 0.0)
    screen = Screen(monkeypatch)
    call()
    heard = screen.close()
    assert label in heard
    assert heard.endswith("\r\x1b[K")


@pytest.mark.parametrize("stream", [None, StringIO()])
def test_no_bar_is_drawn_without_a_terminal(
    stream: StringIO | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_bar("Solving", at_once=True) as report:
        report(0.5)
    assert not stream or not stream.getvalue()


def test_a_thread_draws_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, screen = ManualClock(), Screen(monkeypatch)
    with progress_bar("Solving", clock=clock) as report, ThreadPoolExecutor(1) as pool:
        clock.advance(PATIENCE_S)
        pool.submit(report, 0.5).result()
    assert not screen.close()


def test_standings_count_points_and_tell_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    knot = tuple(game for game in GAMES if game.name == "number-knot")
    played = results_of(schedule("random", "perfect", games=knot, pairs=10))
    clock, screen = ManualClock(), Screen(monkeypatch)
    table = LiveStandings(40, (), clock)
    with table.live():
        for result in played:
            clock.advance(0.5)
            table.add(result)
        _, best, *_, last = table.lines()
    heard = screen.close()
    scores = {True: 0.0, False: 0.0}
    for one in played:
        scores[one.sides[0].name == "perfect"] += one.score
    points = (20 + scores[True] - scores[False]) / 2
    assert best.split() == ["perfect", "20", f"{points / 20:.1%}"]
    assert last.endswith("] 20 of 40 games, 2 per second, 0:10 left")
    assert heard.count(" of 40 games") == 20
    assert heard.endswith("\x1b[4A\x1b[J")
