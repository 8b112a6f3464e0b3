"""Somebody who has started many games asks with the tokens of their seats, all at once."""

from __future__ import annotations

import json

from tests.attacks.frame import Finding, Target, answers, ask, flood, within
from tests.web.people import GAME

BOUND = "no more is served than --client-seats-rate allows to all seats of one client"
SHORT_SETTINGS = {"client_seats_rate": "20", "client_seats_burst": "50"}
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
    (found, seconds), config = flood(target, seats), target.config
    held = within(found[200], config.client_seats_rate, config.client_seats_burst, seconds)
    return Finding(held and found.keys() <= {200, 429}, answers(found))
