"""A rematch is never a dead end, not even when it has gone."""

from __future__ import annotations

from collections.abc import Callable

from tests.clock import ManualClock
from tests.web.local import LocalServer
from tests.web.people import GAME, Guest, pair


def rematch(asker: Guest) -> Guest:
    """The same person in the next game."""
    answer = asker.post("rematch")
    asker.http.cookies.clear()
    assert answer.status_code == 201, answer.text
    found = answer.json()
    return Guest(asker.http, found["id"], found["token"], found["seat"])


def test_a_rematch_that_has_expired_is_opened_anew(own_server: Callable[..., LocalServer]) -> None:
    clock = ManualClock()
    server = own_server(clock, expire_after=60)
    with server.client() as http:
        one, two = pair(http, GAME)
        assert one.post("resign").status_code == 200
        gone = rematch(one)
        server.advance(61)
        assert gone.get().status_code == 404
        first, second = rematch(one), rematch(two)
        assert first.id == second.id != gone.id
        assert (first.view()["you"], second.view()["you"]) == (2, 1)
