"""Callers ask for the whole catalogue, the largest answer that there is, as fast as they can."""

from __future__ import annotations

from number_duels.web.request_limits import COSTS
from tests.attacks.frame import Finding, Target, answers, flood, within

BOUND = "no more is served than a client may ask for, each as three requests"
SHORT_SETTINGS = {"request_rate": 20, "request_burst": 20, "waiting_requests": 30}


def attack(target: Target) -> Finding:
    """Attack."""
    found, seconds = flood(target, [("/api/catalogue", "")])
    held = within(target, found[200] * COSTS["/api/catalogue"], seconds)
    return Finding(held and found.keys() <= {200, 429}, answers(found))
