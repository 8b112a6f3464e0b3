"""Opens the trainer's table with the drills of a seed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame
from number_duels.sessions.train import Plan, TrainSession
from number_duels.terminal.app.application import DuelsApp
from number_duels.terminal.app.drill import DrillScreen
from number_duels.trainer.book import BookFile
from number_duels.trainer.drills import Scope
from tests.clock import ForwardedClock
from tests.terminal.app.page_driver import settle
from tests.terminal.training import drill_plan

SEED = 3
SIZE = (80, 24)


@asynccontextmanager
async def drilling(
    game: AnyGame, scope: Scope | None = None, count: int = 3, clock: Clock | None = None
) -> AsyncIterator[tuple[DrillScreen, Pilot[int]]]:
    """The trainer's table, with the first drill that `duels train --seed 3` brings."""
    async with sitting_at(drill_plan(game, SEED, count, scope), screen_clock=clock) as found:
        yield found


@asynccontextmanager
async def sitting_at(
    plan: Plan, clock: Clock = SYSTEM_CLOCK, screen_clock: Clock | None = None
) -> AsyncIterator[tuple[DrillScreen, Pilot[int]]]:
    """The trainer's table, with the first task of a plan on it."""
    session = TrainSession(plan, BookFile(), clock)
    seen = screen_clock or ForwardedClock()
    app = DuelsApp(calm=True, opens=lambda: [DrillScreen(session)], clock=seen)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert isinstance(app.screen, DrillScreen)
        yield app.screen, pilot
