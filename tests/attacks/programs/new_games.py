"""Callers start games as fast as they can."""

from __future__ import annotations

from tests.attacks.frame import Finding, Target, answers, flood
from tests.web.people import GAME

BOUND = "no more games than --new-game-rate allows"
SHORT_SETTINGS = {"new_game_rate": "1", "new_game_burst": "10"}


def attack(target: Target) -> Finding:
    """Attack."""
    found, seconds = flood(target, [("/api/games", "")], "POST", {"game": GAME})
    config = target.config
    held = found[201] <= config.new_game_burst + config.new_game_rate * (seconds + 1)
    return Finding(held and found.keys() <= {201, 429}, answers(found))
