"""Boards fit the window, and a touch is answered at once, however slow the network is."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Literal

import pytest

import number_duels as nd
from tests.some_games import CARDS, SECRET, SOME_GAMES
from tests.web.browser.conftest import Visit
from tests.web.browser.scenes import PLAYABLE, open_at
from tests.web.browser.visitor import BUTTONS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

#: A small phone, a phone, a phone on its side, and a usual window at 200%.
SMALL_WINDOWS = ((320, 568), (390, 844), (844, 390), (640, 400))
#: How far the player's own side and everything that can be touched reach below the window or behind
#: the button at its edge, and how much wider than the window the page is.
BEYOND = """() => {
  const own = [...document.querySelectorAll(".side.near, .board .offer")];
  const last = Math.max(...own.map((each) => each.getBoundingClientRect().bottom));
  const button = document.querySelector(".feedback [data-key=next]");
  const edge = button ? button.getBoundingClientRect().top : innerHeight;
  const { scrollWidth, clientWidth } = document.documentElement;
  return [last - Math.min(edge, innerHeight), scrollWidth - clientWidth];
}"""

#: Texts of what matches the first selector and shares a pixel with what matches the second.
COVERED = """([under, over]) => {
  const meet = (one, other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  };
  const above = [...document.querySelectorAll(over)];
  const covered = [...document.querySelectorAll(under)].filter((one) =>
    above.some((other) => meet(one, other)));
  return covered.map((each) => each.innerText);
}"""
#: Sentences that reach out of their own box or out of the board, and are cut off there.
CUT_OFF = """() => [...document.querySelectorAll(".board :is(.fact, .rule, .said, .consequence)")]
  .filter((each) => {
    const text = document.createRange();
    text.selectNodeContents(each);
    const { left, top, right, bottom, width } = text.getBoundingClientRect();
    return width > 0 && [each, each.closest(".side, .middle")].some((around) => {
      const box = around.getBoundingClientRect();
      return left < box.left - 1 || right > box.right + 1
        || top < box.top - 1 || bottom > box.bottom + 1;
    });
  }).map((each) => `${each.innerText} is cut off`)"""
#: Buttons beside the board with a text of more than one line.
BROKEN = """() => [...document.querySelectorAll("main button")].filter((each) => {
  if (each.matches(".answer, .offer")) return false;
  const text = document.createRange();
  text.selectNodeContents(each);
  const lines = [...text.getClientRects()].sort((one, other) => one.top - other.top);
  return lines.some(({ top }) => top >= lines[0].bottom);
}).map((each) => each.innerText)"""
OFTEN = "all => all.map((each) => each.dataset.often)"
WINDOWS = ((1920, 1080), (1280, 800), (390, 844), (320, 568))


def beyond(page: Page, width: int, height: int) -> list[str]:
    """The parts that do not fit into a window, in words."""
    page.set_viewport_size({"width": width, "height": height})
    below, beside = page.evaluate(BEYOND)
    pixels = {"too high": below, "too wide": beside}
    faults = [f"{what} by {pixels}" for what, pixels in pixels.items() if pixels > 0]
    faults += page.evaluate(CUT_OFF)
    faults += ["the site's header"] * page.locator(".top nav:visible").count()
    return [f"{page.url} at {width}x{height}: {fault}" for fault in faults]


@pytest.mark.parametrize("game", nd.games())
def test_own_cards_are_on_the_first_screen(game: str, visit: Visit) -> None:
    ann = visit()
    ann.sit_down(game, seed=3)
    ann.page.locator(BUTTONS).first.focus()  # what it would do is said, where there is room
    found = [fault for size in SMALL_WINDOWS for fault in beyond(ann.page, *size)]
    ann.page.goto("/")  # the same address with another hash is the same page
    open_at(ann, f"/train?game={game}#lesson", ".lesson [data-key=next]")
    found += [fault for size in SMALL_WINDOWS for fault in beyond(ann.page, *size)]
    # The first step that asks. A step is drawn at once, with its number.
    for step in count(2):
        if ann.page.locator(PLAYABLE).count():
            break
        ann.page.locator("[data-key=next]").click()
        ann.page.get_by_text(f"step {step} of").first.wait_for(state="attached")
    found += [fault for size in SMALL_WINDOWS for fault in beyond(ann.page, *size)]
    assert found == []


def test_both_totals_are_on_the_first_screen_while_a_card_is_placed(visit: Visit) -> None:
    ann = visit(viewport=dict(zip(("width", "height"), SMALL_WINDOWS[2], strict=True)))
    ann.sit_down(CARDS, seed=3)
    ann.page.locator("[data-key=draw]").click()
    ann.page.locator(".answer").first.wait_for()
    assert [fault for size in SMALL_WINDOWS[2:] for fault in beyond(ann.page, *size)] == []


def test_a_verdict_does_not_cover_the_grid_that_it_is_about(visit: Visit) -> None:
    page = visit(viewport={"width": 390, "height": 740}).page
    page.goto("/train?game=number-drop#drills")
    while not page.locator(".verdict").count():
        page.locator(BUTTONS).first.click()
        page.locator(f"{BUTTONS}, .verdict").first.wait_for()
    assert page.evaluate(COVERED, [".cell", ".feedback"]) == []


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_nothing_lies_on_anything_else(width: int, height: int, visit: Visit) -> None:
    ann, ben = (visit(viewport={"width": width, "height": height}) for _ in range(2))
    ben.page.goto(ann.sit_down(SECRET, opponent="friend"))
    ben.page.locator(".invitation").wait_for()
    for page in (ann.page, ben.page):
        assert page.evaluate(COVERED, [".standing, .beside > *", ".brand, #theme"]) == []
    ann.sit_down(CARDS)
    ann.page.locator(BUTTONS).first.click()
    ann.page.locator(".meter .becomes").first.wait_for()
    assert ann.page.evaluate(COVERED, [".figure > *", ".meter .becomes"]) == []


@pytest.mark.parametrize("game", [SECRET, "number-drop"])
@pytest.mark.parametrize(("width", "height"), SMALL_WINDOWS)
def test_a_hint_leaves_the_tiles_that_it_marks(
    width: int, height: int, game: str, visit: Visit
) -> None:
    from playwright.sync_api import expect

    page = (ann := visit(viewport={"width": width, "height": height})).page
    ann.sit_down(game, "level:2", seed=3)
    page.locator("[data-key=hint]").click()
    for step in ("Show the move", "Show why"):
        page.get_by_role("button", name=step).click()
        page.locator(".near .best").first.wait_for()
        # On a phone it is below the whole board, in a low window beside what it marks.
        kept = ".board" if height > width else ".near .best"
        assert page.evaluate(COVERED, [kept, ".hint"]) == []
    # Its edge shows that there is more to scroll to.
    expect(page.locator(".hint")).to_have_css("background-attachment", "local, scroll")
    # Where perfect play mixes, each tile says how often.
    often = page.locator(".near .best").evaluate_all(OFTEN)
    assert all(game != SECRET or share.endswith("%") for share in often)
    if game == SECRET:  # a move that is sent closes it, so that the cards are seen to turn
        held = hold(page, "**/moves")
        page.locator(".near .best").first.click()
        expect(page.locator(".hint")).to_be_empty()
        sent(page, held).continue_()


def test_a_hint_leaves_the_second_step_of_the_move_that_it_names(visit: Visit) -> None:
    page = (ann := visit(viewport={"width": 390, "height": 844})).page
    ann.sit_down("number-knot", "level:2", moves="A1 S8")
    page.locator("[data-key=hint]").click()
    for step in ("Show the move", "Show why"):
        page.get_by_role("button", name=step).click()
    page.locator(".middle .chip.best").first.click()
    page.locator(".answer.best").wait_for()
    for width, height in ((430, 932), *WINDOWS[2:]):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(COVERED, [".answer", ".hint"]) == []


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_a_result_is_as_wide_as_the_panels_of_the_players(
    width: int, height: int, visit: Visit
) -> None:
    ann = visit(viewport={"width": width, "height": height})
    ann.sit_down(SECRET, settings={"rounds": 1, "cards": 1})
    ann.page.locator(BUTTONS).first.click()
    ann.page.locator(".result").wait_for()
    ends = """() => [".result", ".near"].map((each) => {
      const { left, right } = document.querySelector(each).getBoundingClientRect();
      return [left, right].map(Math.round);
    })"""
    card, panel = ann.page.evaluate(ends)
    assert card == panel
    cut = "each => each.scrollWidth > each.clientWidth"
    assert not any(name.evaluate(cut) for name in ann.page.locator(".score bdi:visible").all())


def test_a_large_window_is_used(visit: Visit) -> None:
    ann = visit(viewport={"width": 1920, "height": 1080})
    for game in nd.games():
        ann.sit_down(game)
        ann.page.locator(PLAYABLE).first.wait_for()  # from then on nothing is drawn again
        # A third of the window's height and most of its width, log included.
        box = ann.page.locator(".board").bounding_box()
        assert box is not None
        assert box["width"] > 1100, game
        assert box["height"] > 450, game
        # The site's links are those of every page, and lead to the rules of this game.
        links = ann.page.locator(".top nav a:visible")
        assert links.all_inner_texts() == ["Play", "Train", "Rules", "Record"]
        assert links.nth(2).get_attribute("href") == f"/rules/{game}"


def test_figures_leave_no_empty_middle_and_do_not_outweigh_it(visit: Visit) -> None:
    ann = visit(viewport={"width": 1280, "height": 800})
    ann.sit_down("number-knot")
    ann.page.locator(PLAYABLE).first.wait_for()
    middle, board = (ann.page.locator(each).bounding_box() for each in (".middle", ".board"))
    assert middle is not None
    assert board is not None
    assert 0.5 * board["height"] < middle["height"] < 0.6 * board["height"]


@pytest.mark.parametrize("game", SOME_GAMES)
def test_no_analysis_is_wider_than_a_phone(game: str, visit: Visit) -> None:
    ann = visit()
    settings = {"numbers": 5, "cards": 5, "side": 2, "target": 20}
    known = nd.load(game).settings
    small = "&".join(f"{name}={value}" for name, value in settings.items() if name in known)
    open_at(ann, f"/analysis/{game}?{small}", ".chances h2")
    for width, height in ((320, 844), (390, 844), (640, 400)):
        ann.page.set_viewport_size({"width": width, "height": height})
        assert ann.page.evaluate("() => document.documentElement.scrollWidth") == width
        assert ann.page.evaluate(BROKEN) == []


@pytest.mark.parametrize(
    ("game", "first", "then"), [("number-knot", [7], 4), ("number-drop", [8, 3], 5)]
)
def test_a_touch_on_another_number_selects_it(
    game: str, first: list[int], then: int, visit: Visit
) -> None:
    from playwright.sync_api import expect

    ann = visit(has_touch=True)
    wish = {"deal": "123456789 123456789"} if game == "number-drop" else {}
    ann.sit_down(game, **wish)
    own = ann.page.locator(".near .cell, .middle .chip")
    for number in first:
        ann.tap(own.filter(has_text=str(number)))
    ann.tap(own.filter(has_text=str(then)))
    # A tap is followed by its click: just as many are chosen before the last one.
    chosen = sorted(str(number) for number in (*first[:-1], then))
    expect(ann.page.locator(".board .chosen")).to_have_text(chosen)


def hold(page: Page, pattern: str) -> list[Route]:
    """Keep requests that a page makes; the network is as slow as it can be."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        if route.request.method == "POST":
            held.append(route)
        else:
            route.continue_()

    page.route(pattern, keep)
    return held


