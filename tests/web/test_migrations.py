"""The steps to the present tables: taken once, from wherever a database stands."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Connection, func, insert, inspect, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError

import number_duels as nd
from number_duels.web.config import Config
from number_duels.web.db import migrations
from number_duels.web.db.engine import create_file
from number_duels.web.db.migrations import STEPS, schema_steps
from number_duels.web.db.notify import Notifier
from number_duels.web.db.repository import GameRepository
from number_duels.web.db.tables import metadata
from number_duels.web.errors import SchemaTooNew
from number_duels.web.server import DatabaseUnusable, check_database
from number_duels.web.service import commands
from number_duels.web.service.games import GameService
from tests.web.postgres import Cluster

#: Dumps of databases that version 0.1.0 made, with the same five games in each.
OLD_DATABASES = Path(__file__).parent / "old_databases"
NEWEST = {dialect: len(steps) for dialect, steps in STEPS.items()}


def run(test: Awaitable[None]) -> None:
    """Run in a thread of its own, whatever loop a browser keeps running in this one."""

    async def whole() -> None:
        await test

    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, whole()).result()


async def steps_of(store: GameRepository) -> list[int]:
    async with store.snapshot() as connection:
        rows = await connection.execute(select(schema_steps.c.step).order_by(schema_steps.c.step))
        return [row.step for row in rows]


@pytest.fixture
def old_database(
    new_database: Callable[[Path], str], request: pytest.FixtureRequest, tmp_path: Path
) -> str:
    """The address of a database as version 0.1.0 left it."""
    url = new_database(tmp_path)
    dump = OLD_DATABASES / f"{url.partition(':')[0]}.sql"
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.executescript(dump.read_text())
    else:
        cluster: Cluster = request.getfixturevalue("cluster")
        cluster.ask(dump.read_text(), url)
    return url


def test_many_take_the_steps_at_once(new_database: Callable[[Path], str], tmp_path: Path) -> None:
    async def test() -> None:
        url = new_database(tmp_path)
        stores = [GameRepository(url) for _ in range(6)]
        await asyncio.gather(*(store.open() for store in stores))
        newest = NEWEST[stores[0].engine.dialect.name]
        assert await steps_of(stores[0]) == list(range(1, newest + 1))
        for store in stores:
            await store.close()

    run(test())


def test_a_new_file_needs_no_switch_that_others_could_be_in_the_way_of(tmp_path: Path) -> None:
    path = create_file(make_url(f"sqlite:///{tmp_path}/games.sqlite3"))
    assert path.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


# ---- a database that an earlier version made -----------------------------------


def test_the_games_of_an_old_database_are_there(old_database: str) -> None:
    async def test() -> None:
        store = GameRepository(old_database)
        await store.open()
        found = await store.load_all(["finished", "drawn", "chosen", "resigned", "dropped"])
        matches = {name: loaded.stored.match() for name, loaded in found.items()}
        assert {name: str(match.history) for name, match in matches.items()} == {
            "finished": "A3 A2 A5 S1 S8 S9 S6",
            "drawn": "9g 10k 9k 8g 8k 6",
            "chosen": "7/7 1/9 4/8",
            "resigned": "2/6 1/1",
            "dropped": "9-7 3+1 8+6 7+5",
        }
        assert {name: match.result for name, match in matches.items()} == {
            "finished": "1-0",
            "drawn": "*",
            "chosen": "*",
            "resigned": "1-0",
            "dropped": "*",
        }
        assert matches["resigned"].record.reason == "Player 2 resigned."
        assert matches["chosen"].seats_ready == {nd.Seat.TWO}
        for name, loaded in found.items():
            stored = loaded.stored
            assert [stored.seat_of(f"{name}-{n}") for n in (1, 2)] == list(nd.Seat)
            assert stored.has_known_cards, "they were started with a seed"
            assert stored.over == (stored.match().outcome is not None)
        await store.close()

    run(test())


def test_the_games_of_an_old_database_are_played_on(old_database: str) -> None:
    async def test() -> None:
        store = GameRepository(old_database)
        service = GameService(store, Config(expire_after=1e10), Notifier())
        await service.open()
        rng = Random(1)
        for name in ("drawn", "chosen", "dropped"):
            session = await service.find(name)
            while not session.stored.over:
                match = session.match
                if isinstance(match.turn, nd.Chance):
                    command = commands.draw(match.drawer, match.turn_number)
                else:
                    seat = next(seat for seat in nd.Seat if match.options(seat))
                    move = str(rng.choice(match.options(seat)))
                    command = commands.play(seat, match.turn_number, move)
                await service.change(session, command)
            kept = await store.load(name)
            assert kept is not None
            assert kept == session.stored
            assert kept.match().record == session.match.record
        assert await store.load("resigned") is not None
        await service.close()

    run(test())


def test_old_and_new_databases_come_to_the_same_tables(
    old_database: str, new_database: Callable[[Path], str], tmp_path: Path
) -> None:
    (tmp_path / "new").mkdir()
    schemas: list[object] = []

    async def test(url: str) -> None:
        store = GameRepository(url)
        await store.open()
        async with store.snapshot() as connection:
            schemas.append(await connection.run_sync(schema))
        await store.close()

    run(test(old_database))
    run(test(new_database(tmp_path / "new")))
    assert schemas[0] == schemas[1]


def schema(connection: Connection) -> dict[str, object]:
    """Every table with its columns, keys, constraints and indexes."""
    found = inspect(connection)
    tables = {}
    for table in found.get_table_names():
        columns = {c["name"]: (str(c["type"]), c["nullable"]) for c in found.get_columns(table)}
        tables[table] = (
            columns,
            found.get_pk_constraint(table)["constrained_columns"],
            sorted(unique["column_names"] for unique in found.get_unique_constraints(table)),
            sorted(str(check["sqltext"]) for check in found.get_check_constraints(table)),
            [(k["constrained_columns"], k["options"]) for k in found.get_foreign_keys(table)],
            sorted(
                (
                    str(i["name"]),
                    i["column_names"],
                    i["unique"],
                    condition(i.get("dialect_options", {})),
                )
                for i in found.get_indexes(table)
            ),
        )
        if table in metadata.tables:
            described = metadata.tables[table].columns
            assert list(columns) == [column.name for column in described]
            for column in described:
                assert columns[column.name][1] == bool(column.nullable), column
    assert "events" in tables
    return {**tables}


def condition(options: Mapping[str, object]) -> list[str]:
    """What restricts an index to some rows."""
    return [str(value) for name, value in options.items() if name.endswith("_where")]


def test_a_database_from_before_steps_were_counted_goes_on(tmp_path: Path) -> None:
    """Such a database has the tables of the first step, and games in them."""
    path = tmp_path / "old.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((OLD_DATABASES / "sqlite.sql").read_text())
        connection.executescript("DROP TABLE schema_steps; DROP INDEX games_unfinished")

    async def test() -> None:
        store = GameRepository(f"sqlite:///{path}")
        await store.open()
        assert await steps_of(store) == list(range(1, NEWEST["sqlite"] + 1))
        assert await store.load("chosen") is not None
        await store.close()

    run(test())


# ---- steps that cannot be taken ------------------------------------------------


def test_a_program_that_is_older_than_the_database_says_so(
    new_database: Callable[[Path], str], tmp_path: Path
) -> None:
    url = new_database(tmp_path)

    async def test() -> None:
        store = GameRepository(url)
        await store.open()
        newest = NEWEST[store.engine.dialect.name]
        async with store.transaction() as connection:
            await connection.execute(insert(schema_steps).values(step=newest + 1, taken=0))
        with pytest.raises(SchemaTooNew, match="newer Number Duels"):
            await store.open()
        await store.close()

    run(test())
    with (
        ThreadPoolExecutor(1) as threads,
        pytest.raises(DatabaseUnusable, match=r"newer Number Duels.*update this one"),
    ):
        threads.submit(check_database, url, Config()).result()


def test_a_step_that_fails_leaves_nothing_behind(
    new_database: Callable[[Path], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        store = GameRepository(new_database(tmp_path))
        await store.open()
        half = ("INSERT INTO schema_steps VALUES (100, 0)",) * 2
        more = {dialect: (*steps, half) for dialect, steps in STEPS.items()}
        monkeypatch.setattr(migrations, "STEPS", more)
        with pytest.raises(IntegrityError):
            await store.open()
        async with store.snapshot() as connection:
            last = (await connection.execute(select(func.max(schema_steps.c.step)))).scalar()
        assert last == NEWEST[store.engine.dialect.name]
        await store.close()

    run(test())
