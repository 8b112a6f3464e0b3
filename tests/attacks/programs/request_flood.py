"""Callers without a seat ask for games, pages and files as fast as they can."""

from __future__ import annotations

from number_duels.web.request_limits import COSTS
from tests.attacks.frame import Finding, Target, answers, flood, within

BOUND = "no more is served than a client may ask for; nobody is cut off"
SHORT_SETTINGS = {"request_rate": 20, "request_burst": 20, "waiting_requests": 30}
PATHS = ("/api/games/nothing", "/", "/nothing", "/static/favicon.svg", "/api/catalogue")


def attack(target: Target) -> Finding:
    """Attack."""
    found, seconds = flood(target, [(path, "") for path in PATHS])
    # A file counts as the least.
    served = (found.total() - found[429]) * COSTS["/static/"]
    held = within(target, served, seconds) and not found[0]
    return Finding(held, answers(found))
