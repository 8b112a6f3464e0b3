"""More is asked for than there is room or time for: nobody is told anything untrue."""

from __future__ import annotations

from asyncio import create_task, gather, sleep
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from number_duels.core.game import Seat
from number_duels.web.db.notify import Attendance
from number_duels.web.db.repository import GameRepository
from number_duels.web.db.writer import Writer
from number_duels.web.errors import DatabaseUnavailable
from number_duels.web.service.new_game import GameRequest, new_game
from tests.web.people import GAME, join, start
from tests.web.postgres import Cluster
from tests.web.serving import Server, run


def test_a_game_is_served_though_every_table_in_memory_is_looked_at(
    own_server: Callable[..., Server],
) -> None:
    server = own_server(tables="5")
    with server.client() as http, ExitStack() as streams:
        opened = []
        for _ in range(8):
            guest = start(http, GAME)
            assert http.get(f"/api/games/{guest.id}").status_code == 200
            stream = guest.listen()
            streams.callback(stream.close)
            stream.until(len)
            opened.append((guest, stream))
        for guest, stream in opened:  # and none of those is forgotten
            join(guest)
            stream.until(lambda found: found[-1]["players"][1]["seated"])


def test_who_is_connected_is_told_also_when_the_listener_connects_anew(
    cluster: Cluster,
) -> None:
    async def test() -> None:
        store = GameRepository(cluster.new_database())
        await store.open()
        store.process = 101
        await store.set_presence({"g": Attendance(frozenset({Seat.ONE}))})
        await store.engine.dispose()
        telling = create_task(store.set_presence({"g": Attendance(frozenset({Seat.ONE}))}))
        await sleep(0)
        store.process = 202  # what a new connection does
        await telling
        await store.close()

    run(test())


def test_when_the_store_is_silent_all_who_wait_are_told_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        store = GameRepository(f"sqlite:///{tmp_path / 'games'}")
        await store.open()
        tries = 0

        async def silent(_: Writer, __: object) -> set[str]:
            nonlocal tries
            tries += 1
            await sleep(0)
            raise DatabaseUnavailable("no answer")

        monkeypatch.setattr(Writer, "commit", silent)
        new = [new_game(GameRequest(GAME, {}), "digest") for _ in range(10)]
        answers = await gather(*map(store.create, new), return_exceptions=True)
        assert [type(answer) for answer in answers] == [DatabaseUnavailable] * 10
        assert tries <= 2
        monkeypatch.undo()
        await store.close()

    run(test())
