"""What one caller can take from the others, or keep, by the addresses of pages and profiles."""

from __future__ import annotations

import httpx
import pytest

from number_duels.web.request_limits import PROFILE_COOKIE
from tests.web.browsers import OpenBrowser
from tests.web.people import GAME, Stream, start
from tests.web.serving import Server


@pytest.mark.parametrize("game", ["%00", "%ED%A0%80", "x" * 5000, "a b"])
def test_a_page_of_no_game_is_never_asked_of_the_database(http: httpx.Client, game: str) -> None:
    """Games are read together: what the database cannot read would take others with it."""
    answer = http.get(f"/play/{game}", headers={"Accept": "text/html"})
    assert answer.status_code == 404


def test_a_stream_of_several_games_counts_as_many_streams(strict_server: Server) -> None:
    with strict_server.client() as http:
        games = [start(http, GAME).id for _ in range(4)]
        asked = "&".join(f"game={game}" for game in games)
        stream = Stream(strict_server.url, f"/api/events?{asked}")
        assert stream.status == 429
        stream.close()


def test_who_sends_a_token_has_no_profile(browser: OpenBrowser) -> None:
    """The check of where a request comes from lets those pass who send one."""
    ann = browser("Ann")
    sent = {"Authorization": "Basic eDp5", "Origin": "https://elsewhere.example"}
    assert ann.http.get("/api/me", headers=sent).json()["created"] is None
    ann.http.delete("/api/me", headers={**sent, "Cookie": f"{PROFILE_COOKIE}={ann.token}"})
    assert ann.http.post("/api/me/code", headers=sent, json={}).status_code == 401


def test_a_forgotten_profile_follows_no_game(server: Server, browser: OpenBrowser) -> None:
    ann, phone = browser("Ann"), browser()
    table = ann.start(GAME)
    phone.redeem(ann.code())
    addresses = (f"/api/games/{table.id}/events", f"/api/events?game={table.id}")
    cookies = {"Cookie": f"{PROFILE_COOKIE}={phone.token}"}
    streams = [Stream(server.url, address, cookies) for address in addresses]
    for stream in streams:
        assert stream.until(bool)[0]["you"] == 1
    assert ann.ask("DELETE").status_code == 204
    assert table.move(1, table.view()["options"][0]).status_code == 200
    for stream in streams:
        stream.until_closed()
        assert not any(view["choice"] for view in stream.events)
        stream.close()


def test_a_client_makes_a_few_profiles_at_once(strict_server: Server) -> None:
    with strict_server.client() as http:
        http.headers["X-Forwarded-For"] = "192.0.2.77"  # a client that no other test is
        made = []
        for name in ("Ann", "Bo", "Cy", "Di", "Eve"):
            http.cookies.clear()
            made.append(http.post("/api/me", json={"name": name}).status_code)
        assert made == [200, 200, 200, 200, 429]
