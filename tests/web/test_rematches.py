"""A rematch is never a dead end, not even when it has gone."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.web.people import GAME, WAIT_LIMIT_S, Guest, pair
from tests.web.serving import Server


def rematch(asker: Guest) -> Guest:
    """The same person in the next game."""
    answer = asker.post("rematch")
    asker.http.cookies.clear()
    assert answer.status_code == 201, answer.text
    found = answer.json()
    return Guest(asker.http, found["id"], found["token"], found["seat"])


def test_a_rematch_that_has_expired_is_opened_anew(own_server: Callable[..., Server]) -> None:
    with own_server(expire_after="2", sweep_every="0.2").client() as http:
        one, two = pair(http, GAME)
        assert one.post("resign").status_code == 200
        gone, end = rematch(one), time.monotonic() + WAIT_LIMIT_S
        while gone.get().status_code != 404:
            assert time.monotonic() < end
            time.sleep(0.1)
        first, second = rematch(one), rematch(two)
        assert first.id == second.id != gone.id
        assert (first.view()["you"], second.view()["you"]) == (2, 1)
