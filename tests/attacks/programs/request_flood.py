"""Callers without a seat ask for games, pages and files as fast as they can."""

from __future__ import annotations

from tests.attacks.frame import Finding, Target, answers, flood, within

BOUND = "no more is served than --client-rate and --file-rate allow; nobody is cut off"
SHORT_SETTINGS = {
    "client_rate": "20",
    "client_burst": "50",
    "file_rate": "20",
    "file_burst": "50",
}
PATHS = ("/api/games/nothing", "/", "/nothing", "/static/favicon.svg")


def attack(target: Target) -> Finding:
    """Attack."""
    found, seconds = flood(target, [(path, "") for path in PATHS])
    config = target.config
    served = found.total() - found[429]
    rate, burst = config.client_rate + config.file_rate, config.client_burst + config.file_burst
    held = within(served, rate, burst, seconds) and not found[0]
    return Finding(held, answers(found))
