"""Callers ask for drills, which the solver has to choose, as fast as they can."""

from __future__ import annotations

from tests.attacks.frame import Finding, Target, answers, flood, within_expensive
from tests.web.people import GAME

BOUND = "no more drills than a client may ask for"
SHORT_SETTINGS = {"expensive_rate": 1, "expensive_burst": 10}


def attack(target: Target) -> Finding:
    """Attack."""
    plan = {"plan": {"kind": "drill", "game": GAME}}
    found, seconds = flood(target, [("/api/train/session", "")], "POST", plan)
    held = within_expensive(target, found.total() - found[429], seconds)
    return Finding(held and found.keys() <= {200, 429}, answers(found))
