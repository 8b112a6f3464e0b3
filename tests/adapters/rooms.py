"""PettingZoo environments for a table: wrapped, bare and parallel."""

from __future__ import annotations

from number_duels.adapters.pettingzoo import (
    AECDuel,
    OrderedDuel,
    ParallelDuel,
    env,
    parallel_env,
    raw_env,
)
from tests.core.playing import Table


def aec(table: Table, render_mode: str | None = None) -> OrderedDuel:
    return env(table.game.name, render_mode=render_mode, **table.game.settings)


def raw(table: Table, render_mode: str | None = None) -> AECDuel:
    return raw_env(table.game.name, render_mode=render_mode, **table.game.settings)


def parallel(table: Table, render_mode: str | None = None) -> ParallelDuel:
    return parallel_env(table.game.name, render_mode=render_mode, **table.game.settings)
