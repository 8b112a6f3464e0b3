"""Opens the application and gets to a page of it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from html import unescape

from textual.app import App
from textual.notifications import SeverityLevel
from textual.pilot import Pilot
from textual.widgets import Static
from textual.worker import WorkerError

from number_duels.core.clock import Clock
from number_duels.games import names
from number_duels.terminal.app.application import DuelsApp
from number_duels.terminal.app.table import PAUSE_GROUP
from tests.clock import ForwardedClock, ManualClock
from tests.terminal.app.idle import wait_for_idle

#: How long people look at a screen before they press Enter.
LOOK_SECONDS = 1.0


async def settle(pilot: Pilot[int]) -> None:
    """Wait until nothing is left to do, on the screen and beside it, but to wait for the clock."""
    await wait_for_idle()
    while working := [
        worker
        for worker in pilot.app.workers
        if not worker.is_finished and worker.group != PAUSE_GROUP
    ]:
        for worker in working:
            with suppress(WorkerError):  # the screen says what went wrong
                await worker.wait()
        await wait_for_idle()


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys, one after the other, and Enter after a look; an @ waits for the background."""
    for key in keys:
        if key == "@":
            await settle(pilot)
        else:
            if key == "enter":
                look(pilot)
            await pilot.press(key)
            await wait_for_idle()


def look(pilot: Pilot[int]) -> None:
    """Let as much time pass as it takes to see what is on the screen."""
    clock = pilot.app.clock if isinstance(pilot.app, DuelsApp) else None
    if isinstance(clock, ForwardedClock | ManualClock):
        clock.advance(LOOK_SECONDS)


class ListeningApp(DuelsApp):
    """The application, which keeps what it says at the edge of the screen."""

    def __init__(self, clock: Clock | None = None) -> None:
        super().__init__(calm=True, clock=clock or ForwardedClock())
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
    keys: Iterable[str] = (), size: tuple[int, int] = (80, 24), clock: Clock | None = None
) -> AsyncIterator[tuple[ListeningApp, Pilot[int]]]:
    """The application after some keys."""
    app = ListeningApp(clock)
    async with app.run_test(size=size) as pilot:
        await press(pilot, *keys)
        yield app, pilot


#: The keys of two games in the first menu.
KNOT_KEY, STACK_KEY = (
    str(names().index(game) + 1) for game in ("number-knot", "number-stack-showdown")
)


def seen(app: DuelsApp) -> str:
    """All that can be read on the screen."""
    shown = re.findall(r"<text[^>]*>([^<]*)", app.export_screenshot())
    return unescape("".join(shown)).replace("\N{NO-BREAK SPACE}", " ")


def rows_of(app: App[int]) -> list[str]:
    """The rows of the screen, each in its full width."""
    return [strip.text for strip in app.screen._compositor.render_strips()]


def text_of(app: DuelsApp, selector: str) -> str:
    """What a text on the screen says."""
    return str(app.screen.query_one(selector, Static).content)
