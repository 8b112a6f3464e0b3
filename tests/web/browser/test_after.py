"""After a game: the result, what was played at each step, how a mistake is punished, once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx
import pytest

from tests.web.browser.conftest import Visit
from tests.web.browser.scenes import PLAYABLE
from tests.web.browser.test_fit import hold, press_on_a_slow_network, sent
from tests.web.browser.visitor import POLLING
from tests.web.people import Guest, pair

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

#: Two people; Ann's third turn turns a draw into a loss, and Bo finds the answer.
MOVES = "A3 S8 S6 S5"
LAST = "Bo subtracts 5 from you and wins."
MINUS = "\N{MINUS SIGN}"
#: Counts the animations that begin.
COUNTED = """
window.moved = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...frames) {
  window.moved += 1;
  return animate.apply(this, frames);
};"""
#: The whole board and the buttons that step through the game are in the window, on nothing else.
SEEN = """() => [".board .near", ".board .far", ".controls"].every((each) => {
  const shown = document.querySelector(each);
  const { left, right, top, bottom } = shown.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight
    && shown.contains(hit);
})"""
NEAR_FIRST = """() => {
  const [near, far] = [".near", ".far"].map(
    (each) => document.querySelector(each).getBoundingClientRect());
  return near.top >= far.bottom || near.left < far.left;
}"""
#: After the second, the browser has told what is in sight.
TWO_FRAMES = (
    "() => new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame))"
)
PHONE = {"width": 390, "height": 844}
SMALL_PHONE = {"width": 320, "height": 640}
#: The font size of a text in a picture, in pixels of the page.
DRAWN_PX = """text => parseFloat(getComputedStyle(text).fontSize)
  * text.ownerSVGElement.getScreenCTM().a"""


def finished_game(http: httpx.Client) -> Guest:
    """Ann, who has lost a game against Bo."""
    players = pair(http, "number-knot")
    for turn, move in enumerate(MOVES.split(), 1):
        assert players[(turn - 1) % 2].move(turn, move).status_code == 200
    return players[0]


def marked(page: Page) -> tuple[list[str], list[str], list[str]]:
    """The numbers that a step has marked, what was played, and how much figures changed."""
    texts = [page.locator(each) for each in (".board .just:not(.part)", ".made", ".gain")]
    return texts[0].all_inner_texts(), texts[1].all_inner_texts(), texts[2].all_inner_texts()


def select(page: Page) -> None:
    """Show Ann's mistake."""
    page.locator("[data-key='next mistake']").click()


