"""Who asks about many states has all strategies at hand: they are built once, and then opened."""

from __future__ import annotations

from collections.abc import Callable

import pyspiel  # type: ignore[import-not-found]  # OpenSpiel ships no types
import pytest

import number_duels as nd
from number_duels.adapters.batch.policies import shared_policy
from number_duels.adapters.gymnasium import DuelEnv, shared_player
from number_duels.adapters.gymnasium_vector import VectorDuel
from number_duels.adapters.open_spiel import register
from number_duels.adapters.open_spiel_policies import perfect_policy
from number_duels.solvers.cache import solutions_folder
from tests.some_games import SECRET


def spiel() -> object:
    register()
    return perfect_policy(pyspiel.load_game("python_high_low_battle(cards=4,rounds=3)"))


def forget() -> None:
    shared_player.cache_clear()
    shared_policy.cache_clear()


OPENERS: dict[str, Callable[[], object]] = {
    "one game": lambda: DuelEnv(SECRET, opponent="perfect", cards=4, rounds=3),
    "many games": lambda: VectorDuel(2, SECRET, opponent="level:2", cards=4, rounds=3),
    "OpenSpiel": spiel,
}


@pytest.mark.parametrize("opener", OPENERS.values(), ids=OPENERS)
@pytest.mark.usefixtures("own_cache")
def test_strategies_are_laid_out_for_who_plays_many_games(opener: Callable[[], object]) -> None:
    forget()
    nd.solve(nd.load(SECRET, cards=4, rounds=3))
    solved = set(solutions_folder().iterdir())
    opener()
    (arrays,) = set(solutions_folder().iterdir()) - solved
    written = arrays.stat().st_ino  # a file that is used keeps it, one that is made again does not
    forget()
    opener()
    assert arrays.stat().st_ino == written