def sent(page: Page, held: list[Route]) -> Route:
    """The request that is held, once it has been made."""
    while not held:
        page.evaluate("() => new Promise(requestAnimationFrame)")
    return held.pop()


def test_a_card_lies_down_before_the_server_answers(visit: Visit) -> None:
    from playwright.sync_api import expect

    ann = visit()
    page = ann.page
    ann.sit_down(SECRET)
    held = hold(page, "**/moves")
    page.locator(BUTTONS, has_text="7").click()
    expect(page.locator(".slot.own.down .back")).to_have_text("7")
    expect(page.locator(".chip.spent")).to_have_text("7")
    expect(page.locator(".board .offer:not(.chosen)")).to_have_count(0)
    # A refused card comes back, and another can be played.
    sent(page, held).fulfill(status=409, json={"error": "Not now."})
    page.locator(".problem", has_text="Not now.").wait_for()
    expect(page.locator(".slot.own.down, .chip.spent")).to_have_count(0)
    page.locator(BUTTONS, has_text="6").click()
    expect(page.locator(".slot.own.down .back")).to_have_text("6")
    sent(page, held).continue_()
    page.locator(".log .turn", has_text="1").wait_for()
    expect(page.locator(".problem")).to_have_text("")
    ann.errors.clear()  # the browser reports the refusal


