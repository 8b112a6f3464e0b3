"""The steps to the present tables: taken once, from wherever a database stands."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from number_duels.web.config import Config
from number_duels.web.db import migrations
from number_duels.web.db.migrations import STEPS, taken
from number_duels.web.db.repository import Store
from number_duels.web.errors import Newer
from number_duels.web.server import Unusable, try_store
from number_duels.web.service.new_game import Wish, new_ledger
from tests.web.people import GAME


def run(test: Awaitable[None]) -> None:
    """Run in a thread of its own, whatever loop a browser keeps running in this one."""

    async def whole() -> None:
        await test

    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, whole()).result()


async def steps_of(store: Store) -> list[int]:
    async with store.reader.snapshot() as connection:
        rows = await connection.execute(select(taken.c.step).order_by(taken.c.step))
        return [row.step for row in rows]


def test_many_take_the_steps_at_once(new_database: Callable[[Path], str], tmp_path: Path) -> None:
    async def test() -> None:
        url = new_database(tmp_path)
        stores = [Store(url) for _ in range(6)]
        await asyncio.gather(*(store.open() for store in stores))
        assert await steps_of(stores[0]) == list(range(1, len(STEPS) + 1))
        for store in stores:
            await store.close()

    run(test())


def test_a_database_from_before_steps_were_counted_goes_on(tmp_path: Path) -> None:
    """Such a database has the tables of the first step, and games in them."""
    path = tmp_path / "old.sqlite3"
    ledger = new_ledger(Wish(GAME, {}), "digest")

    async def before() -> None:
        store = Store(f"sqlite:///{path}")
        async with store.writer.transaction() as connection:
            await connection.run_sync(migrations.first_tables)
        await store.create(ledger)
        await store.close()

    async def after() -> None:
        store = Store(f"sqlite:///{path}")
        await store.open()
        assert await steps_of(store) == list(range(1, len(STEPS) + 1))
        assert await store.load(ledger.id) == ledger
        await store.close()

    run(before())
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    assert sorted(name for (name,) in names) == ["draws", "games", "moves", "resignations"]
    run(after())


def test_a_program_that_is_older_than_the_database_says_so(
    new_database: Callable[[Path], str], tmp_path: Path
) -> None:
    url = new_database(tmp_path)

    async def test() -> None:
        store = Store(url)
        await store.open()
        async with store.writer.transaction() as connection:
            await connection.execute(insert(taken).values(step=len(STEPS) + 1, taken=0))
        with pytest.raises(Newer, match="newer Number Duels"):
            await store.open()
        await store.close()

    run(test())
    with (
        ThreadPoolExecutor(1) as threads,
        pytest.raises(Unusable, match=r"newer Number Duels.*update this one"),
    ):
        threads.submit(try_store, url, Config()).result()


def test_a_step_that_fails_leaves_nothing_behind(
    new_database: Callable[[Path], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        store = Store(new_database(tmp_path))
        await store.open()

        def half(connection: Connection) -> None:
            connection.execute(insert(taken).values(step=100, taken=0))
            connection.execute(insert(taken).values(step=100, taken=0))

        monkeypatch.setattr(migrations, "STEPS", (*STEPS, half))
        with pytest.raises(IntegrityError):
            await store.open()
        async with store.reader.snapshot() as connection:
            last = (await connection.execute(select(func.max(taken.c.step)))).scalar()
        assert last == len(STEPS)
        await store.close()

    run(test())
