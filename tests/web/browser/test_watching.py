"""Spectators, and what nobody may see."""

from __future__ import annotations

import pytest

import number_duels as nd
from tests.web.browser.conftest import Visit
from tests.web.browser.visitor import BUTTONS, Visitor


def texts(visitor: Visitor) -> str:
    """Everything on a page, seen or not."""
    return visitor.page.locator("main").inner_html() + visitor.page.title()


def first_turn(game: str) -> object:
    """What a game begins with."""
    loaded = nd.load(game)
    return loaded.turn(loaded.start())


def is_secret(game: str) -> bool:
    """Whether both choose at once."""
    turn = first_turn(game)
    return isinstance(turn, nd.Decision) and len(turn.options) == 2


FIRST, *OTHERS = filter(is_secret, nd.games())


@pytest.mark.parametrize(
    "game", [FIRST, *(pytest.param(game, marks=pytest.mark.slow) for game in OTHERS)]
)
def test_a_spectator_sees_no_secret(game: str, visit: Visit) -> None:
    pages = []
    ann, bo, eve = visit(), visit(), visit()
    for choice in (0, -1):
        link = ann.sit_down(game, "friend")
        bo.join(link, "Bo")
        eve.page.goto(link)
        eve.page.get_by_text("You are watching").wait_for()
        ann.page.locator(BUTTONS).nth(choice).click()
        ann.page.locator(".headline", has_text="You have chosen").wait_for()
        # Her card lies face down, and she can see what it is.
        own = ann.page.locator(".slot.seat-1")
        assert "face down" in (own.get_attribute("aria-label") or "")
        assert own.inner_text().strip() != ""
        for other in (bo, eve):
            other.page.locator(".seat-1 .doing", has_text="chosen").wait_for()
        pages.append([texts(bo), texts(eve)])
    # Whatever Ann chose, the others' pages are the same to the letter.
    assert pages[0] == pages[1]


@pytest.mark.parametrize(
    "game", [game for game in nd.games() if isinstance(first_turn(game), nd.Chance)]
)
def test_a_drawn_card_is_face_down_for_others(game: str, visit: Visit) -> None:
    ann, eve = visit(), visit()
    link = ann.sit_down(game)
    eve.page.goto(link)
    ann.page.locator("[data-key=draw]").click()
    ann.page.locator(BUTTONS).first.wait_for()
    assert ann.page.locator(".card.down").count() == 0
    eve.page.locator(".card.down").wait_for()