def test_a_number_stays_chosen_until_the_server_answers(visit: Visit) -> None:
    from playwright.sync_api import expect

    ann = visit()
    page = ann.page
    ann.sit_down("number-knot")
    held = hold(page, "**/moves")
    page.locator(BUTTONS, has_text="7").click()
    page.locator(".far .target").click()
    expect(page.locator(".board .chosen")).to_have_count(2)
    expect(page.locator(".board .offer:not(.chosen)")).to_have_count(0)
    sent(page, held).continue_()
    page.locator(".log .turn", has_text="1").wait_for()


def test_a_deck_is_lifted_before_the_server_answers(visit: Visit) -> None:
    from playwright.sync_api import expect

    page = (ann := visit()).page
    ann.sit_down(CARDS, settings={"first": 1})
    held = hold(page, "**/draw")
    page.locator(".deck").click()
    expect(page.locator(".deck .pile")).to_have_css("opacity", "0.6")
    page.locator(".deck").evaluate("each => each.click()")
    sent(page, held).continue_()
    page.locator(".held .card").wait_for()
    assert held == [], "one touch asks once"


def press_on_a_slow_network(page: Page, button: Locator, pattern: str) -> None:
    """Press a button that starts a game twice: it is answered at once, and asks once."""
    from playwright.sync_api import expect

    held = hold(page, pattern)
    button.click()
    page.get_by_role("status").get_by_text("Setting up the table").wait_for()
    button.evaluate("each => each.click()")
    sent(page, held).fulfill(status=503, json={"error": "Too many games."})
    page.get_by_role("alert").get_by_text("Too many games.").wait_for()
    assert held == [], "one touch asks once"
    expect(page.locator(".starting")).to_have_count(0)
    page.unroute(pattern)


