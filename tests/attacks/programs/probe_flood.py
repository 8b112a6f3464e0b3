"""Callers ask whether the server is ready, and for its figures, as fast as they can."""

from __future__ import annotations

from number_duels.web.request_limits import COSTS
from tests.attacks.frame import Finding, Target, answers, flood, within

BOUND = "no more is served than a client may ask for, each as ten requests"
SHORT_SETTINGS = {"request_rate": 20, "request_burst": 20, "waiting_requests": 30}


def attack(target: Target) -> Finding:
    """Attack."""
    found, seconds = flood(target, [("/readyz", ""), ("/metrics", ""), ("/healthz", "")])
    held = within(target, found[200] * COSTS["/readyz"], seconds)
    return Finding(held and found.keys() <= {200, 429}, answers(found))
