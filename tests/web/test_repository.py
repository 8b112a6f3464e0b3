"""The repository: what was accepted is there once, and what does not fit takes nothing with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

import number_duels as nd
from number_duels.web.config import Config
from number_duels.web.db.engine import driver_url
from number_duels.web.db.notify import Attendance, GameNotice
from number_duels.web.db.repository import GameRepository, LoadedGame
from number_duels.web.db.schema import events
from number_duels.web.db.stored_game import Event, EventKind, StoredGame
from number_duels.web.db.writer import Writer
from number_duels.web.errors import ConcurrentUpdate
from number_duels.web.service.commands import draw, play
from number_duels.web.service.game_sessions import SessionCache
from number_duels.web.service.new_game import GameRequest, new_game, rematch_of
from tests.some_games import SOME_GAMES
from tests.web.people import GAME
from tests.web.postgres import Cluster
from tests.web.serving import run

Test = Callable[[GameRepository], Awaitable[None]]


@pytest.fixture
def with_store(new_database: Callable[[Path], str], tmp_path: Path) -> Callable[[Test], None]:
    """Runs a test on a new store."""

    return lambda test: run_with(new_database(tmp_path), test)


def run_with(url: str, test: Test) -> None:
    """Run a test on a new database."""

    async def whole() -> None:
        store = GameRepository(url)
        await store.open()
        try:
            await test(store)
        finally:
            await store.close()

    run(whole())


def fresh(game: str = GAME) -> StoredGame:
    return new_game(GameRequest(game, {}, name="Änn"), "digest")


def chosen(stored: StoredGame, seat: nd.Seat = nd.Seat.ONE) -> StoredGame:
    """The game with one more choice."""
    match = stored.match()
    choice = Event(EventKind.MOVE, seat, match.turn_number, str(match.options(seat)[0]))
    return replace(stored.with_event(choice), version=stored.version + 1)


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_game_comes_back_as_it_was_written(with_store: Callable[[Test], None], game: str) -> None:
    async def test(store: GameRepository) -> None:
        before = fresh(game)
        await store.create(before)
        assert await store.load(before.id) == before
        new = rematch_of(before, None)
        happened = (
            Event(EventKind.DRAW, nd.Seat.ONE, 1, "7"),
            Event(EventKind.DRAW, None, 1, "8"),
            Event(EventKind.MOVE, nd.Seat.TWO, 1, "ö"),
            Event(EventKind.RESIGNATION, nd.Seat.TWO),
        )
        after = replace(before, version=2, over=True, events=happened, rematch=new.id)
        await store.advance(before, after, new)
        assert await store.load(before.id) == after
        assert await store.load(new.id) == new
        assert await store.load("nothing") is None

    with_store(test)


def test_a_change_to_what_has_changed_is_refused(with_store: Callable[[Test], None]) -> None:
    async def test(store: GameRepository) -> None:
        before = fresh()
        await store.create(before)
        await store.advance(before, chosen(before))
        with pytest.raises(ConcurrentUpdate):
            await store.advance(before, chosen(before, nd.Seat.TWO))
        assert await store.load(before.id) == chosen(before)

    with_store(test)


def test_what_does_not_fit_takes_nothing_with_it(with_store: Callable[[Test], None]) -> None:
    async def test(store: GameRepository) -> None:
        tables = [fresh() for _ in range(20)]
        await asyncio.gather(*(store.create(table) for table in tables))
        stale = [replace(table, version=9) for table in tables[::4]]
        changes = [*tables, *stale]
        done = await asyncio.gather(
            *(store.advance(one, chosen(one)) for one in changes), return_exceptions=True
        )
        assert done[:20] == [None] * 20
        assert all(isinstance(one, ConcurrentUpdate) for one in done[20:])
        for table in tables:
            assert await store.load(table.id) == chosen(table)

    with_store(test)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"kind": "move", "turn": 1, "seat": 0, "text": "1"},) * 2,
        ({"kind": "resignation", "turn": None, "seat": 0, "text": ""},) * 2,
        ({"kind": "draw", "number": 0, "turn": 1, "text": "1"},) * 2,
        ({"kind": "move", "number": 0, "turn": 1, "text": "1"}, {"kind": "draw", "number": 0}),
    ],
    ids=["choice", "resignation", "card", "place in the list"],
)
def test_the_database_itself_takes_everything_once(
    with_store: Callable[[Test], None], first: dict[str, object], second: dict[str, object]
) -> None:
    async def test(store: GameRepository) -> None:
        stored = fresh()
        await store.create(stored)
        rows = [{"game": stored.id, "number": n, **row} for n, row in enumerate((first, second))]
        async with store.transaction() as connection:
            await connection.execute(insert(events).values(rows[0]))
        with pytest.raises(IntegrityError):
            async with store.transaction() as connection:
                await connection.execute(insert(events).values({"text": "1", **rows[1]}))

    with_store(test)


def test_what_expires_goes_with_all_its_moves(with_store: Callable[[Test], None]) -> None:
    async def test(store: GameRepository) -> None:
        old, new, over = fresh(), replace(fresh(), updated_at=20), replace(fresh(), over=True)
        for stored in (old, new, over):
            await store.create(stored)
        await store.advance(old, replace(chosen(old), updated_at=1))
        await store.advance(over, replace(chosen(over), updated_at=1))
        assert await store.oldest(9, over=False, before=10) == [old.id]
        assert await store.remove([old.id, new.id, over.id], over=False, before=10) == [old.id]
        assert await store.load(old.id) is None
        assert await store.load(new.id) == new
        assert (await store.load(over.id)) is not None
        assert await store.oldest(9, over=False, before=10) == []
        async with store.snapshot() as connection:
            left = (await connection.execute(events.select())).all()
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

    class Slow(GameRepository):
        """A store whose answers can be held up on their way."""

        gate = asyncio.Event()
        asked = asyncio.Event()

        async def load_all(self, ids: Collection[str]) -> dict[str, LoadedGame]:
            found = await super().load_all(ids)
            self.asked.set()
            await self.gate.wait()
            return found

    async def test(store: GameRepository) -> None:
        before = fresh()
        await store.create(before)
        driverless = store.url.set(drivername=store.url.get_backend_name())
        slow = Slow(driverless.render_as_string(hide_password=False))
        tables = SessionCache(slow, Config(), lambda _: None)
        looking = asyncio.create_task(tables.find(before.id))
        await slow.asked.wait()
        await store.advance(before, chosen(before))
        await tables.on_notices([GameNotice(before.id, version=2)])
        slow.gate.set()
        assert (await looking).stored == chosen(before)
        await slow.close()

    with_store(test)


def test_what_another_process_knows_is_known_here(cluster: Cluster) -> None:
    """A seat that is connected to another process is there; our own we know ourselves."""

    async def test(store: GameRepository) -> None:
        stored = fresh()
        await store.create(stored)

        async def elsewhere(process: int) -> frozenset[nd.Seat]:
            store.process = process
            return (await store.load_all([stored.id]))[stored.id].elsewhere.seats

        store.process = 7
        await store.set_presence({stored.id: Attendance(frozenset({nd.Seat.ONE}))})
        assert await elsewhere(7) == frozenset()
        store.process = 8
        await store.set_presence({stored.id: Attendance(frozenset({nd.Seat.TWO}))})
        assert await elsewhere(8) == {nd.Seat.ONE}
        await store.set_presence({stored.id: Attendance()})
        assert await elsewhere(7) == frozenset()

    run_with(cluster.new_database(), test)


def test_a_match_is_played_on_and_not_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another process has added is played on top of what is known here."""
    for name in nd.games():
        before = fresh(name)
        match = before.match()
        known, after, played = before, before, match.copy()
        for _ in range(5):
            turn = played.turn
            assert not isinstance(turn, nd.Outcome)
            if isinstance(turn, nd.Chance):
                command = draw(played.drawer, played.turn_number)
            else:
                seat = next(seat for seat in turn.options if played.options(seat))
                command = play(seat, played.turn_number, str(played.options(seat)[0]))
            after, played = command(after, played)
        whole = after.match()
        with monkeypatch.context() as patch:
            patch.delattr(StoredGame, "match")
            ahead = after.match_from(known, match)
        assert ahead.record == whole.record == played.record
        assert ahead.seats_ready == whole.seats_ready == played.seats_ready
        assert match.record == before.match().record, "what was known is as it was"


