"""A table with a game on it, played at by keys, by typing or with the mouse."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import cast

from textual.pilot import Pilot
from textual.screen import Screen

from number_duels.core.clock import Clock
from number_duels.core.game import AnyGame, Seat, SomeGame
from number_duels.core.match import Match
from number_duels.core.questions import Question
from number_duels.core.record import Person
from number_duels.games import load
from number_duels.terminal.app.application import DuelsApp
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.table import TableScreen
from number_duels.terminal.saves import new_save
from tests.clock import ForwardedClock
from tests.terminal.app.idle import wait_for_idle
from tests.terminal.app.page_driver import look, seen, settle

SMALL = (80, 24)
TWO_PEOPLE = ("human", "human")
#: Games that are over soon, by name; every other game is played as it is.
SHORT: dict[str, dict[str, int]] = {
    "number-bid": {"numbers": 3},
    "high-low-battle": {"cards": 3, "rounds": 1},
    "number-stack-showdown": {"target": 14},
    "number-knot": {"numbers": 5, "life": 6},
    "number-drop": {"side": 2},
}


def short_game(name: str) -> AnyGame:
    """A game with settings that make it short."""
    return load(name, **SHORT.get(name, {}))


def new_table(
    game: SomeGame,
    who: tuple[str, str] = TWO_PEOPLE,
    *,
    seed: int = 7,
    deal: str | None = None,
    hints: bool = False,
    names: tuple[str, str] = ("Ann", "Bo"),
) -> TableScreen:
    """A table for Ann and Bo; the same seed is the same game."""
    one, two = (Person(name, kind) for name, kind in zip(names, who, strict=True))
    match = Match(
        cast("AnyGame", game), seed, deal, (one, two), started="2026-03-01T12:00:00Z", hints=hints
    )
    return TableScreen(match, new_save(match))


@dataclass(frozen=True)
class Driver:
    """Whoever sits at the table."""

    pilot: Pilot[int]
    table: TableScreen

    @property
    def choices(self) -> Choices:
        return self.table.query_one(Choices)

    @property
    def screen(self) -> Screen[object]:
        """What lies on top."""
        return self.pilot.app.screen

    def is_at_table(self) -> bool:
        return self.screen is self.table

    def is_asked(self, seat: Seat) -> bool:
        return self.table.asked is seat

    async def settle(self) -> None:
        await settle(self.pilot)

    async def press(self, *keys: str) -> None:
        """Press keys, and Enter after a look at the screen."""
        for key in keys:
            if key == "enter":
                look(self.pilot)
            await self.pilot.press(key)
            await self.settle()

    @property
    def screen_picture(self) -> str:
        """All that can be seen, in colour."""
        return self.pilot.app.export_screenshot()

    async def play(self, answer: Callable[[Driver], Awaitable[None]]) -> None:
        """Play to the end, answering every question in one way."""
        while not self.table.match.outcome:
            if self.table.asked is None:
                await self.press("enter")  # the curtain, or a card to draw
            else:
                await answer(self)
        await self.settle()


async def by_arrows(driver: Driver) -> None:
    """Mark the last answer, and play it; blind, it can only be typed."""
    if driver.choices.offer and driver.choices.offer.blind:
        await driver.press(*driver.choices.answers[-1].text, "enter")
    else:
        await driver.press("left", "enter")


async def by_mouse(driver: Driver) -> None:
    """Click the last answer."""
    choices = driver.choices
    at = choices.place_of(len(choices.answers) - 1)
    assert await driver.pilot.click(Choices, offset=at)
    await driver.settle()


async def by_notation(driver: Driver) -> None:
    """Write the whole move, as a record has it."""
    target = driver.choices.answers[-1].leads_to
    while isinstance(target, Question):
        target = target.answers[-1].leads_to
    await driver.press(*str(target), "enter")


@asynccontextmanager
async def sitting_at(
    table: TableScreen,
    size: tuple[int, int] = SMALL,
    *,
    calm: bool = True,
    clock: Clock | None = None,
) -> AsyncIterator[Driver]:
    """The application with a table open."""
    async with DuelsApp(calm=calm, clock=clock or ForwardedClock()).run_test(size=size) as pilot:
        await wait_for_idle()
        yield await sit_down(pilot, table)


async def sit_down(pilot: Pilot[int], table: TableScreen) -> Driver:
    """Open a table, and sit down at it."""
    pilot.app.push_screen(table)
    driver = Driver(pilot, table)
    await driver.settle()
    return driver


def text_of(driver: Driver) -> str:
    return seen(driver.table.duels)
