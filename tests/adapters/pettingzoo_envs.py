"""PettingZoo environments for a table (wrapped, bare and parallel), and PettingZoo's own tests."""

from __future__ import annotations

import warnings

import pytest

from number_duels.adapters.pettingzoo import (
    AECDuel,
    OrderedDuel,
    ParallelDuel,
    env,
    parallel_env,
    raw_env,
)
from tests.core.playing import Table

with warnings.catch_warnings():
    # Where pygame is installed, PettingZoo's tests load its own games in a way that it deprecates.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import (  # type: ignore[import-untyped]  # PettingZoo has no types
        api_test,
        parallel_api_test,
        parallel_seed_test,
        render_test,
        seed_test,
        state_test,
    )

__all__ = [
    "api_test",
    "parallel_api_test",
    "parallel_seed_test",
    "render_test",
    "seed_test",
    "state_test",
]

# PettingZoo knows by name which of its own environments observe dictionaries, and warns of others.
dictionaries = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)
# Where nothing is left and nobody leads, an observation of zeros is the truth.
zeros = pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros:UserWarning")


def aec(table: Table, render_mode: str | None = None) -> OrderedDuel:
    return env(table.game.name, render_mode=render_mode, **table.game.settings)


def raw(table: Table, render_mode: str | None = None) -> AECDuel:
    return raw_env(table.game.name, render_mode=render_mode, **table.game.settings)


def parallel(table: Table, render_mode: str | None = None) -> ParallelDuel:
    return parallel_env(table.game.name, render_mode=render_mode, **table.game.settings)
