"""Opens the application and gets to a page of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from textual.notifications import SeverityLevel
from textual.pilot import Pilot
from textual.widgets import Static

from number_duels.terminal.app.application import DuelsApp

#: One piece of work may begin another when it is done, and that a third.
ROUNDS_OF_WORK = 3


async def settle(pilot: Pilot[int]) -> None:
    """Wait for all that goes on in the background."""
    for _ in range(ROUNDS_OF_WORK):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys, one after the other; an @ waits for the background."""
    for key in keys:
        if key == "@":
            await settle(pilot)
        else:
            await pilot.press(key)
    await pilot.pause()


class ListeningApp(DuelsApp):
    """The application, which keeps what it says at the edge of the screen."""

    def __init__(self) -> None:
        super().__init__(calm=True)
        self.notices: list[str] = []

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        self.notices.append(message)
        super().notify(message, title=title, severity=severity, timeout=timeout, markup=markup)


@asynccontextmanager
async def opened(
    keys: Iterable[str] = (), size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[ListeningApp, Pilot[int]]]:
    """The application after some keys."""
    app = ListeningApp()
    async with app.run_test(size=size) as pilot:
        await press(pilot, *keys)
        yield app, pilot


def text_of(app: DuelsApp, selector: str) -> str:
    """What a text on the screen says."""
    return str(app.screen.query_one(selector, Static).content)
