"""A turn as it is seen: cards lie face down, turn over together, and nothing holds anybody up."""

from __future__ import annotations

from random import Random

import number_duels as nd
from tests.some_games import SECRET, both_choose
from tests.web.browser.conftest import Visit
from tests.web.browser.test_board import centre
from tests.web.browser.visitor import BUTTONS, Visitor, short

#: Stop everything that moves from now on, as soon as it is made, until all is finished.
HOLD = """() => {
  const animate = Element.prototype.animate;
  window.moving = [];
  Element.prototype.animate = function (...told) {
    const made = animate.apply(this, told);
    if (window.moving) {
      made.pause();
      window.moving.push(made);
    }
    return made;
  };
}"""
SET_TIME = "(time) => { for (const each of window.moving) each.currentTime = time }"
FINISH = "() => { for (const each of window.moving) each.finish(); window.moving = null }"
HELD = "() => window.moving.length"
#: How far each card is turned: -1 is face down, 1 is face up.
FACES = """() => [...document.querySelectorAll(".slot .played")].map(
  (card) => Math.round(new DOMMatrix(getComputedStyle(card).transform).m11))"""
COUNT_ANIMATIONS = """() => {
  const animate = Element.prototype.animate;
  window.animated = 0;
  window.seen = new Set();
  Element.prototype.animate = function (...told) {
    window.animated += 1;
    window.seen.add(document.querySelector(".board-place").dataset.shown);
    return animate.apply(this, told);
  };
}"""
#: A game in which one moves after the other.
OPEN = next(name for name in nd.games() if not both_choose(name))


def turns_told(visitor: Visitor) -> int:
    return visitor.page.locator(".log .turn", has_text="1").count()


def test_both_cards_lie_face_down_and_turn_over_together(visit: Visit) -> None:
    ann = visit(reduced_motion="no-preference")
    page = ann.page
    ann.sit_down(SECRET, settings={"rounds": 3})
    page.locator(".slot.seat-2.down").wait_for()
    page.evaluate(HOLD)
    page.locator(BUTTONS).nth(6).click()
    page.wait_for_function(HELD)
    assert page.evaluate(HELD) > 4
    frames = {}
    for time in range(0, 2400, 60):
        page.evaluate(SET_TIME, time)
        frames[time] = page.evaluate(FACES)
    faces = list(frames.values())
    assert faces[0] == [-1, -1]
    assert faces[-1] == [1, 1]
    assert all(one == two for one, two in faces), frames
    # Until then nothing tells what is to come.
    page.evaluate(SET_TIME, 0)
    assert turns_told(ann) == 0
    assert page.locator(".said").evaluate("each => getComputedStyle(each).opacity") == "0"
    page.evaluate(FINISH)
    page.locator(".log .turn", has_text="1").wait_for()
    page.locator(BUTTONS).first.wait_for()
    assert page.locator(".ghost").count() == 0


def test_the_next_touch_or_key_ends_it_and_does_nothing_else(visit: Visit) -> None:
    ann = visit(reduced_motion="no-preference")
    page = ann.page
    ann.sit_down(SECRET)
    moves = ann.posted_moves()
    for turn, skip in enumerate(("touch", "key"), 1):
        page.locator(".slot.seat-2.down").wait_for()
        page.evaluate(HOLD)  # it would never end by itself
        page.locator(BUTTONS).first.click()
        page.wait_for_function(HELD)
        if skip == "touch":
            page.mouse.click(*centre(page.locator(".near .chip:not(.gone)").last))
        else:
            page.keyboard.press("Enter")
        page.locator(".log .turn", has_text=str(turn)).wait_for()
        page.locator(".headline", has_text="Your turn").wait_for()
        page.reload()
    assert len(moves) == 2


def test_a_computers_turn_can_be_followed(visit: Visit) -> None:
    ann = visit(reduced_motion="no-preference")
    page = ann.page
    ann.sit_down(OPEN, seed=2)
    page.evaluate(COUNT_ANIMATIONS)
    page.locator(BUTTONS).first.wait_for()
    while page.locator(".log .turn", has_text="2").count() == 0:
        ann.press_any(Random(3))
        page.locator(BUTTONS).first.wait_for()
    # Its answer came at once, and yet one's own move was seen by itself before.
    assert page.evaluate("window.seen.size") >= 2


def test_nothing_moves_where_it_should_not(visit: Visit) -> None:
    still = visit()
    hidden = visit(reduced_motion="no-preference")
    hidden.context.add_init_script("Object.defineProperty(document, 'hidden', {get: () => true});")
    for visitor in (still, hidden):
        visitor.sit_down(SECRET, settings=short(SECRET))
        visitor.page.evaluate(COUNT_ANIMATIONS)
        visitor.page.locator(BUTTONS).first.click()
        visitor.page.locator(".log .turn", has_text="1").wait_for()
        assert visitor.page.evaluate("window.animated") == 0
