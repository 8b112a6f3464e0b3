"""To look for garbage everywhere stops every game: none is made, and so it is seldom looked for."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from itertools import count

import pytest

from number_duels.web import garbage
from number_duels.web.garbage import LOOKS_BEFORE_QUIET_ONE, NEW_LOOKS, NEW_OBJECTS, QUIET_S
from number_duels.web.service.views import encode
from tests.clock import ManualClock
from tests.some_games import SOME_GAMES
from tests.web.test_schema import run
from tests.web.test_views import VIEWERS, positions, view_of

#: More than all connections that there may be are made of.
MANY = 100 * 4_000


@pytest.fixture
def settled() -> Iterator[None]:
    """As in a server that runs."""
    usual = gc.get_threshold()
    garbage.settle()
    yield
    gc.set_threshold(*usual)
    gc.unfreeze()


def full_looks() -> int:
    return int(gc.get_stats()[2]["collections"])


@pytest.mark.parametrize("name", SOME_GAMES)
def test_a_game_and_its_views_leave_nothing_behind(name: str) -> None:
    def play() -> None:
        for stored, match in positions(name):
            for viewer in VIEWERS:
                encode(view_of(stored, match, viewer, {}))

    play()  # what is kept for the next game is made now
    gc.collect()
    gc.disable()
    try:
        play()
        assert gc.collect() == 0
    finally:
        gc.enable()


@pytest.mark.usefixtures("settled")
def test_many_connections_do_not_cause_a_full_look() -> None:
    before = full_looks()
    kept = [[number] for number in range(MANY)]
    assert (full_looks(), len(kept)) == (before, MANY)


@pytest.mark.usefixtures("settled")
def test_everything_is_looked_through_when_nobody_asks() -> None:
    async def looks(asked_so_far: Callable[[], int], expected: int) -> None:
        kept = [[n] for n in range(NEW_OBJECTS * (NEW_LOOKS + 1) * (LOOKS_BEFORE_QUIET_ONE + 2))]
        before = full_looks()
        clock = ManualClock()
        task = asyncio.create_task(garbage.collect_when_quiet(asked_so_far, clock))
        for _ in range(3):
            await asyncio.to_thread(clock.until_waiting, QUIET_S)
            clock.advance(QUIET_S)
        await asyncio.to_thread(clock.until_waiting, QUIET_S)
        task.cancel()
        found = full_looks() - before
        assert (found, len(kept) > 0) == (expected, True)

    run(looks(count().__next__, 0))
    run(looks(lambda: 7, 1))
