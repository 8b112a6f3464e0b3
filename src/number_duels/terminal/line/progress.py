"""Solving a game with a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from number_duels.core.progress_bar import progress_bar
from number_duels.terminal.errors import refusing
from number_duels.terminal.line.console import command, note, thinking

if TYPE_CHECKING:
    from number_duels.core.game import AnyGame
    from number_duels.review.position import AnySolution


@contextmanager
def preparation(label: str, game: AnyGame) -> Iterator[Callable[[float], None]]:
    from number_duels.solvers.solver import LARGE_CACHE_BYTES, bytes_to_cache

    growth = 0
    with suppress(ValueError):  # solving reports an unsolvable game
        growth = bytes_to_cache(game)
    if growth > LARGE_CACHE_BYTES and sys.stderr.isatty():
        note(f"Solving {game.title}. This takes less than a minute and happens only once.")
        note(f"Its solution takes {growth / 1e6:.0f} MB in the cache; see: {command('cache')}")
    with thinking(), progress_bar(label, at_once=growth > 0) as report:
        yield report


def solved(game: AnyGame, *, arrays: bool = False) -> AnySolution:
    from number_duels.solvers import solve

    with refusing(), preparation(f"Solving {game.title}", game) as report:
        solution: AnySolution = solve(game, progress=report)
    if solution.warning:
        note(solution.warning)
    if arrays:
        with refusing(), thinking(), progress_bar(f"Getting {game.title} ready") as report:
            solution.open_arrays(report)
    return solution
