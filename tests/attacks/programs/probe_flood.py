"""Callers ask whether the server is ready, and for its figures, as fast as they can."""

from __future__ import annotations

from tests.attacks.frame import Finding, Target, answers, flood, within

BOUND = "no more is served than --probe-rate allows"
SHORT_SETTINGS = {"probe_rate": "10", "probe_burst": "20"}


def attack(target: Target) -> Finding:
    """Attack."""
    found, seconds = flood(target, [("/readyz", ""), ("/metrics", ""), ("/healthz", "")])
    config = target.config
    held = within(found[200], config.probe_rate, config.probe_burst, seconds)
    return Finding(held and found.keys() <= {200, 429}, answers(found))
