"""The store: what was accepted is there once, and what does not fit takes nothing with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Table, insert
from sqlalchemy.exc import IntegrityError

import number_duels as nd
from number_duels.web.config import Config
from number_duels.web.db.engine import driver_url
from number_duels.web.db.reader import Found
from number_duels.web.db.repository import Store
from number_duels.web.db.stored_game import Draw, Ledger
from number_duels.web.db.tables import draws, moves, resignations
from number_duels.web.errors import Stale
from number_duels.web.service.new_game import Wish, new_ledger, rematch_of
from number_duels.web.service.sessions import Tables
from tests.web.people import GAME

Test = Callable[[Store], Awaitable[None]]


@pytest.fixture
def with_store(new_database: Callable[[Path], str], tmp_path: Path) -> Callable[[Test], None]:
    """Runs a test on a new store."""

    async def run(test: Test) -> None:
        store = Store(new_database(tmp_path))
        await store.open()
        try:
            await test(store)
        finally:
            await store.close()

    def in_a_thread(test: Test) -> None:
        # A browser that other tests have opened keeps a loop running in this thread.
        with ThreadPoolExecutor(1) as threads:
            threads.submit(asyncio.run, run(test)).result()

    return in_a_thread


def fresh(game: str = GAME) -> Ledger:
    return new_ledger(Wish(game, {}, name="Änn"), "digest")


def chosen(ledger: Ledger, seat: nd.Seat = nd.Seat.ONE) -> Ledger:
    """The ledger with one more choice."""
    match = ledger.match()
    after = ledger.with_move(match.turn_number, seat, str(match.options(seat)[0]))
    return replace(after, version=ledger.version + 1)


@pytest.mark.parametrize("game", nd.games())
def test_a_game_comes_back_as_it_was_written(with_store: Callable[[Test], None], game: str) -> None:
    async def test(store: Store) -> None:
        before = fresh(game)
        await store.create(before)
        assert await store.load(before.id) == before
        new = rematch_of(before)
        drawn = (Draw(1, nd.Seat.ONE, "7"), Draw(1, None, "8"))
        after = replace(before, version=2, over=True, draws=drawn, rematch=new.id)
        after = replace(after, resigned=nd.Seat.TWO)
        await store.advance(before, after, new)
        assert await store.load(before.id) == after
        assert await store.load(new.id) == new
        assert await store.load("nothing") is None

    with_store(test)


def test_a_change_to_what_has_changed_is_refused(with_store: Callable[[Test], None]) -> None:
    async def test(store: Store) -> None:
        before = fresh()
        await store.create(before)
        await store.advance(before, chosen(before))
        with pytest.raises(Stale):
            await store.advance(before, chosen(before, nd.Seat.TWO))
        assert await store.load(before.id) == chosen(before)

    with_store(test)


def test_what_does_not_fit_takes_nothing_with_it(with_store: Callable[[Test], None]) -> None:
    async def test(store: Store) -> None:
        tables = [fresh() for _ in range(20)]
        await asyncio.gather(*(store.create(table) for table in tables))
        stale = [replace(table, version=9) for table in tables[::4]]
        changes = [*tables, *stale]
        done = await asyncio.gather(
            *(store.advance(one, chosen(one)) for one in changes), return_exceptions=True
        )
        assert done[:20] == [None] * 20
        assert all(isinstance(one, Stale) for one in done[20:])
        for table in tables:
            assert await store.load(table.id) == chosen(table)

    with_store(test)


def test_the_database_itself_refuses_a_second_choice(with_store: Callable[[Test], None]) -> None:
    async def test(store: Store) -> None:
        ledger = fresh()
        await store.create(ledger)
        rows: dict[Table, dict[str, object]] = {
            moves: {"turn": 1, "seat": 0, "move": "1"},
            draws: {"number": 0, "turn": 1, "seat": 0, "event": "1"},
            resignations: {"seat": 0},
        }
        for table, row in rows.items():
            statement = insert(table).values(game=ledger.id, **row)
            async with store.writer.transaction() as connection:
                await connection.execute(statement)
            with pytest.raises(IntegrityError):
                async with store.writer.transaction() as connection:
                    await connection.execute(statement)

    with_store(test)


def test_what_expires_goes_with_all_its_moves(with_store: Callable[[Test], None]) -> None:
    async def test(store: Store) -> None:
        old, new, over = fresh(), fresh(), replace(fresh(), over=True)
        for ledger in (old, new, over):
            await store.create(ledger)
        await store.advance(old, replace(chosen(old), touched=1))
        await store.advance(over, replace(chosen(over), touched=1))
        assert await store.expire(10) == [old.id]
        assert await store.load(old.id) is None
        assert await store.load(new.id) == new
        assert (await store.load(over.id)) is not None
        assert await store.expire(10) == []
        async with store.reader.snapshot() as connection:
            left = (await connection.execute(moves.select())).all()
        assert [row.game for row in left] == [over.id]

    with_store(test)


def test_addresses_of_databases() -> None:
    assert driver_url("postgresql://me@host/games").drivername == "postgresql+asyncpg"
    for wrong in ("", "nonsense", "mysql://x/y", "sqlite://", "sqlite+pysqlite:///x"):
        with pytest.raises(ValueError, match="sqlite:///FILE"):
            driver_url(wrong)


def test_news_that_comes_while_a_game_is_read_is_not_missed(
    with_store: Callable[[Test], None],
) -> None:
    """Another process changes a game after it was read here, and before it is shown."""

    class Slow(Store):
        """A store whose answers can be held up on their way."""

        gate = asyncio.Event()
        asked = asyncio.Event()

        async def load_all(self, ids: Collection[str]) -> dict[str, Found]:
            found = await super().load_all(ids)
            self.asked.set()
            await self.gate.wait()
            return found

    async def test(store: Store) -> None:
        before = fresh()
        await store.create(before)
        driverless = store.url.set(drivername=store.url.get_backend_name())
        slow = Slow(driverless.render_as_string(hide_password=False))
        tables = Tables(slow, Config(), lambda _: None)
        looking = asyncio.create_task(tables.find(before.id))
        await slow.asked.wait()
        await store.advance(before, chosen(before))
        await tables.heard({before.id: 2})
        slow.gate.set()
        assert (await looking).ledger == chosen(before)
        await slow.close()

    with_store(test)


def test_what_another_process_knows_is_known_here(with_store: Callable[[Test], None]) -> None:
    """A seat that is connected to another process is there; our own we know ourselves."""

    async def test(store: Store) -> None:
        if not store.shared:
            return
        ledger = fresh()
        await store.create(ledger)
        store.reader.process = 7
        await store.attend({ledger.id: [nd.Seat.ONE]})
        assert (await store.load_all([ledger.id]))[ledger.id].elsewhere == frozenset()
        store.reader.process = 8
        await store.attend({ledger.id: [nd.Seat.TWO]})
        assert (await store.load_all([ledger.id]))[ledger.id].elsewhere == {nd.Seat.ONE}
        await store.attend({ledger.id: []})
        store.reader.process = 7
        assert (await store.load_all([ledger.id]))[ledger.id].elsewhere == frozenset()

    with_store(test)


def test_an_address_with_tls_is_understood() -> None:
    url = driver_url("postgresql://me@host/games?sslmode=require")
    assert dict(url.query) == {"ssl": "require"}
    with pytest.raises(ValueError, match="cannot have options"):
        driver_url("postgresql://me@host/games?options=x")
