"""Streams of events: at once, complete after an interruption, and who is there."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from random import Random

import httpx
import pytest

from number_duels.web.api.events import EventStream, Followed
from number_duels.web.config import Config
from number_duels.web.service.games import GameService
from number_duels.web.service.new_game import GameRequest
from tests.clock import ManualClock
from tests.patience import PATIENCE_S
from tests.review.positions import SMALL
from tests.some_games import SOME_GAMES
from tests.web.conftest import WithService
from tests.web.local import LocalServer
from tests.web.people import GAME, Guest, Stream, join, pair, play_out, start, step
from tests.web.serving import Server

SIGN = b'\nevent: alive\ndata:{"every_s": 20.0, "release": "'


@pytest.mark.parametrize("game", SOME_GAMES)
def test_every_change_reaches_everybody(http: httpx.Client, game: str) -> None:
    one, two = pair(http, game, settings=SMALL[game])
    watching = (one, two, Guest(http, one.id))
    streams = [guest.listen() for guest in watching]
    for stream in streams:
        stream.until(lambda found: found and present(found[-1]) == [True, True])
        stream.until(lambda found: found[-1]["watching"] == 1)
    rng = Random(7)
    while not one.view()["over"]:
        for guest in (one, two):
            if step(guest, rng):
                version = guest.view()["version"]
                for other, stream in zip(watching, streams, strict=True):
                    assert stream.until_version(version) == other.view()
    for stream in streams:
        versions = [view["version"] for view in stream.events]
        assert versions == sorted(versions)
        stream.close()


def test_a_stream_always_begins_with_the_current_view(http: httpx.Client) -> None:
    one, _ = pair(http, GAME)
    version = one.view()["version"]
    for last in ("0", str(version), "99", "nonsense"):
        url = f"/api/games/{one.id}/events"
        headers = {**one.headers, "Last-Event-ID": last}
        with http.stream("GET", url, headers=headers) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            lines = answer.iter_lines()
            assert f"id: {version}" in [next(lines) for _ in range(4)]


def test_who_is_there_is_seen(http: httpx.Client) -> None:
    one, two = pair(http, GAME)
    stream = one.listen()
    stream.until(lambda found: found and present(found[-1]) == [True, False])
    other = two.listen()
    stream.until(lambda found: present(found[-1]) == [True, True])
    second_tab = two.listen()
    second_tab.until_version(1)
    other.close()
    second_tab.close()
    stream.until(lambda found: present(found[-1]) == [True, False])
    stream.close()


def test_a_page_that_only_glances_at_a_game_is_not_at_its_table(http: httpx.Client) -> None:
    one, two = pair(http, GAME)
    mine = one.listen()
    mine.until(lambda found: found and present(found[-1]) == [True, False])
    cookie = {"Cookie": f"duels_{two.id}={two.token}"}
    base = str(http.base_url)
    glance = Stream(base, f"/api/events?glance={two.id}", cookie)
    assert present(glance.until(bool)[-1]) == [True, False]
    # It is told of every change all the same.
    version = one.move(1, "1").json()["version"]
    assert present(glance.until_version(version)) == [True, False]
    there = Stream(base, f"/api/events?game={two.id}&glance={two.id}", cookie)
    mine.until(lambda found: present(found[-1]) == [True, True])
    for stream in (mine, glance, there):
        stream.close()


def present(view: dict[str, list[dict[str, bool]]]) -> list[bool]:
    return [player["present"] for player in view["players"]]


def test_who_sits_down_is_seen(http: httpx.Client) -> None:
    host = start(http, GAME)
    stream = host.listen()
    assert [player["seated"] for player in stream.until_version(1)["players"]] == [True, False]
    join(host, "Zoë")
    seated = stream.until(lambda found: found[-1]["players"][1]["seated"])[-1]
    assert seated["players"][1]["name"] == "Zoë"
    stream.close()


def test_one_stream_follows_several_games(http: httpx.Client) -> None:
    first, second = start(http, GAME), start(http, GAME)
    hosts = {first.id: first, second.id: second}
    # A browser has a cookie for the stream of every game that it has just looked at.
    cookies = []
    for host in hosts.values():
        looked = http.get(
            f"/api/games/{host.id}", headers={"Cookie": f"duels_{host.id}={host.token}"}
        )
        cookie = looked.headers["set-cookie"]
        assert "Path=/api/events" in cookie
        assert "HttpOnly" in cookie
        cookies.append(cookie.partition(";")[0])
        http.cookies.clear()
    assert "set-cookie" not in first.get().headers, "a program has its token"
    several = "&".join(f"game={game}" for game in (*hosts, "nothing", first.id))
    stream = Stream(str(http.base_url), f"/api/events?{several}", {"Cookie": "; ".join(cookies)})
    shown = {view["id"]: view["you"] for view in stream.until(lambda found: len(found) == 2)}
    assert shown == {first.id: 1, second.id: 1}
    assert b'event: gone\ndata:{"id": "nothing"}' in stream.raw
    join(second)
    seated = stream.until(lambda found: found[-1]["players"][1]["seated"])[-1]
    assert seated["id"] == second.id
    first.post("resign")
    stream.until(lambda _: f'event: gone\ndata:{{"id": "{first.id}"}}'.encode() in stream.raw)
    second.post("resign")
    assert stream.until(lambda found: found[-1]["over"])[-1]["id"] == second.id
    stream.close()
    assert http.get("/api/events").status_code == 422
    assert http.get("/api/events", params={"game": ["x"] * 51}).status_code == 422


async def heard_of(service: GameService, followed: Followed) -> bytes:
    """All that a stream sends until the server ends it."""
    heard: list[bytes] = []

    async def receive() -> MutableMapping[str, object]:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: MutableMapping[str, object]) -> None:
        heard.append(bytes(message.get("body", b"")))  # type: ignore[call-overload] # always bytes

    stream = EventStream([followed], Counter(), 20.0, release="", clock=service.clock)
    async with asyncio.timeout(PATIENCE_S):
        await stream({"type": "http"}, receive, send)
    assert not followed.session.listeners
    return b"".join(heard)


def test_a_stream_that_opens_while_its_game_is_removed_says_so(with_service: WithService) -> None:
    """The request has found the game, and another removes it before the stream is connected."""

    async def test(service: GameService) -> None:
        stored, seat, _ = await service.start(GameRequest(GAME, {}), "client")
        followed = Followed(await service.find(stored.id), seat, "client")
        assert not await service.resign(followed.session, seat)
        heard = await heard_of(service, followed)
        assert f'event: gone\ndata:{{"id": "{stored.id}"}}'.encode() in heard
        assert not followed.session.presence.anybody_here

    with_service(Config(), test)


def test_a_stream_of_a_game_that_has_just_left_the_memory_ends(with_service: WithService) -> None:
    """It would hear nothing more. Its client connects again, and follows the game that is read."""

    async def test(service: GameService) -> None:
        stored, seat, _ = await service.start(GameRequest(GAME, {}), "client")
        followed = Followed(await service.find(stored.id), seat, "client")
        await service.start(GameRequest(GAME, {}), "client")
        heard = await heard_of(service, followed)
        assert b"event: gone" not in heard
        assert heard.count(b"retry: ") == 2

    with_service(Config(tables=1), test)


def until_signs(stream: Stream, number: int) -> None:
    stream.until(lambda _: stream.raw.count(SIGN) == number)


def test_a_quiet_stream_gives_signs_of_life(own_server: Callable[..., LocalServer]) -> None:
    clock = ManualClock()
    server = own_server(clock, heartbeat=20)
    with server.client() as http, server.client() as friend:
        table = start(http, GAME)
        stream = table.listen()
        for signs in (1, 2, 3):
            until_signs(stream, signs)
            if signs < 3:
                clock.until_waiting(20, after=20)
                clock.advance(20)
        # Whatever is sent is a sign of life, too.
        clock.until_waiting(20, after=20)
        clock.advance(19)
        join(Guest(friend, table.id))  # the other's connection was idle, and may be closing
        stream.until(lambda found: found[-1]["players"][1]["seated"])
        clock.advance(1)
        clock.until_waiting(19, after=19)
        assert stream.raw.count(SIGN) == 3
        stream.close()


def test_choices_at_the_same_instant_are_both_taken_once(http: httpx.Client) -> None:
    with ThreadPoolExecutor(8) as pool:
        for n in range(5):
            one, two = pair(http, GAME)
            move = one.view()["options"][n]
            calls = [pool.submit(guest.move, 1, move) for guest in (one, two) for _ in range(4)]
            assert {call.result().status_code for call in calls} == {200}
            view = one.view()
            assert (view["turn"], view["moves"]) == (2, f"{move}/{move}")
            assert view["version"] == 4, "joined, chosen, chosen: no more"


def test_different_choices_at_the_same_instant_are_taken_once(http: httpx.Client) -> None:
    with ThreadPoolExecutor(8) as pool:
        one, two = pair(http, GAME)
        calls = [pool.submit(one.move, 1, move) for move in one.view()["options"][:8]]
        statuses = [call.result().status_code for call in calls]
        assert sorted(statuses) == [200] + [409] * 7
        two.move(1, two.view()["options"][0])
        assert one.view()["moves"].startswith(str(1 + statuses.index(200)))


def test_a_server_that_is_told_to_stop_ends_its_streams(own_server: Callable[..., Server]) -> None:
    server = own_server()
    with server.client() as http:
        one, two = pair(http, GAME)
        streams = [guest.listen() for guest in (one, two)]
        for stream in streams:
            stream.until_version(1)
        assert http.get("/nothing").status_code == 404
        assert server.stop() == 0
        for stream in streams:
            stream.until_closed()
        assert server.log == "", "plain logs say nothing while all is well"
        server.restart()
        play_out((one, two), Random(0))
