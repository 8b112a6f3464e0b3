"""Two people who play as people do, and how long each of their moves takes."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import perf_counter, sleep

from tests.attacks.frame import HOST, TIMEOUT_S, ask
from tests.web.people import GAME

THINK_S = 0.03


@dataclass
class OrdinaryGame:
    """Games one after the other, each seat on a connection of its own."""

    port: int
    failures: list[str] = field(default_factory=list)

    def play(self, going_on: Callable[[], bool], least: int = 60) -> list[float]:
        """The seconds of each move, until it is told to end and there are enough of them."""
        found: list[float] = []
        seats = [self._client(), self._client()]
        while going_on() or len(found) < least:
            found += self._one_game(seats, going_on, least - len(found))
            if self.failures:
                break
        for seat in seats:
            seat.close()
        return found

    def _client(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(HOST, self.port, timeout=TIMEOUT_S)

    def _one_game(
        self, seats: list[http.client.HTTPConnection], going_on: Callable[[], bool], least: int
    ) -> list[float]:
        started = self._post(seats[0], "/api/games", {"game": GAME, "name": "Ann"})
        path = f"/api/games/{started.get('id')}"
        joined = self._post(seats[1], f"{path}/seats", {"name": "Bo"})
        tokens = [str(started.get("token")), str(joined.get("token"))]
        times: list[float] = []
        over = False
        while not over and not self.failures and (going_on() or len(times) < least):
            for seat, token in zip(seats, tokens, strict=True):
                sleep(THINK_S)
                began = perf_counter()
                view = self._ask(seat, "GET", path, None, token)
                if not view.get("options"):
                    over = bool(view.get("over"))
                    continue
                options = view["options"]
                assert isinstance(options, list)
                body = {"turn": view["turn"], "move": options[0]}
                over = bool(self._ask(seat, "POST", f"{path}/moves", body, token).get("over"))
                times.append(perf_counter() - began)
        return times

    def _post(self, seat: http.client.HTTPConnection, path: str, body: object) -> dict[str, object]:
        return self._ask(seat, "POST", path, body, None)

    def _ask(
        self,
        seat: http.client.HTTPConnection,
        method: str,
        path: str,
        body: object,
        token: str | None,
    ) -> dict[str, object]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = ask(seat, method, path, body, **headers)
        if answer.status not in (200, 201):
            self.failures.append(f"{method} {path}: {answer.status} {answer.body[:80]!r}")
            return {}
        found: dict[str, object] = json.loads(answer.body)
        return found


def p99_ms(times: list[float]) -> float:
    """The 99th percentile, in milliseconds.

    Who waits asks nothing meanwhile, so a long wait counts for those that it kept from asking.
    """
    found = sorted(left for time in times for left in waits(time))
    return found[min(len(found) - 1, int(len(found) * 0.99))] * 1000 if found else float("inf")


def waits(time: float) -> Iterator[float]:
    """A wait, and those of who would have asked during it."""
    while time > 0:
        yield time
        time -= 2 * THINK_S
