"""People and programs at a table: they ask by HTTP, and listen to raw bytes."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from threading import Condition, Thread
from typing import Any
from urllib.parse import urlsplit

import httpx

from tests.patience import PATIENCE_S
from tests.some_games import SECRET

#: A game for what is the same in all of them.
GAME = SECRET
# What JSON holds is checked by what the tests look for in it.
Json = Any


@dataclass
class Guest:
    """Somebody who asks about one game: a player with a token, or a spectator without."""

    http: httpx.Client
    id: str
    token: str | None = None
    seat: int | None = None

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, what: str = "") -> httpx.Response:
        path = f"/api/games/{self.id}/{what}".rstrip("/")
        return self.http.get(path, headers=self.headers)

    def post(self, what: str, body: Json = None) -> httpx.Response:
        path = f"/api/games/{self.id}/{what}"
        return self.http.post(path, headers=self.headers, json={} if body is None else body)

    def view(self) -> Json:
        answer = self.get()
        assert answer.status_code == 200, answer.text
        return answer.json()

    def move(self, turn: int, move: str) -> httpx.Response:
        return self.post("moves", {"turn": turn, "move": move})

    def listen(self, **headers: str) -> Stream:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        path = f"/api/games/{self.id}/events"
        return Stream(str(self.http.base_url), path, {**self.headers, **named})

    def until_after(self, view: Json) -> Json:
        """Wait until somebody else has done something since a view."""
        stream = self.listen()
        found = stream.until_version(view["version"] + 1)
        stream.close()
        return found


def start(http: httpx.Client, game: str, **wish: Json) -> Guest:
    """A new game, from the seat of who starts it."""
    answer = http.post("/api/games", json={"game": game, "name": "Ann", **wish})
    http.cookies.clear()
    assert answer.status_code == 201, answer.text
    found = answer.json()
    return Guest(http, found["id"], found["token"], found["seat"])


def join(host: Guest, name: str = "Bo") -> Guest:
    """Who comes by the link."""
    answer = Guest(host.http, host.id).post("seats", {"name": name})
    host.http.cookies.clear()
    assert answer.status_code == 201, answer.text
    return Guest(host.http, host.id, answer.json()["token"], answer.json()["seat"])


def pair(http: httpx.Client, game: str, **wish: Json) -> tuple[Guest, Guest]:
    """Two people at a table, Player 1 first."""
    host = start(http, game, **wish)
    guest = join(host)
    return (host, guest) if host.seat == 1 else (guest, host)


def step(guest: Guest, rng: Random) -> bool:
    """Do what there is to do for a player, if anything."""
    view = guest.view()
    if view["draw"]:
        answer = guest.post("draw", {"turn": view["turn"]})
    elif view["options"]:
        answer = guest.move(view["turn"], rng.choice(view["options"]))
    else:
        return False
    assert answer.status_code == 200, answer.text
    return True


def until_asked(person: Guest) -> Json:
    """Go on until a person has something to choose; the view then."""
    while not (view := person.view())["options"]:
        if view["draw"]:
            assert person.post("draw", {"turn": view["turn"]}).status_code == 200
        else:
            person.until_after(view)
    return view


def play_out(guests: tuple[Guest, ...], rng: Random) -> Json:
    """Play to the end; the last view of the first."""
    while not (view := guests[0].view())["over"]:
        moved = [step(guest, rng) for guest in guests]
        if not any(moved):
            guests[0].until_after(view)
    return view


@dataclass
class Stream:
    """A stream of events, read byte by byte in the background."""

    base: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes = b""
    closed: bool = False

    def __post_init__(self) -> None:
        place = urlsplit(self.base)
        self._news = Condition()
        self._socket = socket.create_connection((place.hostname, place.port or 80))
        # The older protocol sends the stream as it is, without chunks.
        lines = [f"GET {self.path} HTTP/1.0", f"Host: {place.netloc}"]
        lines += [f"{name}: {value}" for name, value in self.headers.items()]
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode())
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while more := self._socket.recv(65536):
                with self._news:
                    self.raw += more
                    self._news.notify_all()
        except OSError:
            pass
        self._socket.close()
        with self._news:
            self.closed = True
            self._news.notify_all()

    @property
    def status(self) -> int:
        """With which it was opened, or refused."""
        with self._news:
            assert self._news.wait_for(lambda: b"\r\n" in self.raw, PATIENCE_S)
        return int(self.raw.split()[1])

    @property
    def events(self) -> list[Json]:
        """Every view that has arrived, with the id of its event."""
        found = []
        for block in self.raw.decode().split("\n\n"):
            lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
            if lines.get("event") == "view":
                view = json.loads(lines["data"])
                assert int(lines["id"]) == view["version"]
                found.append(view)
        return found

    def until(self, wanted: Callable[[list[Json]], object]) -> list[Json]:
        """Wait for what the events must show."""
        with self._news:
            if not self._news.wait_for(lambda: wanted(self.events), PATIENCE_S):
                raise AssertionError(f"this did not arrive: {self.raw[-2000:]!r}")
        return self.events

    def until_version(self, version: int) -> Json:
        """Wait for a version or a later one."""
        return self.until(lambda found: found and found[-1]["version"] >= version)[-1]

    def until_closed(self) -> None:
        """Wait for the server to end the stream."""
        with self._news:
            assert self._news.wait_for(lambda: self.closed, PATIENCE_S)

    def close(self) -> None:
        """Go away."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self.until_closed()
