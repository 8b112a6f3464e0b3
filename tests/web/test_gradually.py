"""Thousands of connections that end at once do not stop the games meanwhile."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from functools import partial

import pytest
import uvicorn
import uvloop
from fastapi import FastAPI
from uvicorn.server import ServerState

from number_duels.web import connections
from number_duels.web.config import Config
from number_duels.web.connections import ConnectionLimits, LimitedProtocol
from number_duels.web.gradually import AT_ONCE, Gradually

MANY = 300


async def most_at_once(config: Config, monkeypatch: pytest.MonkeyPatch, hang_up: bool) -> int:
    """The most connections that ended before others had their turn, of many."""
    loop = asyncio.get_running_loop()
    turn = 0
    ended: Counter[int] = Counter()

    def next_turn() -> None:
        nonlocal turn
        turn += 1
        loop.call_later(0.001, next_turn)

    class Counted(LimitedProtocol):
        def connection_lost(self, exc: Exception | None) -> None:
            ended[turn] += 1
            super().connection_lost(exc)

    monkeypatch.setattr(connections, "CHECK_INTERVAL_S", 0.05)
    app = FastAPI()
    app.state.connections = limits = ConnectionLimits(config)
    settings = uvicorn.Config(app, log_config=None)
    settings.load()
    server = await loop.create_server(
        lambda: Counted(settings, ServerState(), {}), "127.0.0.1", 0, backlog=MANY
    )
    ender = asyncio.create_task(limits.end_overdue())
    address = server.sockets[0].getsockname()
    wires = [socket.create_connection(address) for _ in range(MANY)]
    while len(limits.open) + ended.total() < MANY:
        await asyncio.sleep(0.01)
    next_turn()
    if hang_up:
        for wire in wires:
            wire.close()
    while ended.total() < MANY:
        await asyncio.sleep(0.01)
    ender.cancel()
    server.close()
    for wire in wires:
        wire.close()
    assert not limits.open
    return max(ended.values())


@pytest.mark.parametrize("hang_up", [True, False], ids=["hung up on", "overdue"])
def test_connections_end_a_few_at_a_time(hang_up: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(head_time=60.0 if hang_up else 0.5)
    found = uvloop.run(most_at_once(config, monkeypatch, hang_up))
    assert found <= MANY / 3  # a busy machine takes some steps at once


def test_what_is_added_is_done_in_order_even_if_some_of_it_fails() -> None:
    done: list[int] = []

    def action(number: int) -> None:
        done.append(number)
        if number % 7 == 0:
            raise ValueError(number)

    async def add_all() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        gradually = Gradually()
        for number in range(3 * AT_ONCE):
            gradually.add(partial(action, number))
        await asyncio.sleep(0.1)

    asyncio.run(add_all())
    assert done == sorted(done)
    assert len(done) == 3 * AT_ONCE
