"""Without a mouse, and without looking."""

from __future__ import annotations

import pytest

import number_duels as nd
from tests.web.browser.conftest import Visit
from tests.web.browser.visitor import BUTTONS, POLLING, SOME_GAMES, Visitor

#: Where the focus is, as a person would say it.
FOCUS = "() => document.activeElement?.innerText ?? ''"
FOLLOWS = "() => document.activeElement.closest('.action') || document.querySelector('.ending')"


def tab_to(visitor: Visitor, wanted: str) -> None:
    """Press Tab until something with a name has the focus, which must be visible."""
    for _ in range(60):
        visitor.page.keyboard.press("Tab")
        if visitor.page.evaluate(FOCUS).strip() == wanted:
            outline = visitor.page.evaluate(
                "() => getComputedStyle(document.activeElement).outlineStyle"
            )
            assert outline != "none"
            return
    raise AssertionError(f"Tab does not lead to {wanted!r}.")


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_game_with_the_keyboard_alone(game: str, visit: Visit) -> None:
    ann = visit()
    page = ann.page
    page.goto("/")
    page.get_by_role("link", name=f"Play {nd.load(game).title}").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    dialog.get_by_label("A friend").focus()
    page.keyboard.press("ArrowRight")
    dialog.get_by_label("Strength").select_option("random")
    tab_to(ann, "Start the game")
    page.keyboard.press("Enter")
    page.wait_for_selector(".action button")
    page.locator(".action button").first.focus()
    spoken: set[str] = set()
    for _ in range(400):
        if ann.ended:
            break
        spoken.update(page.locator("#speak p").all_inner_texts())
        if page.locator(BUTTONS).count():
            # The focus stays with the question from step to step and from turn to turn.
            page.wait_for_function(FOLLOWS)
            page.keyboard.press("Enter")
        page.wait_for_timeout(30)
    assert ann.ended
    assert len(spoken) > 2


def test_digits_choose_and_escape_goes_back(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    for game in nd.games():
        ann.start(game, "Ann", "random")
        numbered = page.locator(".answer", has_text="3")
        if not numbered.count():
            continue
        action, prompt = page.locator(".action"), page.locator(".prompt").inner_text()
        shown = action.inner_html()
        page.keyboard.press("3")
        page.wait_for_function(
            "shown => document.querySelector('.action').innerHTML !== shown",
            arg=shown,
            polling=POLLING,
        )
        if page.get_by_role("button", name="Change").count():
            page.keyboard.press("Escape")
            assert page.locator(".prompt").inner_text() == prompt
