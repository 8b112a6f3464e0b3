"""Games are removed when their time is over by the database's clock, and never too early."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import update

import number_duels as nd
from number_duels.trainer.book import RemoveCard
from number_duels.web.config import DAY_S, Config
from number_duels.web.db.books import TrainingRepository
from number_duels.web.db.notify import Notifier
from number_duels.web.db.repository import GameRepository
from number_duels.web.db.schema import clock, devices
from number_duels.web.db.schema import profiles as profile_rows
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.errors import ApiError
from number_duels.web.service.expiry import Expiry
from number_duels.web.service.games import GameService
from number_duels.web.service.new_game import GameRequest, new_game
from number_duels.web.service.profiles import Profile, ProfileService
from number_duels.web.service.results import results_of
from number_duels.web.service.views import iso_time
from tests.clock import ManualClock
from tests.web.conftest import WithService
from tests.web.local import LocalServer
from tests.web.people import GAME, pair, play_out, start


def game(updated_at: int, *, over: bool = False) -> StoredGame:
    stored = new_game(GameRequest(GAME, {}), "digest")
    return replace(stored, updated_at=updated_at, over=over)


def test_after_a_jump_of_the_stores_own_clock_nothing_is_removed(
    with_service: WithService,
) -> None:
    async def test(service: GameService) -> None:
        store = service.repository
        stored, over = game(store.clock.now()), game(store.clock.now(), over=True)
        for one in (stored, over):
            await store.create(one)
        for jump in (400 * DAY_S, -400 * DAY_S, 400 * DAY_S):
            # As if the machine had last looked at its clock long ago, or in the future.
            async with store.transaction() as connection:
                await connection.execute(update(clock).values(seen=clock.c.seen - jump))
            before = store.clock.now()
            await service.expiry.sweep()
            assert abs(store.clock.now() - before) <= store.clock.max_step_s
            assert await store.load(stored.id) == stored
            assert await store.load(over.id) == over

    with_service(Config(), test, ManualClock())


def test_the_clock_goes_on_while_a_server_runs(with_service: WithService) -> None:
    async def test(service: GameService) -> None:
        store = service.repository
        old, new = game(store.clock.now()), game(store.clock.now() + 90)
        for one in (old, new):
            await store.create(one)
        for _ in range(3):  # half a minute, three times
            async with store.transaction() as connection:
                await connection.execute(update(clock).values(seen=clock.c.seen - 30))
            await service.expiry.sweep()
        assert await store.load(old.id) is None
        assert await store.load(new.id) == new

    with_service(Config(expire_after=60.0), test)


def test_no_game_goes_a_second_too_early(tmp_path: Path) -> None:
    machine, config = ManualClock(), Config(expire_after=60, keep_finished=120)

    async def test() -> None:
        store = GameRepository(f"sqlite:///{tmp_path / 'games'}", config, machine)
        await store.open()
        expiry = GameService(store, config, Notifier()).expiry
        made = [game(store.clock.now()), game(store.clock.now(), over=True)]
        for one in made:
            await store.create(one)
        left = []
        for passed in (60, 1, 59, 1):
            machine.advance(passed)
            await expiry.sweep()
            left.append([await store.load(one.id) is not None for one in made])
        assert left == [[True, True], [False, True], [False, True], [False, False]]
        await store.close()

    asyncio.run(test())


def test_abandoned_games_expire_and_those_that_somebody_looks_at_do_not(
    own_server: Callable[..., LocalServer],
) -> None:
    clock = ManualClock()
    server = own_server(clock, expire_after=60)
    with server.client() as http:
        over, _ = pair(http, GAME)
        assert over.view()["expires"] == iso_time(clock.now().timestamp() + 60)
        ended = over.post("resign").json()
        kept_until = iso_time(clock.now().timestamp() + Config().keep_finished)
        assert (ended["expires"], ended["kept_until"]) == (None, kept_until)
        watched, abandoned = start(http, GAME), start(http, GAME)
        stream = replace(watched, token=None).listen()
        stream.until(bool)
        server.advance(61)
        assert abandoned.get().status_code == 404
        assert watched.get().status_code == 200, "a spectator looks at it"
        assert over.view()["over"], "what was played to its end is kept"
        stream.close()
        server.until(lambda: not server.service.cache.connected())
        server.advance(59)
        assert watched.get().status_code == 200, "its time begins when nobody looks at it"
        server.advance(2)
        assert watched.get().status_code == 404


def test_finished_games_are_exported_before_they_are_removed(
    own_server: Callable[..., LocalServer], tmp_path: Path
) -> None:
    archive, clock = tmp_path / "finished.jsonl", ManualClock()
    server = own_server(clock, keep_finished=60, expire_after=60, archive=archive)
    with server.client() as http:
        abandoned = start(http, GAME)
        one, two = pair(http, GAME)
        play_out((one, two), Random(5))
        record = nd.Record.from_json(one.get("record").text)
        server.advance(61)
        assert (one.get().status_code, abandoned.get().status_code) == (404, 404)
    lines = archive.read_text().splitlines()
    assert [nd.Record.from_json(line) for line in lines] == [record]
    assert archive.stat().st_mode & 0o077 == 0, "it holds people's games"


def test_old_games_are_looked_for_again_also_after_a_look_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = ManualClock()

    async def test() -> None:
        looks = asyncio.Queue[Expiry]()

        async def failing(expiry: Expiry) -> None:
            looks.put_nowait(expiry)
            raise OSError

        monkeypatch.setattr(Expiry, "sweep", failing)
        repository = GameRepository(f"sqlite:///{tmp_path / 'games'}", clock=machine)
        running = asyncio.create_task(GameService(repository, Config(), Notifier()).expiry.run())
        for _ in range(3):
            await looks.get()
            await asyncio.to_thread(machine.until_waiting, 60)
            machine.advance(59)
            assert machine.waiting == [1]
            machine.advance(1)
        running.cancel()
        await repository.close()

    asyncio.run(test())


def test_of_too_many_finished_games_the_oldest_go(with_service: WithService) -> None:
    async def test(service: GameService) -> None:
        store = service.repository
        now = store.clock.now()
        games = [game(now - age, over=True) for age in (50, 40, 30, 20, 10)]
        unfinished = game(now - 60)
        for one in (*games, unfinished):
            await store.create(one)
        await service.expiry.sweep()
        left = [one for one in games if await store.load(one.id)]
        assert left == games[2:]
        assert await store.load(unfinished.id) == unfinished

    with_service(Config(max_games=3), test)


def test_a_server_with_enough_unfinished_games_takes_no_more(
    own_server: Callable[..., LocalServer],
) -> None:
    server = own_server(ManualClock(), max_games=2)
    with server.client() as http:
        games = [start(http, GAME), start(http, GAME)]
        server.sweep()
        refused = http.post("/api/games", json={"game": GAME})
        assert (refused.status_code, "no room for more games" in refused.text) == (503, True)
        assert games[0].post("resign").json()["over"], "those that there are go on"


def test_profiles_that_nobody_uses_go_and_those_that_play_stay_longer(
    with_service: WithService,
) -> None:
    async def test(service: GameService) -> None:
        profiles, store = ProfileService(service), service.repository
        (new, _), (player, token) = await profiles.create("Bo"), await profiles.create("Ann")
        await profiles.played(player)
        played = new_game(GameRequest(GAME, {}, profile=player.id), "digest")
        await store.create(replace(played, updated_at=store.clock.now()))
        for aged_s, left in {
            29 * DAY_S: [new, player],
            2 * DAY_S: [player],
            370 * DAY_S: [],
        }.items():
            async with store.transaction() as connection:
                older = update(devices).values(expires_at=devices.c.expires_at - aged_s)
                await connection.execute(older)
            await service.expiry.sweep()
            found = [await profiles.repository.find(one.device) for one in (new, player)]
            assert [one.id for one in found if one] == [one.id for one in left]
        assert await profiles.find(token) is None
        kept = await store.load(played.id)
        assert kept is not None
        assert kept.seats[0].profile is None, "the game goes on without"

    with_service(Config(), test)


async def play_and_resign(
    service: GameService, profile: Profile, age: int, started: str = ""
) -> None:
    stored = new_game(GameRequest(GAME, {}, opponent="random", profile=profile.id), "digest")
    updated_at = service.repository.clock.now() - age
    before = replace(stored, updated_at=updated_at, started=started or stored.started)
    await service.repository.create(before)
    match = before.match()
    match.concede(nd.Seat.ONE, "resigned.")
    after = replace(before, over=True, version=2)
    await service.repository.advance(before, after, None, results_of(after, match))


def test_a_game_of_a_profile_that_was_forgotten_leaves_no_result(with_service: WithService) -> None:
    """It may have been forgotten while the game was being made."""

    async def test(service: GameService) -> None:
        profiles, results = ProfileService(service), service.expiry.results
        (ann, _), (bo, _) = await profiles.create("Ann"), await profiles.create("Bo")
        await profiles.forget(ann)
        for profile in (ann, bo):
            await play_and_resign(service, profile, age=0)
        assert [len(await results.newest(one.id, 10)) for one in (ann, bo)] == [0, 1]

    with_service(Config(), test)


def test_of_games_that_ended_in_one_second_the_later_begun_is_newer(
    with_service: WithService,
) -> None:
    began = [f"2026-01-05T12:00:{second:02}Z" for second in (4, 1, 5, 3, 2)]

    async def test(service: GameService) -> None:
        profiles, results = ProfileService(service), service.expiry.results
        ann, _ = await profiles.create("Ann")
        for started in began:
            await play_and_resign(service, ann, 0, started)
        found = await results.newest(ann.id, 10)
        assert len({one.finished_at for one in found}) == 1
        assert [one.started for one in found] == sorted(began, reverse=True)

    with_service(Config(), test)


def test_there_are_only_so_many_profiles_and_results(with_service: WithService) -> None:
    async def test(service: GameService) -> None:
        profiles, results = ProfileService(service), service.expiry.results
        ann, _ = await profiles.create("Ann")
        for age in (30, 20, 10):
            await play_and_resign(service, ann, age)
        newest = await results.newest(ann.id, 2)
        await service.expiry.sweep()
        assert await results.newest(ann.id, 10) == newest
        with pytest.raises(ApiError, match="no room for more profiles"):
            await profiles.create("Bo")

    with_service(Config(profiles=1, results=2), test)


def test_of_too_many_profiles_the_oldest_that_never_played_go(with_service: WithService) -> None:
    async def test(service: GameService) -> None:
        profiles, store = ProfileService(service), service.repository
        made = [(await profiles.create(name))[0] for name in ("Ann", "Bo", "Cy", "Di")]
        async with store.transaction() as connection:
            for number, one in enumerate(made):
                mine = profile_rows.c.id == one.id
                older = update(profile_rows).where(mine)
                await connection.execute(older.values(created=f"2020-01-0{number + 1}T00:00:00Z"))
        played = new_game(GameRequest(GAME, {}, profile=made[0].id), "digest")
        await store.create(replace(played, updated_at=store.clock.now()))
        learned = [RemoveCard.of("0f" * 8, datetime.now(UTC))]
        assert await TrainingRepository(store).add(made[1].id, learned, 1) == 1
        await service.expiry.sweep()
        left = [await profiles.repository.find(one.device) for one in made]
        assert [one.name for one in left if one] == ["Ann", "Bo"]
        await profiles.create("Ed")

    with_service(Config(profiles=3), test)
