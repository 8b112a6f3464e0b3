"""Opens the trainer's table with the drills of a seed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from number_duels.core.game import AnyGame
from number_duels.terminal.app.application import DuelsApp
from number_duels.terminal.app.train.drill import DrillScreen
from number_duels.terminal.train.sitting import Tasks
from number_duels.terminal.train.tasks import DrillTasks
from number_duels.trainer.drills import Scope
from number_duels.trainer.learner import Learner
from tests.terminal.app.page_driver import settle

SEED = 3
SIZE = (80, 24)


@asynccontextmanager
async def drilling(
    game: AnyGame, scope: Scope | None = None, count: int = 3
) -> AsyncIterator[tuple[DrillScreen, Pilot[int]]]:
    """The trainer's table, with the first drill that `duels train --seed 3` brings."""
    async with sitting_at(DrillTasks(game, scope or Scope(), Learner(), SEED, count)) as found:
        yield found


@asynccontextmanager
async def sitting_at(tasks: Tasks) -> AsyncIterator[tuple[DrillScreen, Pilot[int]]]:
    """The trainer's table, with the first of some tasks on it."""
    app = DuelsApp(calm=True, opens=lambda: [DrillScreen(tasks)])
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, DrillScreen)
        yield app.screen, pilot
