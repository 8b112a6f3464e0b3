"""Pictures of the table, the curtain, the reveal, the end, the replay and the help."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pytest
from textual.pilot import Pilot

from number_duels.games import load
from number_duels.terminal.app import table as table_module
from number_duels.terminal.app.application import DuelsApp
from tests.terminal.app.tables import LARGE, SMALL, Driver, new_table

Compare: TypeAlias = Callable[..., bool]
sizes = pytest.mark.parametrize(
    "size",
    [pytest.param(SMALL, id="80x24"), pytest.param(LARGE, id="120x40", marks=pytest.mark.slow)],
)


def on_the_table(
    name: str, who: tuple[str, str], *keys: str, deal: str | None = None, hints: bool = False
) -> Callable[[Pilot[int]], Awaitable[None]]:
    """Open a table, and press some keys."""

    async def sit_down(pilot: Pilot[int]) -> None:
        await pilot.pause()
        driver = Driver(pilot, new_table(load(name), who, deal=deal, hints=hints))
        pilot.app.push_screen(driver.table)
        await driver.settle()
        for key in keys:
            await driver.press(key)

    return sit_down


TWO, RANDOM = ("human", "human"), ("human", "random")
GRIDS = "294753618 672159834"
SCREENS = {
    "drop": on_the_table("number-drop", RANDOM, "8", "3", "s", "7", "right", deal=GRIDS),
    "knot": on_the_table("number-knot", RANDOM, "s", "9", "right", "right"),
    "stack": on_the_table("number-stack-showdown", RANDOM, "enter", "k", "enter", deal="7 10 5"),
    "bid-blind": on_the_table("number-bid", TWO, "enter"),
    "curtain": on_the_table("high-low-battle", TWO, "enter", "5", "enter"),
    "end": on_the_table("number-knot", TWO, *"s9s8s1"),
    "replay": on_the_table("number-knot", TWO, *"s9s8s1", "w", "right", "right"),
    "hint": on_the_table("number-knot", TWO, *"s9s8", "h", hints=True),
    "keys": on_the_table("number-knot", TWO, "question_mark"),
}


#: Another game makes no other screen: these are looked at in one size.
SMALL_ONLY = ("knot", "stack", "bid-blind")


@pytest.mark.parametrize("name", SMALL_ONLY)
def test_small_screen(name: str, snap_compare: Compare) -> None:
    assert snap_compare(DuelsApp(calm=True), terminal_size=SMALL, run_before=SCREENS[name])


@sizes
@pytest.mark.parametrize("name", [name for name in SCREENS if name not in SMALL_ONLY])
def test_screen(name: str, size: tuple[int, int], snap_compare: Compare) -> None:
    assert snap_compare(DuelsApp(calm=True), terminal_size=size, run_before=SCREENS[name])


@sizes
def test_reveal(
    size: tuple[int, int], snap_compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "FACE_DOWN_SECONDS", 0.01)
    monkeypatch.setattr(table_module, "FACE_UP_SECONDS", 600.0)
    keys = ("enter", "7", "enter", "enter", "6", "enter")

    async def reveal(pilot: Pilot[int]) -> None:
        await on_the_table("number-bid", TWO, *keys)(pilot)
        await pilot.pause()

    assert snap_compare(DuelsApp(), terminal_size=size, run_before=reveal)


@pytest.mark.parametrize("theme", ["light", "high-contrast"])
def test_theme(theme: str, snap_compare: Compare) -> None:
    app = DuelsApp(calm=True)
    app.theme = theme
    assert snap_compare(app, terminal_size=SMALL, run_before=SCREENS["knot"])


def test_without_colour(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = DuelsApp(calm=True)
    assert snap_compare(app, terminal_size=SMALL, run_before=SCREENS["knot"])
