"""Callers with tokens that hold no seat ask for a game as fast as they can."""

from __future__ import annotations

import json
from secrets import token_urlsafe

from tests.attacks.frame import CLIENTS, Finding, Target, answers, ask, flood, within
from tests.web.people import GAME

BOUND = "a token that holds no seat has no share of its own"
SHORT_SETTINGS = {"request_rate": 20, "request_burst": 20, "waiting_requests": 30}


def attack(target: Target) -> Finding:
    """Attack."""
    with target.client("127.0.0.3") as client:
        started = json.loads(ask(client, "POST", "/api/games", {"game": GAME}).body)
    path = f"/api/games/{started['id']}"
    found, seconds = flood(target, [(path, token_urlsafe(32)) for _ in range(CLIENTS)])
    held = within(target, found[401], seconds)
    return Finding(held and found.keys() <= {401, 429}, answers(found))
