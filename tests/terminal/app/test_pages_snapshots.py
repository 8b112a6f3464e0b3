"""What every page around the table looks like, in a small and in a large terminal."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from number_duels.terminal.app.application import DuelsApp
from tests.terminal.app.page_driver import press, settle
from tests.terminal.app.samples import save_samples

SIZES = {"80x24": (80, 24), "120x40": (120, 40)}
#: The keys that lead from the first screen to a page; an @ waits for the background.
PAGES = {
    "home": [],
    "new-game": ["4"],
    "saved-games": ["s"],
    "review": ["s", "r", "@", "m"],
    "analysis": ["s", "r", "@", "right", "a", "@"],
    "statistics": ["t", "@"],
    "settings": ["e"],
    "rules": ["r", "right", "right"],
}


async def follow(pilot: Pilot[int], keys: list[str]) -> None:
    await press(pilot, *keys)
    await settle(pilot)


@pytest.mark.parametrize("size", ["80x24", pytest.param("120x40", marks=pytest.mark.slow)])
@pytest.mark.parametrize("page", PAGES)
def test_every_page_looks_as_it_did(
    page: str, size: str, snap_compare: Callable[..., bool]
) -> None:
    save_samples()
    assert snap_compare(
        DuelsApp(calm=True),
        terminal_size=SIZES[size],
        run_before=lambda pilot: follow(pilot, PAGES[page]),
    )


def test_a_newcomer_is_told_what_to_do(snap_compare: Callable[..., bool]) -> None:
    assert snap_compare(
        DuelsApp(calm=True),
        terminal_size=(80, 24),
        run_before=lambda pilot: follow(pilot, ["t", "@"]),
    )


def test_a_question_lies_over_the_page(snap_compare: Callable[..., bool]) -> None:
    save_samples()
    assert snap_compare(
        DuelsApp(calm=True),
        terminal_size=(80, 24),
        run_before=lambda pilot: follow(pilot, ["s", "d"]),
    )


@pytest.mark.parametrize("theme", ["light", "high-contrast"])
def test_every_theme_has_its_colours(theme: str, snap_compare: Callable[..., bool]) -> None:
    save_samples()
    steps = 1 if theme == "light" else 2
    keys = ["e", *["right"] * steps, "q", "s", "r", "@", "m"]
    assert snap_compare(
        DuelsApp(calm=True),
        terminal_size=(80, 24),
        run_before=lambda pilot: follow(pilot, keys),
    )
