"""Browsers of people: each keeps its cookies, and so its profile and its seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import httpx
from sqlalchemy import Executable

from number_duels.web.db.repository import GameRepository
from number_duels.web.request_limits import PROFILE_COOKIE
from tests.web.people import Guest, Json
from tests.web.serving import run


@dataclass
class Browser:
    """One browser; with a name, it has a profile from the beginning."""

    http: httpx.Client
    name: str = ""

    def __post_init__(self) -> None:
        if self.name:
            self.me("POST", name=self.name)

    def me(self, method: str = "GET", what: str = "", **body: Json) -> Json:
        """What an address of the profile answers."""
        answer = self.ask(method, what, **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def ask(self, method: str, what: str = "", **body: Json) -> httpx.Response:
        path = f"/api/me/{what}".rstrip("/")
        return self.http.request(method, path, json=body if method == "POST" else None)

    @property
    def token(self) -> str | None:
        return self.http.cookies.get(PROFILE_COOKIE)

    def start(self, game: str, **wish: Json) -> Guest:
        """A new game; the seat is in the cookies."""
        answer = self.http.post("/api/games", json={"game": game, "name": self.name, **wish})
        assert answer.status_code == 201, answer.text
        return self.at(answer.json()["id"])

    def join(self, game: str) -> Guest:
        guest = self.at(game)
        answer = guest.post("seats", {"name": self.name})
        assert answer.status_code == 201, answer.text
        return guest

    def at(self, game: str) -> Guest:
        """This browser at a table, with no more than its cookies."""
        return Guest(self.http, game)

    def redeem(self, code: str, **how: bool) -> httpx.Response:
        return self.ask("POST", "redeem", code=code, **how)

    def code(self) -> str:
        code: str = self.me("POST", "code")["code"]
        return code


OpenBrowser = Callable[..., Browser]


def listed(browser: Browser, which: str = "running") -> set[str]:
    """The games that a browser shows."""
    return {line["id"] for line in browser.me()[which]}


def in_database(url: str, *statements: Executable) -> list[list[tuple[object, ...]]]:
    """What statements give, in one transaction beside the server."""

    async def ask() -> list[list[tuple[object, ...]]]:
        store = GameRepository(url)
        try:
            async with store.transaction() as connection:
                found = [await connection.execute(statement) for statement in statements]
                return [list(map(tuple, one)) if one.returns_rows else [] for one in found]
        finally:
            await store.close()

    return run(ask())
