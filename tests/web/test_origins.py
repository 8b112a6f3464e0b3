"""A browser's seat: a cookie that no script reads, and that no other site can use."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest

from tests.web.people import GAME
from tests.web.serving import Server


@pytest.fixture
def browser(http: httpx.Client) -> httpx.Client:
    """A client that keeps its cookies."""
    return http


def test_the_cookie_of_a_game_holds_its_seat(browser: httpx.Client) -> None:
    answer = browser.post("/api/games", json={"game": GAME})
    game = answer.json()["id"]
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"duels_{game}={answer.json()['token']};")
    for part in ("HttpOnly", "SameSite=strict", f"Path=/api/games/{game}"):
        assert part in cookie
    view = browser.get(f"/api/games/{game}").json()
    assert view["you"] == 1
    body = {"turn": 1, "move": view["options"][0]}
    assert browser.post(f"/api/games/{game}/moves", json=body).status_code == 200
    browser.cookies.clear()
    assert browser.get(f"/api/games/{game}").json()["you"] is None


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": "http://[::1"},
        {"Origin": "\\"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_another_origin_cannot_submit(browser: httpx.Client, headers: dict[str, str]) -> None:
    game = browser.post("/api/games", json={"game": GAME}).json()["id"]
    view = browser.get(f"/api/games/{game}").json()
    body = {"turn": 1, "move": view["options"][0]}
    for what in ("moves", "resign", "rematch", "draw", "seats"):
        answer = browser.post(f"/api/games/{game}/{what}", json=body, headers=headers)
        assert answer.status_code == 403
        assert list(answer.json()) == ["error"]
    for path in ("/api/games", "/api/me", "/api/me/code", "/api/me/redeem"):
        assert browser.post(path, json={"game": GAME}, headers=headers).status_code == 403
    assert browser.delete("/api/me", headers=headers).status_code == 403
    assert browser.get(f"/api/games/{game}").json() == view


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "127.0.0.1:99", "[::1]:8000", "localhost", "LOCALHOST:8000", "192.0.2.7"],
)
def test_an_address_is_always_ours(browser: httpx.Client, host: str) -> None:
    assert browser.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "[::1", "1.2.3", ""])
def test_a_name_that_is_not_ours_is_refused(browser: httpx.Client, host: str) -> None:
    for path in ("/", "/api/catalogue", "/static/favicon.svg"):
        answer = browser.get(path, headers={"Host": host})
        assert answer.status_code == 421
        assert "--public-host" in answer.json()["error"]
        assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_names_are_ours_that_whoever_runs_the_server_says(
    own_server: Callable[..., Server],
) -> None:
    with own_server(public_host="games.example.org, Duels.Test").client() as http:
        for host, status in {
            "games.example.org": 200,
            "GAMES.example.org:8443": 200,
            "duels.test.": 200,
            "example.org": 421,
            "x.games.example.org": 421,
        }.items():
            assert http.get("/", headers={"Host": host}).status_code == status
        own = {"Host": "games.example.org:8443", "Origin": "https://games.example.org:8443"}
        assert http.post("/api/games", json={"game": GAME}, headers=own).status_code == 201


def test_a_form_of_another_site_is_no_move(browser: httpx.Client) -> None:
    game = browser.post("/api/games", json={"game": GAME}).json()["id"]
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        content = '{"turn": 1, "move": "1"}'
        answer = browser.post(
            f"/api/games/{game}/moves", content=content, headers={"Content-Type": kind}
        )
        assert answer.status_code == 422
    assert browser.get(f"/api/games/{game}").json()["chosen"] == []


def test_nobody_is_invited_to_read_across_origins(browser: httpx.Client) -> None:
    origin = {"Origin": "https://elsewhere.example"}
    for path in ("/", "/api", "/api/catalogue", "/healthz", "/static/favicon.svg"):
        answer = browser.get(path, headers=origin)
        assert answer.status_code == 200
        assert "access-control-allow-origin" not in answer.headers
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/", "/play/any", f"/rules/{GAME}", f"/analysis/{GAME}"])
def test_every_page_has_a_strict_policy(browser: httpx.Client, path: str) -> None:
    answer = browser.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == (404 if path == "/play/any" else 200)
    assert answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "<script>" not in answer.text
    assert "duels_" not in answer.text