def test_a_card_that_was_drawn_counts_whatever_the_seed_says() -> None:
    name = next(n for n in nd.games() if isinstance(first_turn(n), nd.Chance))
    before = fresh(name)
    turn = first_turn(name)
    assert isinstance(turn, nd.Chance)
    ahead = before.match()
    ahead.draw()
    other = next(str(event) for event in turn.odds if event != ahead.history.steps[0].event)
    after = before.with_event(Event(EventKind.DRAW, ahead.drawer, 1, other))
    assert str(after.match().history) == other
    assert str(after.match_from(before, before.match()).history) == other


def first_turn(name: str) -> object:
    game = nd.load(name)
    return game.turn(game.start())


def test_an_address_with_tls_is_understood() -> None:
    url = driver_url("postgresql://me@host/games?sslmode=require")
    assert dict(url.query) == {"ssl": "require"}
    with pytest.raises(ValueError, match="remove options"):
        driver_url("postgresql://me@host/games?options=x")


def test_an_embedded_database_is_written_in_one_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Writer) -> NoReturn:
        raise AssertionError("each statement would go to a thread and back")

    async def test(store: GameRepository) -> None:
        monkeypatch.setattr(Writer, "transaction", refuse)
        before = fresh()
        await store.create(before)
        await store.advance(before, chosen(before))
        assert await store.load(before.id) == chosen(before)

    run_with(f"sqlite:///{tmp_path / 'games'}", test)
