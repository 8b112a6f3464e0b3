"""Callers ask for drills, which the solver has to choose, as fast as they can."""

from __future__ import annotations

from tests.attacks.frame import Finding, Target, answers, flood
from tests.web.people import GAME

BOUND = "no more drills than --question-rate allows"
SHORT_SETTINGS = {"question_rate": "1", "question_burst": "10"}


def attack(target: Target) -> Finding:
    """Attack."""
    plan = {"plan": {"kind": "drill", "game": GAME}}
    found, seconds = flood(target, [("/api/train/session", "")], "POST", plan)
    config, served = target.config, found.total() - found[429]
    held = served <= config.question_burst + config.question_rate * (seconds + 1)
    return Finding(held and found.keys() <= {200, 429}, answers(found))
