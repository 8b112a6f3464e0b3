"""Spectators, and what nobody may see."""

from __future__ import annotations

from tests.some_games import CARDS, SECRET
from tests.web.browser.conftest import Visit
from tests.web.browser.visitor import BUTTONS, Visitor


def texts(visitor: Visitor) -> str:
    """Everything on a page, seen or not."""
    return visitor.page.locator("main").inner_html() + visitor.page.title()


def test_a_spectator_sees_no_secret(visit: Visit) -> None:
    from playwright.sync_api import expect

    pages = []
    ann, bo, eve = visit(), visit(), visit()
    for choice in (0, -1):
        link = ann.sit_down(SECRET, "friend")
        bo.join(link, "Bo")
        eve.page.goto(link)
        eve.page.get_by_text("You are watching").wait_for()
        ann.page.locator(BUTTONS).nth(choice).click()
        ann.page.locator(".headline", has_text="You chose").wait_for()
        # Her card lies face down, and she can see what it is.
        own = ann.page.locator(".slot.seat-1")
        assert "face down" in (own.get_attribute("aria-label") or "")
        assert own.inner_text().strip() != ""
        for other in (bo, eve):
            # All that is still to arrive: her choice, who is there, and who watches.
            expect(other.page.locator(".seat-1 .doing")).to_have_text("chosen")
            expect(other.page.locator(".board .dot.here")).to_have_count(2)
            expect(other.page.locator(".company")).to_have_text("1 person is watching")
        pages.append([texts(bo), texts(eve)])
    # Whatever Ann chose, the others' pages are the same to the letter.
    assert pages[0] == pages[1]


def test_a_drawn_card_is_face_down_for_others(visit: Visit) -> None:
    ann, eve = visit(), visit()
    eve.page.goto(ann.sit_down(CARDS))
    ann.page.locator("[data-key=draw]").click()
    ann.page.locator(".held .card:not(.down)").wait_for()
    assert ann.page.locator(".card.down").count() == 0
    eve.page.locator(".held .card.down").wait_for()
