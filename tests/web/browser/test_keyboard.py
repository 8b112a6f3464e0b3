"""Without a mouse, and without looking."""

from __future__ import annotations

from random import Random

import pytest

import number_duels as nd
from tests.web.browser.conftest import Visit
from tests.web.browser.test_computer import short
from tests.web.browser.visitor import BUTTONS, CHANGED, POLLING, SOME_GAMES, Visitor

#: Where the focus is, as a person would say it.
FOCUS = "() => document.activeElement?.innerText ?? ''"
FOLLOWS = """() => document.activeElement.closest('.board .offer')
  || document.querySelector('.ending')"""


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
    dialog.get_by_text("Settings", exact=True).click()
    for setting, value in short(game).items():
        dialog.locator(f"[name=set-{setting}]").fill(str(value))
    tab_to(ann, "Start the game")
    page.keyboard.press("Enter")
    page.wait_for_selector(BUTTONS)
    page.locator(BUTTONS).first.focus()
    spoken: list[str] = []
    for _ in range(400):
        if ann.ended:
            break
        spoken += [
            text for text in page.locator("#speak p").all_inner_texts() if text not in spoken
        ]
        if page.locator(BUTTONS).count():
            # The focus stays on the board from step to step and from turn to turn.
            page.wait_for_function(FOLLOWS)
            page.keyboard.press("Enter")
        page.wait_for_timeout(30)
    assert ann.ended
    assert len(spoken) > 2


def focused(visitor: Visitor) -> str:
    """What has the focus, as it is read out."""
    found = visitor.page.evaluate(
        """() => document.activeElement.getAttribute("aria-label")
          ?? document.activeElement.innerText"""
    )
    return str(found)


def shown(visitor: Visitor) -> str:
    return str(visitor.page.locator(".board-place").get_attribute("data-shown"))


def test_a_key_finds_and_enter_plays(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    for game in nd.games():
        ann.sit_down(game)
        page.locator(BUTTONS).first.wait_for()
        tile = page.locator(".board .offer[data-tile]", has_text="3").first
        if not tile.count():
            continue
        prompt, before = page.locator(".prompt").inner_text(), shown(ann)
        # A stray digit plays nothing: it only finds the number.
        page.keyboard.press("3")
        assert focused(ann) == tile.get_attribute("aria-label")
        # Arrows go over the board, as far as there is something to touch.
        seen = set()
        for arrow in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown", "ArrowRight"):
            page.keyboard.press(arrow)
            seen.add(focused(ann))
        assert len(seen) > 1
        assert shown(ann) == before
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        page.wait_for_function(CHANGED, arg=before, polling=POLLING)
        if page.get_by_role("button", name="Change 3").count():
            page.keyboard.press("Escape")
            assert page.locator(".prompt").inner_text() == prompt
            assert page.locator(".chosen").count() == 0


@pytest.mark.parametrize("game", SOME_GAMES)
def test_a_turn_is_announced_once(game: str, visit: Visit) -> None:
    ann, bo = visit(), visit()
    bo.join(ann.sit_down(game, "friend", settings=short(game)), "Bo")
    page = ann.page
    page.locator(".headline", has_text="Your turn").wait_for()
    page.evaluate(
        """() => {
          window.said = [];
          new MutationObserver((changes) => window.said.push(...changes.flatMap(
            (change) => [...change.addedNodes].map((node) => node.textContent))
          )).observe(document.getElementById("speak"), { childList: true });
        }"""
    )
    while page.locator(".log li .turn", has_text="1").count() == 0:
        if not ann.press_any(Random(1)):
            bo.press_any(Random(1))
    about = page.evaluate(
        "() => window.said.filter((text) => /Your turn|Bo is to move/.test(text))"
    )
    assert len(about) == 1, about
