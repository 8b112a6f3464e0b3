"""Opens the trainer's table with the drills of a seed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from typing import ParamSpec

from textual.pilot import Pilot

from number_duels.core.game import AnyGame
from number_duels.terminal.app.application import DuelsApp
from number_duels.terminal.app.train.drill import DrillScreen
from number_duels.terminal.train.sitting import Tasks
from number_duels.terminal.train.tasks import DrillTasks
from number_duels.trainer.drills import Scope
from number_duels.trainer.learner import Learner
from tests.terminal.app.page_driver import settle

P = ParamSpec("P")
SEED = 3
SIZE = (80, 24)


def awaited(test: Callable[P, Coroutine[None, None, None]]) -> Callable[P, None]:
    """A test that waits for an application."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        asyncio.run(test(*args, **kwargs))

    return run


def app_with(game: AnyGame, scope: Scope | None = None, count: int = 3) -> DuelsApp:
    """The application with the drills that `duels train --seed 3` brings."""
    tasks = DrillTasks(game, scope or Scope(), Learner(), SEED, count)
    return DuelsApp(calm=True, opens=lambda: [DrillScreen(tasks)])


@asynccontextmanager
async def drilling(
    game: AnyGame, scope: Scope | None = None, count: int = 3
) -> AsyncIterator[tuple[DrillScreen, Pilot[int]]]:
    """The trainer's table, with the first drill on it."""
    async with opened_app(app_with(game, scope, count)) as found:
        yield found


@asynccontextmanager
async def sitting_at(tasks: Tasks) -> AsyncIterator[tuple[DrillScreen, Pilot[int]]]:
    """The trainer's table, with the first of some tasks on it."""
    app = DuelsApp(calm=True, opens=lambda: [DrillScreen(tasks)])
    async with opened_app(app) as found:
        yield found


@asynccontextmanager
async def opened_app(app: DuelsApp) -> AsyncIterator[tuple[DrillScreen, Pilot[int]]]:
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, DrillScreen)
        yield app.screen, pilot
