"""Callers ask the solver as fast as they can."""

from __future__ import annotations

from tests.attacks.frame import Finding, Target, answers, flood, within_expensive
from tests.web.people import GAME

BOUND = "no more questions than a client may ask"
SHORT_SETTINGS = {"expensive_rate": 1, "expensive_burst": 10}


def attack(target: Target) -> Finding:
    """Attack."""
    found, seconds = flood(target, [(f"/api/analysis?game={GAME}", "")])
    held = within_expensive(target, found.total() - found[429], seconds)
    return Finding(held and found.keys() <= {200, 429}, answers(found))
