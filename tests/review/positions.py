"""Small settings of every game, and random games."""

from __future__ import annotations

from random import Random

import number_duels as nd
from number_duels.core.game import SomeGame
from number_duels.core.player import AnyMatch
from tests.core.playing import take_step

SMALL: dict[str, dict[str, int | str]] = {
    "high-low-battle": {"cards": 4, "rounds": 3},
    "number-bid": {"numbers": 6},
    "number-drop": {"side": 2},
    "number-knot": {"numbers": 5, "life": 6},
    "number-stack-showdown": {"target": 13, "highest": 4, "copies": 2},
}


def random_match(game: SomeGame, seed: int) -> AnyMatch:
    match, rng = nd.Match(game, seed=seed), Random(seed)
    while take_step(match, rng.choice):
        pass
    return match