def fits(page: Page) -> bool:
    """Whether nothing has to be scrolled sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_the_lost_position_is_a_puzzle_for_others(visit: Visit, http: httpx.Client) -> None:
    ann, bo = visit(), visit()
    page = ann.page
    page.goto(ann.sit(finished_game(http)))
    page.get_by_text("More about this game").click()
    link = page.get_by_role("link", name="Challenge a friend")
    link.wait_for()
    link.locator("..").get_by_role("button", name="Copy link").click()
    page.get_by_role("button", name="Copied").wait_for()
    bo.page.goto(str(link.get_attribute("href")))
    # Whoever opens it is asked about the position before the mistake, and told nothing.
    bo.page.locator(PLAYABLE).first.wait_for()
    assert bo.page.locator(".verdict").count() == 0
    shown = str(bo.page.locator(".board-place").get_attribute("data-shown"))
    assert "You add 3 to your own life total. Your opponent subtracts 8 from you." in shown


def test_a_finished_game(visit: Visit, http: httpx.Client) -> None:
    from playwright.sync_api import expect

    guest = finished_game(http)
    ann = visit()
    page = ann.page
    page.goto(ann.sit(guest))
    page.locator(".review .chart").wait_for()
    assert ann.headline == "You lose"
    assert page.locator("main .primary:visible").all_inner_texts() == ["Review"]
    assert page.locator(".chart text").first.evaluate(DRAWN_PX) >= 12
    assert page.locator(".result .reason").inner_text().endswith("has reached zero or below.")
    assert page.locator(".result .said").inner_text() == LAST
    # Beside the result, only the log tells it.
    expect(page.get_by_text(LAST).filter(visible=True)).to_have_count(2)
    page.get_by_text("Your only mistake was subtracting 6 in turn 3.").wait_for()

    # Every step says what was played, and where.
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert marked(page) == (["3"], ["Add 3"], ["+3"])
    page.keyboard.press("ArrowRight")
    assert marked(page) == (["8"], ["Subtract 8"], [f"{MINUS}8"])
    assert page.locator(".board .just.seat-2").count() == 1

    # The line that punishes the mistake, by keyboard alone, on the board.
    page.locator("[data-key='next mistake']").focus()
    page.keyboard.press("Enter")
    assert marked(page) == (["6"], ["Subtract 6"], [f"{MINUS}6"])
    punished = page.get_by_role("button", name="See it punished: Turn 3, you")
    punished.focus()
    page.keyboard.press("Enter")
    # The board is named for what it shows, with the way back.
    assert page.locator(".play > .what-if").inner_text().split("\n\n") == [
        "What if How subtracting 6 is punished",
        "Back to the game",
    ]
    expect(page.locator(".standing")).to_be_hidden()
    # It begins with the reply to it.
    assert page.locator(".count").inner_text() == "1 / 1"
    assert marked(page) == (["5"], ["Subtract 5"], [f"{MINUS}5"])
    page.keyboard.press("ArrowLeft")
    assert marked(page) == (["6"], ["Subtract 6"], [f"{MINUS}6"])
    page.locator("[data-key=Play]").focus()
    page.keyboard.press("Enter")
    assert marked(page) == (["5"], ["Subtract 5"], [f"{MINUS}5"])
    for viewport in (PHONE, SMALL_PHONE):
        page.set_viewport_size(viewport)  # type: ignore[arg-type] # a width and a height
        assert fits(page)
    page.keyboard.press("Escape")
    assert page.locator(".what-if").count() == 0
    assert punished.evaluate("button => button === document.activeElement")
    assert page.locator(".count").inner_text() == "3 / 4"

    # The analysis begins where the game turned, with the names and the whole game.
    page.keyboard.press("End")
    page.get_by_role("button", name="Analyze", exact=True).click()
    page.wait_for_url("**/analysis/**")
    page.locator(".moves [aria-current]", has_text="S8").wait_for()
    assert page.locator(".moves li").all_inner_texts() == ["Start", *MOVES.split()]
    assert set(page.locator(".board .name").all_inner_texts()) == {"You", "Bo"}
    page.get_by_text("Your best moves are").wait_for()
    assert [row.locator("button").count() for row in page.locator(".options tr.best").all()] == [4]
    assert fits(page)


def test_a_game_without_a_move_has_no_review(visit: Visit, http: httpx.Client) -> None:
    guest = pair(http, "number-knot")[0]
    assert guest.post("resign").status_code == 200
    ann = visit()
    with ann.page.expect_response("**/review"):
        ann.page.goto(ann.sit(guest))
    ann.page.locator(".ending").wait_for()
    ann.page.locator(".working").wait_for(state="detached")
    assert (ann.page.locator("#review").text_content(), ann.page.locator(".review").count()) == (
        "",
        0,
    )


def test_a_mistake_is_played_and_asked_again(visit: Visit, http: httpx.Client) -> None:
    from playwright.sync_api import expect

    guest = finished_game(http)
    ann = visit()
    page = ann.page
    page.goto(ann.sit(guest))
    # Once more from there, against the computer.
    select(page)
    page.locator(".finding .few summary").click()
    play_on = page.get_by_role("button", name="Play on from here", include_hidden=True)
    press_on_a_slow_network(page, play_on, "**/api/games")
    ann.errors.clear()  # the browser reports the refusal
    # The menu closes by a choice.
    page.locator(".finding .few summary").click()
    play_on.click()
    page.locator(".headline", has_text="Your turn").wait_for()
    assert guest.id not in page.url
    again = page.evaluate(
        "fetch(`/api/games/${location.pathname.split('/')[2]}`).then(a => a.json())"
    )
    assert (again["moves"], again["you"], again["turn"]) == ("A3 S8", 1, 3)
    assert [player["who"] for player in again["players"]] == ["human", "perfect"]

    # The mistake is asked again in the place of the board; the review stays.
    page.go_back()
    select(page)
    place = page.locator(".board").bounding_box()
    page.get_by_role("button", name="Try again: Turn 3, you").click()
    again = page.locator(".once-more")
    again.locator(".offer", has_text="6").click()
    assert (
        page.locator(".play > .what-if p").inner_text()
        == "Try again Turn 3, you: find a better move"
    )
    assert set(again.locator(".name").all_inner_texts()) == {"You", "Bo"}
    assert page.locator(".board:visible").bounding_box() == place
    again.locator(".answer", has_text="Subtract 6").click()
    expect(page.locator(".verdict.wrong")).to_be_in_viewport()
    # After a wrong answer, the next one is given without another button.
    again.locator(".offer", has_text="9").click()
    again.locator(".answer", has_text="Add 9").click()
    expect(page.locator(".verdict.right")).to_be_in_viewport()
    # It was the only mistake, so a rematch is next.
    assert page.locator(".feedback [data-key=next]").inner_text() == "Rematch"
    assert page.locator(".review .chart").is_visible()
    page.get_by_role("button", name="Back to the review").click()
    assert marked(page)[1] == ["Subtract 6"]


def test_a_second_try_on_a_phone_has_a_large_board_on_a_slow_network(
    visit: Visit, http: httpx.Client
) -> None:
    page = (ann := visit(viewport=SMALL_PHONE)).page
    page.goto(ann.sit(finished_game(http)))
    page.locator(".finding").scroll_into_view_if_needed()
    page.locator("[data-key='next mistake']").click()
    page.locator(".pinned").wait_for()
    held = hold(page, "**/api/train/session")
    page.get_by_role("button", name="Try again: Turn 3, you").click()
    page.locator(".once-more").wait_for(state="attached")
    page.evaluate(TWO_FRAMES)
    assert page.locator(".pinned").count() == 0
    sent(page, held).continue_()
    page.locator(".once-more .offer").first.wait_for()
    assert page.locator(".pinned").count() == 0


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (320, 568), (640, 400)])
def test_the_board_stays_in_sight_beside_the_review(
    width: int, height: int, visit: Visit, http: httpx.Client
) -> None:
    ann = visit(viewport={"width": width, "height": height})
    page = ann.page
    page.goto(ann.sit(finished_game(http)))
    page.locator(".review .chart").wait_for()
    # The result, as large as ever, until the review is read.
    page.locator(".result .headline").wait_for()
    page.evaluate("document.querySelector('.finding').scrollIntoView()")
    page.wait_for_function(SEEN, polling=POLLING)
    assert page.get_by_text(LAST).filter(visible=True).count() <= 2
    # The reader's own side is on the left, or below.
    assert page.evaluate(NEAR_FIRST)
    page.locator("[data-key='next mistake']").click()
    page.wait_for_function(SEEN, polling=POLLING)
    assert marked(page)[1] == ["Subtract 6"]
    assert page.locator(".finding h3").first.inner_text().startswith("Turn 3, you")
    # A key steps on, a click on the chart jumps, and both are marked there.
    here = page.locator(".chart .here")
    places = [here.get_attribute("cx")]
    page.keyboard.press("ArrowLeft")
    assert marked(page)[1] == ["Subtract 8"]
    places.append(here.get_attribute("cx"))
    # Below the pinned board, where a click scrolls nothing.
    page.evaluate("document.querySelector('#review').scrollIntoView()")
    page.locator(".chart").click(position={"x": 1, "y": 20})
    assert page.locator(".count").inner_text() == "0 / 4"
    places.append(here.get_attribute("cx"))
    assert sorted(places, key=lambda at: -float(str(at))) == places
    assert len(set(places)) == len(places)
    page.wait_for_function(SEEN, polling=POLLING)
    assert fits(page)


def test_a_step_forward_moves_and_a_step_back_does_not(visit: Visit, http: httpx.Client) -> None:
    guest = finished_game(http)
    ann = visit(reduced_motion="no-preference")
    page = ann.page
    page.add_init_script(COUNTED)
    page.goto(ann.sit(guest))
    page.locator(".review .chart").wait_for()
    select(page)
    page.evaluate("window.moved = 0")
    page.get_by_role("button", name="See it punished: Turn 3, you").click()
    page.wait_for_function("() => window.moved > 0")
    page.locator(".board .chip.just", has_text="5").wait_for()
    moved = page.evaluate("window.moved")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".count").inner_text() == "0 / 1"
    assert page.evaluate("window.moved") == moved


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (320, 568)])
def test_a_punishment_plays_itself_in_sight(
    width: int, height: int, visit: Visit, http: httpx.Client
) -> None:
    players = pair(http, "number-knot")
    # Ann's third turn is a mistake, and Bo's reply does not punish it.
    for turn, move in enumerate(("S5", "A3", "A1", "A9"), 1):
        assert players[(turn - 1) % 2].move(turn, move).status_code == 200
    assert players[0].post("resign").status_code == 200
    ann = visit(viewport={"width": width, "height": height})
    page = ann.page
    page.goto(ann.sit(players[0]))
    page.locator(".review .chart").wait_for()
    standing = page.locator(".standing")
    over = standing.text_content()
    page.locator("[data-key=review]").click()
    # The board shows turn 3, and does not tell how the game ended.
    assert standing.locator(".when").text_content() == "Turn 3"
    page.locator(".finding .few summary").click()
    page.get_by_role("button", name="Show the better move").click()
    assert page.locator(".board .better").count() == 2
    page.get_by_role("button", name="See it punished: Turn 3, you").click()
    page.wait_for_function(SEEN, polling=POLLING)
    last = page.locator(".count").inner_text().split(" / ")[1]
    page.locator(".count", has_text=f"{last} / {last}").wait_for()
    page.locator("[data-key=Play]", has_text="Again").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("End")
    assert standing.text_content() == over


def test_the_analysis_opens_where_the_replay_stands(visit: Visit, http: httpx.Client) -> None:
    guest = finished_game(http)
    ann = visit()
    page = ann.page
    page.goto(ann.sit(guest))
    page.locator(".replay").wait_for()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Analyze", exact=True).click()
    page.locator(".moves [aria-current]", has_text="A3").wait_for()


def test_work_that_takes_a_while_shows_that_it_goes_on(visit: Visit) -> None:
    page = visit().page
    waiting: list[Route] = []
    # Playwright cannot mark a method of a list as its own.
    page.route("**/api/analysis?**", lambda route: waiting.append(route))  # noqa: PLW0108
    page.goto("/analysis/number-knot?life=3&numbers=3")
    page.get_by_role("progressbar", name="Solving the game").wait_for()
    page.locator(".elapsed", has_text="1 s").wait_for()
    sent(page, waiting).continue_()
    page.locator(".chances h2").wait_for()
    page.get_by_role("progressbar").wait_for(state="detached")