def test_a_start_is_answered_at_once(visit: Visit) -> None:
    ann, ben = visit(), visit()
    ann.page.goto("/")
    play = ann.page.get_by_role("button", name="Play the computer")
    press_on_a_slow_network(ann.page, play, "**/api/games")
    ben.page.goto(ann.sit_down(SECRET, opponent="friend"))
    press_on_a_slow_network(ben.page, ben.page.locator("[data-key=join]"), "**/seats")
    # A game won at once, against a level that is not the last.
    ann.sit_down("number-knot", "level:1", settings={"life": 1, "first": 1})
    ann.page.locator(BUTTONS).first.click()
    ann.page.locator(".far .target").click()
    for key, pattern in (("rematch", "**/rematch"), ("harder", "**/api/games")):
        press_on_a_slow_network(ann.page, ann.page.locator(f"[data-key={key}]"), pattern)
    for visitor in (ann, ben):
        visitor.errors.clear()  # the browser reports the refusals


@pytest.mark.parametrize("width", [320, 390])
def test_all_ways_on_from_a_won_game_share_a_row(width: int, visit: Visit) -> None:
    page = (ann := visit(viewport={"width": width, "height": 844})).page
    ann.sit_down("number-knot", "level:5", settings={"life": 1, "first": 1})
    page.locator(BUTTONS).first.click()
    page.locator(".far .target").click()
    page.locator("[data-key=harder]", has_text="Try perfect play").wait_for()
    boxes = [each.bounding_box() for each in page.locator(".ways > *").all()]
    assert len(boxes) == 4
    assert len({box["y"] for box in boxes if box}) == 1
    assert max(box["x"] + box["width"] for box in boxes if box) <= width
    cut = "all => all.filter((each) => each.scrollWidth > each.clientWidth).length"
    assert page.locator(".ways > *").evaluate_all(cut) == 0


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (844, 390)])
def test_two_grids_face_each_other_and_stay(width: int, height: int, visit: Visit) -> None:
    ann = visit(viewport={"width": width, "height": height})
    ann.sit_down("number-drop", deal="123456789 123456789")
    tops = """() => [...document.querySelectorAll(".grid")].map((grid) =>
      Math.round(grid.getBoundingClientRect().top))"""
    seen = []
    for number in ("8", "3"):
        ann.page.locator(BUTTONS, has_text=number).first.wait_for()
        seen.append(ann.page.evaluate(tops))
        ann.page.locator(BUTTONS, has_text=number).first.click()
    ann.page.locator(".answer").first.wait_for()
    seen.append(ann.page.evaluate(tops))
    assert len({top for each in seen for top in each}) == 1, seen


def test_forced_colours_show_the_chosen_level(visit: Visit) -> None:
    forced: Literal["active"] = "active"
    page = visit(forced_colors=forced).page
    page.goto("/")
    colour = "each => getComputedStyle(each).backgroundColor"
    chosen, other = page.locator(".levels :checked + span"), page.locator(".levels span").first
    assert chosen.evaluate(colour) != other.evaluate(colour)


def test_a_name_is_not_cut_inside_an_emoji(visit: Visit) -> None:
    from playwright.sync_api import expect

    page = visit().page
    page.goto(f"/#{SECRET}")
    name = page.get_by_role("dialog").get_by_label("Your name")
    family = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}\u200d\N{BOY}"
    # The server takes 20 characters: two families of seven, and no part of a third.
    name.fill(family * 3)
    expect(name).to_have_value(family * 2)
