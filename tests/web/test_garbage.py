"""To look for garbage everywhere stops every game: none is made, and so it is seldom looked for."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from number_duels.web.server import settle_garbage
from number_duels.web.service.new_game import GameRequest, new_game
from number_duels.web.service.views import encode
from tests.review.positions import SMALL
from tests.some_games import SOME_GAMES
from tests.web.test_views import VIEWERS, positions, view_of

#: More than all connections that there may be are made of.
MANY = 100 * 4_000


@pytest.fixture
def settled() -> Iterator[None]:
    """As in a server that runs."""
    usual = gc.get_threshold()
    settle_garbage()
    yield
    gc.set_threshold(*usual)
    gc.unfreeze()


def full_looks() -> int:
    return int(gc.get_stats()[2]["collections"])


@pytest.mark.parametrize("name", SOME_GAMES)
def test_a_game_and_its_views_leave_nothing_behind(name: str) -> None:
    started = new_game(GameRequest(name, SMALL[name], opponent="random", seed=5), "digest")

    def play() -> None:
        for stored, match in positions(name, started):
            for viewer in VIEWERS:
                encode(view_of(stored, match, viewer, {}))

    play()  # what is kept for the next game is made now
    while gc.collect():
        pass  # what earlier tests left may leave more when it is finalized
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        play()
        gc.collect()
        assert [f"{type(one).__name__} {one!r:.60}" for one in gc.garbage] == []
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.usefixtures("settled")
def test_many_connections_do_not_cause_a_full_look() -> None:
    before = full_looks()
    kept = [[number] for number in range(MANY)]
    assert (full_looks(), len(kept)) == (before, MANY)
