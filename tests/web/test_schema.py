"""The tables of a database: created once, as they are described; other ones are refused."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import inspect, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from number_duels.web.config import Config
from number_duels.web.db import schema
from number_duels.web.db.engine import create_file
from number_duels.web.db.repository import GameRepository, is_over
from number_duels.web.db.schema import VERSION, schema_version
from number_duels.web.errors import DatabaseUnavailable, SchemaTooNew
from number_duels.web.server import DatabaseUnusable, check_database
from tests.web.serving import run


async def versions_of(store: GameRepository) -> list[int]:
    async with store.snapshot() as connection:
        return [row.version for row in await connection.execute(select(schema_version))]


def test_many_create_the_tables_at_once(
    new_database: Callable[[Path], str], tmp_path: Path
) -> None:
    async def test() -> None:
        url = new_database(tmp_path)
        stores = [GameRepository(url) for _ in range(6)]
        await asyncio.gather(*(store.open() for store in stores))
        assert await versions_of(stores[0]) == [VERSION]
        for store in stores:
            await store.close()

    run(test())


def test_a_new_file_needs_no_switch_that_others_could_be_in_the_way_of(tmp_path: Path) -> None:
    path = create_file(make_url(f"sqlite:///{tmp_path}/games.sqlite3"))
    assert path.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


def test_a_program_that_is_older_than_the_database_says_so(
    new_database: Callable[[Path], str], tmp_path: Path
) -> None:
    url = new_database(tmp_path)

    async def test() -> None:
        store = GameRepository(url)
        await store.open()
        async with store.transaction() as connection:
            await connection.execute(update(schema_version).values(version=VERSION + 1))
        with pytest.raises(SchemaTooNew, match="newer version of Number Duels"):
            await store.open()
        await store.close()

    run(test())
    with (
        ThreadPoolExecutor(1) as threads,
        pytest.raises(DatabaseUnusable, match=r"newer version of .*update Number Duels"),
    ):
        threads.submit(check_database, url, Config()).result()


def test_tables_that_are_not_ours_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE games (id TEXT); INSERT INTO games VALUES ('a')")
    with pytest.raises(DatabaseUnusable, match="choose another database with --database"):
        check_database(f"sqlite:///{path}", Config())
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT id FROM games").fetchall() == [("a",)]
        assert len(connection.execute("SELECT name FROM sqlite_master").fetchall()) == 1


def test_tables_that_cannot_all_be_created_leave_nothing_behind(
    new_database: Callable[[Path], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        store = GameRepository(new_database(tmp_path))
        with monkeypatch.context() as patch:
            # The last statement of all.
            patch.setattr(schema, "VERSION", "no number")
            # PostgreSQL's driver refuses it itself.
            with pytest.raises((DBAPIError, DatabaseUnavailable)):
                await store.open()
        async with store.snapshot() as connection:
            assert await connection.run_sync(lambda found: inspect(found).get_table_names()) == []
        await store.open()
        assert await versions_of(store) == [VERSION]
        await store.close()

    run(test())


def test_the_old_games_are_found_by_an_index(tmp_path: Path) -> None:
    """The conditions of queries have the words of the partial indexes."""

    async def test() -> None:
        store = GameRepository(f"sqlite:///{tmp_path}/games.sqlite3")
        await store.open()
        async with store.snapshot() as connection:
            for over, index in ((True, "games_finished"), (False, "games_unfinished")):
                query = select(schema.games.c.id).where(is_over(over))
                text = query.order_by(schema.games.c.updated_at).compile(
                    dialect=connection.dialect, compile_kwargs={"literal_binds": True}
                )
                plan = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}")
                assert index in str(plan.fetchall())
        await store.close()

    run(test())
