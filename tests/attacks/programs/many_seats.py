"""Somebody who has started many games asks with the tokens of their seats, all at once."""

from __future__ import annotations

import json

from tests.attacks.frame import Finding, Target, answers, ask, flood, within
from tests.web.people import GAME

BOUND = "no more is served than all seats of one client may ask for"
SHORT_SETTINGS = {"request_rate": 20, "request_burst": 20, "waiting_requests": 30}
SEATS = 8


def attack(target: Target) -> Finding:
    """Attack."""
    seats: list[tuple[str, str]] = []
    with target.client() as client:
        for _ in range(SEATS):
            answer = ask(client, "POST", "/api/games", {"game": GAME})
            assert answer.status == 201, answer
            started = json.loads(answer.body)
            seats.append((f"/api/games/{started['id']}", started["token"]))
    found, seconds = flood(target, seats)
    held = within(target, found[200], seconds)
    return Finding(held and found.keys() <= {200, 429}, answers(found))
