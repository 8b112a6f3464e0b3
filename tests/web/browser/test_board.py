"""The board is what one plays on: touched, dragged, and never by accident."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Literal

import number_duels as nd
from tests.web.browser.conftest import Visit
from tests.web.browser.visitor import BUTTONS, CHANGED, POLLING, Visitor, short
from tests.web.people import both_choose

if TYPE_CHECKING:
    from playwright.sync_api import Locator

PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 640}
LONG_NAME = "Wolfeschlegelsteinha"
MIN_TARGET_PX = 44
#: Longer than the time in which two taps are a double tap.
AGAIN_MS = 2000
#: Names and sizes of what is too small to be touched.
TOO_SMALL = """(least) => [...document.querySelectorAll("main button, main a")]
  .map((each) => [each.innerText, each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 0 && (width < least || height < least))
  .map(([name, { width, height }]) => `${name}: ${width} x ${height}`)"""
NEAR_SIDE_TOP = "() => document.querySelector('.side.near').getBoundingClientRect().top"
STILL = """() => document.getAnimations().every((each) => each.playState !== "running"
  || each.effect.getComputedTiming().iterations === Infinity)"""
RULES_TOP = "() => document.querySelector('.menu').getBoundingClientRect().top + scrollY"
LOG_HEIGHT = "() => document.querySelector('.log').getBoundingClientRect().height"
#: What plays a number and does not lie on the board.
OUTSIDE = """() => [...document.querySelectorAll("main button")]
  .filter((each) => !each.closest(".board") && /[0-9]/.test(each.innerText))
  .map((each) => each.innerText)"""


def test_every_game_is_played_by_touching_the_board(visit: Visit) -> None:
    ann = visit(viewport=PHONE, has_touch=True)
    bo = visit(viewport=PHONE, has_touch=True)
    rng = Random(4)
    for game in nd.games():
        bo.join(ann.sit_down(game, "friend", settings=short(game)), "Bo")
        ann.page.locator(".headline", has_text="turn").wait_for()
        while not ann.ended:
            touched = [touch_any(player, rng) for player in (ann, bo)]
            if not any(touched):
                ann.page.wait_for_timeout(20)
        assert ann.headline in ("You win", "Bo wins", "A draw")
        # However much was told, what else can be done is not pushed out of sight.
        assert ann.page.evaluate(RULES_TOP) < PHONE["height"]
        assert ann.page.evaluate(LOG_HEIGHT) < PHONE["height"]


def touch_any(visitor: Visitor, rng: Random) -> bool:
    """Tap something on the board with a finger; nothing else plays."""
    from playwright.sync_api import TimeoutError as NothingChanged

    places = visitor.page.locator(BUTTONS)
    count = places.count()
    if not count:
        return False
    assert visitor.page.evaluate(OUTSIDE) == []
    shown = visitor.page.locator(".board-place").get_attribute("data-shown")
    places.nth(rng.randrange(count)).tap()
    # A tap so soon and so near to the last is the second of a double tap: then once more.
    with suppress(NothingChanged):
        visitor.page.wait_for_function(CHANGED, arg=shown, polling=POLLING, timeout=AGAIN_MS)
    return True


def test_what_a_choice_would_do_stands_on_the_board(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    ann.sit_down("number-knot")
    page.locator(BUTTONS, has_text="9").click()
    assert page.locator(".far .target").inner_text().endswith("10 → 1")
    assert page.locator(".near .target").inner_text().endswith("10 → 19")
    ann.sit_down("number-drop", deal="123456789 123456789")
    page.locator(BUTTONS, has_text="8").click()
    page.locator(BUTTONS, has_text="3").click()
    # One result is on their grid; the other is a miss, and says so before it is made.
    assert page.locator(".far .target").inner_text() == "5"
    answers = page.locator(".middle .answer")
    assert answers.all_inner_texts() == [
        "Add: 8 + 3 = 11\nstrikes nothing",
        "Subtract: 8 - 3 = 5\nstrikes 5",
    ]
    ann.sit_down("number-stack-showdown", deal="7")
    page.locator("[data-key=draw]").click()
    page.locator(".held .card", has_text="7").wait_for()
    assert "0 + 7 = 7" in page.locator(".far .target").inner_text()
    assert "0 + 7 = 7" in page.locator(".near .target").inner_text()


def test_a_forced_move_says_why(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    ann.sit_down("number-stack-showdown", deal="7", settings={"target": 5})
    page.locator("[data-key=draw]").click()
    page.get_by_text("it would take either stack over 5").first.wait_for()
    assert page.locator(BUTTONS).count() == 1


def centre(place: Locator) -> tuple[float, float]:
    x, y, width, height = place.evaluate(
        "each => { const b = each.getBoundingClientRect(); return [b.x, b.y, b.width, b.height] }"
    )
    return x + width / 2, y + height / 2


def test_a_number_is_dropped_where_it_should_go(visit: Visit) -> None:
    from playwright.sync_api import TimeoutError as NothingChanged

    ann = visit(viewport=PHONE, has_touch=True)
    page = ann.page
    for pointer in ("mouse", "finger"):
        ann.sit_down("number-knot", "friend")
        ann.page.evaluate(JOIN)
        page.locator(BUTTONS).first.wait_for()
        drag(ann, pointer, page.locator(BUTTONS, has_text="7"), page.locator(".far .name"))
        page.locator(".far .meter strong", has_text="3").wait_for()
        assert "-7" not in page.locator(".log").inner_text()
        # What is dropped beside everything goes back to where it was.
    ann.sit_down("number-knot")
    drag(ann, "mouse", page.locator(BUTTONS, has_text="7"), page.locator(".heading h1"))
    assert page.locator(".chosen, .target").count() == 0
    game = next(filter(both_choose, nd.games()))
    ann.sit_down(game)
    page.locator(".far .doing", has_text="chosen").wait_for()
    shown = page.locator(".board-place").get_attribute("data-shown")
    for _ in range(5):  # a browser sometimes takes a carried finger for a scroll
        drag(ann, "finger", page.locator(BUTTONS, has_text="7"), page.locator(".asked"))
        with suppress(NothingChanged):
            page.wait_for_function(CHANGED, arg=shown, polling=POLLING, timeout=AGAIN_MS)
            break
    page.locator(".log .turn", has_text="1").wait_for()


JOIN = """async () => { await fetch(location.pathname.replace("/play/", "/api/games/") + "/seats", {
  method: "POST", credentials: "omit",
  headers: {"Content-Type": "application/json"}, body: JSON.stringify({name: "Bo"}),
}) }"""


def drag(visitor: Visitor, pointer: str, what: Locator, where: Locator) -> None:
    """Take something, carry it and let go, with a mouse or with a finger."""
    what.wait_for()
    # A press while something moves only ends that.
    visitor.page.wait_for_function(STILL, polling=POLLING)
    start, end = centre(what), centre(where)
    between = [((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end]
    if pointer == "mouse":
        visitor.page.mouse.move(*start)
        visitor.page.mouse.down()
        for point in between:
            visitor.page.mouse.move(*point)
        visitor.page.mouse.up()
        return
    session = visitor.context.new_cdp_session(visitor.page)
    touches = [("touchStart", start), *(("touchMove", point) for point in between)]
    for kind, (x, y) in touches:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def test_a_double_click_plays_once(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    for game in filter(both_choose, nd.games()):
        ann.sit_down(game)
        page.locator(BUTTONS).nth(4).click()
        page.locator(".log .turn", has_text="1").wait_for()
        page.locator(BUTTONS).first.wait_for()
        # The second of two quick clicks comes when the next question is there already.
        page.mouse.move(*centre(page.locator(BUTTONS).first))
        page.mouse.down(click_count=2)
        page.mouse.up(click_count=2)
        # One that was pressed before the question was shown is none of its answers either.
        assert page.locator("[aria-busy]").count() == 0
        assert page.locator(".headline").inner_text() == "Your turn"
        assert page.locator(".log .turn", has_text="2").count() == 0
        page.locator(BUTTONS).first.click()
        page.locator(".log .turn", has_text="2").wait_for()


def test_small_screens_and_long_names(visit: Visit) -> None:
    ann = visit(viewport=SMALL, has_touch=True)
    page = ann.page
    for game in nd.games():
        largest = {"side": 5} if "side" in nd.load(game).settings else {}
        ann.sit_down(game, "friend", name=LONG_NAME, settings=largest)
        page.evaluate(JOIN.replace("Bo", LONG_NAME[::-1]))
        page.locator(BUTTONS).first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"], game
        assert page.evaluate(TOO_SMALL, MIN_TARGET_PX) == [], game
        # Rules and Resign are above the board, however long the log becomes.
        resign = page.get_by_role("button", name="Resign").bounding_box()
        assert resign is not None
        assert resign["y"] < 200


def test_the_board_does_not_jump(visit: Visit) -> None:
    ann = visit(viewport=PHONE, has_touch=True)
    page = ann.page
    for game in nd.games():
        ann.sit_down(game, seed=3)
        page.locator(BUTTONS).first.wait_for()
        places = set()
        for _ in range(4):
            places.add(page.evaluate(NEAR_SIDE_TOP))
            if not touch_any(ann, Random(2)):
                page.wait_for_timeout(20)
        assert len(places) == 1, (game, places)


def test_forced_colours_show_what_is_chosen(visit: Visit) -> None:
    forced: Literal["active"] = "active"
    ann = visit(forced_colors=forced)
    page = ann.page
    style = (
        "each => { const s = getComputedStyle(each); return [s.backgroundColor, s.borderColor] }"
    )
    ann.sit_down("number-knot")
    page.locator(BUTTONS, has_text="9").click()
    chosen = page.locator(".chosen").evaluate(style)
    other = page.locator(".chip", has_text="8").evaluate(style)
    assert chosen[0] != other[0]
    assert page.locator(".far .target").evaluate(style)[1] != other[1]
    assert (
        page.locator(".far .bar i").evaluate(style)[0]
        != page.locator(".far .bar").evaluate(style)[0]
    )


def test_names_from_right_to_left_leave_the_line_alone(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    ann.sit_down(next(filter(both_choose, nd.games())), name="דנה")
    page.locator(BUTTONS).first.click()
    page.locator(".log .turn", has_text="1").wait_for()
    told = page.locator(".log").inner_text()
    assert told.count("\u2068דנה\u2069") == told.count("דנה") > 0
    assert page.locator(".name bdi", has_text="דנה").count() == 1


def test_a_refusal_goes_with_its_cause(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    ann.sit_down(next(filter(both_choose, nd.games())))
    page.locator(BUTTONS).first.wait_for()
    refusal = {"status": 409, "json": {"error": "Not now."}}
    page.route("**/moves", lambda route: route.fulfill(**refusal), times=1)
    page.locator(BUTTONS).first.click()
    page.locator(".problem", has_text="Not now.").wait_for()
    page.locator(BUTTONS).first.click()
    page.locator(".log .turn", has_text="1").wait_for()
    assert page.locator(".problem").inner_text() == ""
    ann.errors.clear()  # the browser reports the refusal


def test_leaving_a_game_that_nobody_joined_closes_it(visit: Visit) -> None:
    ann = visit()
    link = ann.sit_down(nd.games()[0], "friend")
    ann.page.get_by_role("button", name="Close").click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_text("nobody wins or loses").wait_for()
    dialog.get_by_role("button", name="Close").click()
    ann.page.wait_for_url(ann.base + "/")
    assert ann.page.request.get(link.replace("/play/", "/api/games/")).status == 404
