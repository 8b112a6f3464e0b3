"""Callers start games as fast as they can."""

from __future__ import annotations

from tests.attacks.frame import Finding, Target, answers, flood, within_expensive
from tests.web.people import GAME

BOUND = "no more games than a client may start"
SHORT_SETTINGS = {"expensive_rate": 1, "expensive_burst": 10}


def attack(target: Target) -> Finding:
    """Attack."""
    found, seconds = flood(target, [("/api/games", "")], "POST", {"game": GAME})
    held = within_expensive(target, found[201], seconds)
    return Finding(held and found.keys() <= {201, 429}, answers(found))
