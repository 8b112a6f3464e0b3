"""Record the first answers of the page without a server, for `build_page.py`.

Python takes seconds to start in a browser. So the page answers from these files what is asked
first: the profile, the catalogue, new games against the computer, and the computer's first reply.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from number_duels.core.clock import SystemClock
from number_duels.web.pyodide import Call, LocalServer

#: The first replies are recorded for these seeds. A browser takes the next one for each game.
SEEDS = range(1, 5)
DRAW = "draw"
BAD = 300
JSON = {"content-type": "application/json"}


class StoppedClock(SystemClock):
    """Gives equal answers to equal requests."""

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC)

    def monotonic(self) -> float:
        return 0.0


class NoStorage:
    async def load(self) -> Mapping[str, bytes]:
        return {}

    async def save(self, files: Mapping[str, bytes]) -> None: ...

    async def solution(self, name: str) -> None: ...


#: What a visitor may do: the last part of the path, and the body of the request.
Action = tuple[str, Mapping[str, object]]


async def record(
    data: Path,
    games: Iterable[str],
    seeds: Sequence[int] = SEEDS,
    opponents: Container[str] | None = None,
) -> dict[str, bytes]:
    """Return the files: the first answers, and the views after each first move by kind of game.

    Games that start with numbers drawn by chance are left out. Without `opponents`, all are taken.
    """
    server = LocalServer(data, NoStorage(), StoppedClock())
    await server.open()
    recorder = Recorder(server)
    key, offered = await recorder.ask("GET", "/api/catalogue")
    prepared = {key: {**offered, "fixed": True}}
    prepared |= [await recorder.ask("GET", "/api/me")]
    prepared |= [await recorder.ask("POST", "/api/me", {"name": ""})]
    files: dict[str, bytes] = {}
    for game in games:
        for who in (opponent["who"] for opponent in json.loads(offered["body"])["opponents"]):
            if opponents is not None and who not in opponents:
                continue
            wish = {"game": game, "name": "", "opponent": who}
            name = f"{game}-{who}".replace(":", "-")
            (key, started), view = await recorder.start(wish, name)
            _, again = await recorder.start(wish, f"{name}-again")
            if view["body"] != again["body"].replace(f"{name}-again", name):
                continue
            started |= {"game": name, "seeds": len(seeds)}
            prepared |= {key: started, f"GET /api/games/{name} ": view}
            replies = await recorder.replies(wish, name, view["body"], seeds)
            files[f"replies/{name}.json"] = encode(replies)
    await server.close()
    return {"prepared.json": encode(prepared), **files}


def encode(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


class Recorder:
    """Asks a server, and returns what it answers, by method, path and body."""

    def __init__(self, server: LocalServer) -> None:
        self.server = server
        self._tries = 0

    async def ask(
        self, method: str, path: str, body: object = None, game: str = "", seed: int | None = None
    ) -> tuple[str, dict[str, Any]]:
        text = "" if body is None else encode(body).decode()
        call = Call(method, path, JSON, text.encode(), game, seed, settled=True)
        answer = await self.server.answer(call)
        assert answer.status < BAD, answer.body
        told = json.loads(answer.body)
        # The cookie has the token, too. No page reads it here.
        told |= {"token": ""} if "token" in told else {}
        found = {"status": answer.status, "body": encode(told).decode()}
        return f"{method} {path} {text}", found

    async def start(
        self, wish: object, game: str, seed: int | None = None
    ) -> tuple[tuple[str, dict[str, Any]], dict[str, Any]]:
        """Start a game. Return its answer and its view, once the computer has done its part."""
        started = await self.ask("POST", "/api/games", wish, game, seed)
        _, view = await self.ask("GET", f"/api/games/{game}")
        return started, view

    async def replies(
        self, wish: object, name: str, view: str, seeds: Sequence[int]
    ) -> dict[str, object]:
        """Return the views after each first move, by seed.

        A tree has a branch for each action: the number of the view that it leads to, and the tree
        of what can be done there before the player has moved.
        """
        views: dict[str, int] = {}

        async def grow(seed: int, view: str, done: tuple[Action, ...] = ()) -> dict[str, object]:
            tree: dict[str, object] = {}
            for what, body in actions(json.loads(view)):
                after = await self._play(wish, name, seed, (*done, (what, body)))
                number = views.setdefault(after, len(views))
                more = what == DRAW and await grow(seed, after, (*done, (what, body)))
                tree[f"{what} {encode(body).decode()}"] = [number, more or {}]
            return tree

        trees = [(seed, await grow(seed, view)) for seed in seeds]
        return {"seeds": trees, "views": [*views]}

    async def _play(self, wish: object, name: str, seed: int, done: tuple[Action, ...]) -> str:
        """Play a game of its own. Return what is seen at its end."""
        self._tries += 1
        game = f"{name}-{self._tries}"
        await self.ask("POST", "/api/games", wish, game, seed)
        for what, body in done:
            await self.ask("POST", f"/api/games/{game}/{what}", body)
        _, view = await self.ask("GET", f"/api/games/{game}")
        return str(view["body"].replace(game, name))


def actions(view: Mapping[str, Any]) -> Iterator[Action]:
    """Yield what a player can do, as `web/static/js/table.js` asks for it."""
    if view["draw"]:
        yield DRAW, {"turn": view["turn"]}
    for move in view["options"]:
        yield "moves", {"turn": view["turn"], "move": move}
