"""Thousands of connections that end at once do not stop the games meanwhile."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from functools import partial

import pytest
import uvicorn
from fastapi import FastAPI
from uvicorn.server import ServerState

from number_duels.web.config import Config
from number_duels.web.connections import ConnectionLimits, LimitedProtocol
from number_duels.web.gradually import AT_ONCE, PAUSE_S, Gradually
from tests.clock import ManualClock

MANY = 30


class Held(Gradually):
    """Does nothing by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.actions: list[Callable[[], None]] = []

    def add(self, action: Callable[[], None]) -> None:
        self.actions.append(action)


async def until(wanted: Callable[[], bool]) -> None:
    while not wanted():
        await asyncio.sleep(0)


@pytest.mark.parametrize("hang_up", [True, False], ids=["hung up on", "overdue"])
def test_connections_end_when_it_is_their_turn(hang_up: bool) -> None:
    async def test() -> None:
        clock, config = ManualClock(), Config()
        app = FastAPI()
        app.state.connections = limits = ConnectionLimits(config, clock)
        limits.endings = held = Held()
        settings = uvicorn.Config(app, log_config=None)
        settings.load()
        server = await asyncio.get_running_loop().create_server(
            lambda: LimitedProtocol(settings, ServerState(), {}), "127.0.0.1", 0, backlog=MANY
        )
        wires = [socket.create_connection(server.sockets[0].getsockname()) for _ in range(MANY)]
        await until(lambda: len(limits.open) == MANY)
        ender = asyncio.create_task(limits.end_overdue())
        await until(lambda: bool(clock.waiting))
        if hang_up:
            for wire in wires:
                wire.close()
        else:
            clock.advance(config.head_time)
        await until(lambda: len(held.actions) == MANY)
        assert len(limits.open) == MANY
        for action in held.actions:
            action()
        await until(lambda: not limits.open)
        ender.cancel()
        server.close()
        for wire in wires:
            wire.close()

    asyncio.run(test())


def test_what_is_added_is_done_a_few_at_a_time_in_order_even_if_some_of_it_fails() -> None:
    done: list[int] = []

    def action(number: int) -> None:
        done.append(number)
        if number % 7 == 0:
            raise ValueError(number)

    def done_at_least(number: int) -> bool:
        return len(done) >= number

    async def add_all() -> None:
        clock = ManualClock()
        asyncio.get_running_loop().set_exception_handler(lambda *_: None)
        gradually = Gradually(clock)
        for number in range(3 * AT_ONCE):
            gradually.add(partial(action, number))
        for times in (1, 2, 3):
            await until(partial(done_at_least, times * AT_ONCE))
            assert done == list(range(times * AT_ONCE))
            assert clock.waiting == pytest.approx([PAUSE_S] if times < 3 else [])
            clock.advance(PAUSE_S)

    asyncio.run(add_all())
