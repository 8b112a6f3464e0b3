"""A turn as it is seen: cards lie face down, turn over together, and nothing holds anybody up."""

from __future__ import annotations

from random import Random

import httpx
import pytest

import number_duels as nd
from tests.some_games import SECRET, both_choose
from tests.web.browser.conftest import Visit
from tests.web.browser.test_board import NEAR_SIDE_TOP, PHONE, STILL, centre
from tests.web.browser.visitor import (
    AT_REST,
    BUTTONS,
    ENDED,
    ONE_GAME,
    POLLING,
    Visitor,
    play_out,
    short,
)
from tests.web.people import pair

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
#: Go on to a time, in a frame of its own; what ends by then has ended.
PASS_TIME = """(time) => {
  for (const each of window.moving) {
    if (each.effect.getComputedTiming().endTime <= time) each.finish();
    else each.currentTime = time;
  }
  return new Promise(requestAnimationFrame);
}"""
FINISH = "() => { for (const each of window.moving) each.finish(); window.moving = null }"
HELD = "() => window.moving.length"
PACES = "() => [...new Set(window.moving.map((each) => each.playbackRate))]"
#: How far each card is turned: -1 is face down, 1 is face up.
FACES = """() => [...document.querySelectorAll(".slot .played")].map(
  (card) => Math.round(new DOMMatrix(getComputedStyle(card).transform).m11))"""
#: All that could tell a result: words, figures, and how numbers look.
TELLING = """() => [
  document.querySelector(".standing").innerText,
  ...[...document.querySelectorAll(".side, .middle .fact, .said")].map((each) => each.innerText),
  ...[...document.querySelectorAll(".chip, .ghost")].map((each) =>
    [each.className, each.getBoundingClientRect().width, getComputedStyle(each).opacity].join()),
]"""
#: How wide the numbers are, and what flies in their place. A tile that moves is measured inexactly.
WIDTHS = """() => [...document.querySelectorAll(".chip, .ghost:not(.badge)")].map(
  (each) => each.getBoundingClientRect().width.toFixed(2))"""
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
COUNT_DRAWINGS = """window.drawings = 0;
new MutationObserver((changes) => {
  window.drawings += changes.filter(({ target }) => target.className === "board-place").length;
}).observe(document, { childList: true, subtree: true });"""
COUNT_SOUNDS = """window.sounds = 0;
window.AudioContext = class extends AudioContext {
  constructor() { super(); window.sounds += 1; }
};"""
#: The version of the game, once the computer has chosen.
HAS_CHOSEN = """async (address) => {
  const { chosen, version } = await (await fetch(address)).json();
  return chosen.includes(2) && version;
}"""
#: In each frame in which both cards are face up: whether one of them is dim.
WATCH_LOOKS = f"""() => {{
  const faces = {FACES};
  window.looks = [];
  const look = () => {{
    const slots = [...document.querySelectorAll(".slot")];
    const dim = slots.some((slot) => getComputedStyle(slot).opacity < 1);
    if (faces().join() === "1,1") window.looks.push(dim);
    requestAnimationFrame(look);
  }};
  look();
}}"""
#: What each drawing of the board shows, and when.
WATCH_STAGES = """() => {
  window.stages = [];
  const board = document.querySelector(".board-place");
  new MutationObserver(() => {
    const won = board.querySelector(".winner") && /beats/.test(board.innerText);
    const down = board.querySelectorAll(".slot.down").length === 2;
    const stage = board.querySelector(".prompt") ? "asked" : won ? "winner, beats" : down && "down";
    if (window.stages.at(-1)?.[0] !== stage) window.stages.push([stage, performance.now()]);
  }).observe(board, { childList: true });
}"""
HIDDEN = "Object.defineProperty(document, 'hidden', {get: () => true});"
#: Whether and how things move: as usual, as the system asks, or in a tab that nobody looks at.
MODES = ("moving", "still", "hidden")
#: What has moved without being touched.
WATCH_SHIFTS = """window.shifted = [];
new PerformanceObserver((list) => {
  for (const { sources } of list.getEntries())
    window.shifted.push(...sources.map(({ node }) => node?.className ?? ""));
}).observe({ type: "layout-shift" });"""
#: Where a button begins and ends, in the window.
IN_WINDOW = """each => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
}"""
SIZES = "all => all.map((each) => each.getBoundingClientRect().width)"
GLOW = "each => getComputedStyle(each).boxShadow"
DESKTOP = {"width": 1280, "height": 800}
#: A game in which one moves after the other.
OPEN = next(name for name in nd.games() if not both_choose(name))


def visitor_in(mode: str, visit: Visit, **options: object) -> Visitor:
    ann = visit(reduced_motion="reduce" if mode == "still" else "no-preference", **options)
    if mode == "hidden":
        ann.context.add_init_script(HIDDEN)
    return ann


def until_chosen(visitor: Visitor) -> None:
    """Wait until the computer has chosen, and the page knows that and asks for the answer."""
    page = visitor.page
    address = page.url.replace("/play/", "/api/games/")
    chosen = page.wait_for_function(HAS_CHOSEN, arg=address, polling=POLLING)
    # Nothing of it is still to come: it would move, and whoever holds what moves would wait for it.
    page.wait_for_function(AT_REST, arg=chosen.json_value(), polling=POLLING)
    page.locator(BUTTONS).first.wait_for()


def test_both_cards_lie_face_down_and_turn_over_together(visit: Visit) -> None:
    ann = visit(reduced_motion="no-preference")
    page = ann.page
    ann.sit_down(SECRET, settings={"rounds": 3})
    until_chosen(ann)
    known, widths = page.locator(".meter, .board .fact").all_inner_texts(), page.evaluate(WIDTHS)
    page.evaluate(HOLD)
    page.locator(BUTTONS).nth(6).click()
    page.wait_for_function(HELD)
    # At first nothing tells what is to come, and nobody is said to think or to be to move.
    assert page.locator(".meter, .board .fact").all_inner_texts() == known
    assert page.locator(".log .turn", has_text="1").count() == 0
    assert page.locator(".headline, .said").all_inner_texts() == ["Round 1", ""]
    assert page.locator(".doing").count() == 0
    assert page.locator(".chip.spent").all_inner_texts() == ["7"]
    assert page.evaluate(WIDTHS) == widths
    faces, told = {}, {}
    for time in range(0, 2400, 60):
        page.evaluate(SET_TIME, time)
        faces[time], told[time] = page.evaluate(FACES), page.evaluate(TELLING)
    assert faces[0] == [-1, -1]
    assert faces[2340] == [1, 1]
    assert all(one == two for one, two in faces.values()), faces
    # That stays so until both are turned over.
    down = [told[time] for time, (one, _) in faces.items() if one < 1]
    assert down == [down[0]] * len(down)
    page.evaluate(SET_TIME, 2340)
    assert page.locator(".said").inner_text() == page.locator(".said").text_content() != ""
    page.evaluate(FINISH)
    page.locator(".log .turn", has_text="1").wait_for()
    page.locator(BUTTONS).first.wait_for()
    assert page.locator(".ghost").count() == 0


def test_the_look_of_the_lower_card_stays_once_it_is_seen(visit: Visit) -> None:
    ann = visit(reduced_motion="no-preference")
    page = ann.page
    ann.sit_down(SECRET, settings={"rounds": 3}, seed=2)
    until_chosen(ann)
    page.evaluate(WATCH_LOOKS)
    page.evaluate(HOLD)
    page.locator(BUTTONS).last.click()
    page.wait_for_function(HELD)
    for time in range(0, 2400, 60):
        page.evaluate(PASS_TIME, time)
    # On a busy machine, something may begin to move only now, and nobody would let it go on.
    page.evaluate(FINISH)
    page.locator(".log .turn", has_text="1").wait_for()
    page.locator(".slot.loser").wait_for()
    page.wait_for_function("() => window.looks.at(-1)")
    looks = page.evaluate("() => window.looks")
    assert looks == sorted(looks)
    assert {*looks} == {False, True}


@pytest.mark.parametrize("mode", MODES)
def test_both_cards_and_what_they_did_stay_until_the_next_choice(mode: str, visit: Visit) -> None:
    ann = visitor_in(mode, visit)
    page = ann.page
    view = ann.sit_down(SECRET, settings={"rounds": 3}).replace("/play/", "/api/games/")
    until_chosen(ann)
    for turn in (1, 2):
        page.locator(BUTTONS).nth(5).click()
        page.locator(".log .turn", has_text=str(turn)).wait_for()
        # The computer chooses again at once. That takes nothing away.
        until_chosen(ann)
        found = ann.context.request.get(view).json()
        moves = list(found["last"]["moves"].values())
        assert page.locator(".slot .face").all_inner_texts() == moves
        assert page.locator(".slot.down, .slot.empty").count() == 0
        page.locator(BUTTONS).first.hover()
        assert page.locator(".consequence").inner_text()
        assert page.locator(".said").inner_text() == found["log"][-1]["short"]
        page.mouse.move(0, 0)


def test_a_result_is_seen_where_nothing_moves(visit: Visit) -> None:
    page = (ann := visitor_in("still", visit)).page
    ann.sit_down(SECRET, settings={"rounds": 3}, seed=2)
    until_chosen(ann)
    page.evaluate(WATCH_STAGES)
    page.locator(BUTTONS).last.click()
    page.locator(".log .turn", has_text="1").wait_for()
    page.locator(BUTTONS).first.wait_for()
    stages = page.evaluate("window.stages")
    (_, down), (_, seen), (_, asked) = stages[-3:]
    # Both cards lie face down for a moment. Then the winner of the round is shown for a while, and
    # no question is asked.
    assert [stage for stage, _ in stages[-3:]] == ["down", "winner, beats", "asked"]
    assert seen - down > 400
    assert asked - seen > 900


def test_a_gain_stands_in_the_panel_of_its_player(visit: Visit, http: httpx.Client) -> None:
    first, second = pair(http, "number-bid")
    assert second.move(1, "4").status_code == 200
    page = (ann := visit(reduced_motion="no-preference", viewport=PHONE)).page
    page.goto(ann.sit(first))
    page.evaluate(HOLD)
    page.locator(BUTTONS, has_text="10").click()
    page.wait_for_function(HELD)
    for time in range(1500, 2400, 100):  # by then it has flown there from the card
        page.evaluate(SET_TIME, time)
        page.evaluate("() => new Promise(requestAnimationFrame)")
        badge, panel, score = (
            page.locator(each).bounding_box() for each in (".badge", ".near", ".near .meter")
        )
        assert badge and panel and score  # noqa: PT018 (for the type checker)
        assert panel["x"] < badge["x"] < badge["x"] + badge["width"] <= score["x"]
        assert panel["y"] < badge["y"] < badge["y"] + badge["height"] < panel["y"] + panel["height"]
    page.evaluate(FINISH)


@pytest.mark.parametrize("finger", [False, True])
def test_a_touch_ends_it_and_counts(finger: bool, visit: Visit) -> None:
    ann = visit(reduced_motion="no-preference", viewport=PHONE, has_touch=True)
    page = ann.page
    ann.sit_down(SECRET)
    moves = ann.posted_moves()
    until_chosen(ann)
    page.evaluate(HOLD)  # it would never end by itself
    page.locator(BUTTONS).first.click()
    page.wait_for_function(HELD)
    place = centre(page.locator(".near .chip:not(.gone)").last)
    (page.touchscreen.tap if finger else page.mouse.click)(*place)
    page.locator(".log .turn", has_text="1").wait_for()
    # Beside everything it only ends what moves.
    while page.locator(".log .turn", has_text="2").count() == 0:
        page.mouse.click(5, 5)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    assert moves == ["1", "9"]


def test_a_key_ends_it_and_finds_a_number(visit: Visit) -> None:
    ann = visit(reduced_motion="no-preference")
    page = ann.page
    ann.sit_down(SECRET)
    moves = ann.posted_moves()
    for turn, key in enumerate(("Enter", "3"), 1):
        until_chosen(ann)
        page.evaluate(HOLD)
        page.locator(BUTTONS).first.click()
        page.wait_for_function(HELD)
        page.keyboard.press(key)
        page.locator(".log .turn", has_text=str(turn)).wait_for()
        found = page.locator(".offer:focus").count()
        assert found == (key == "3")
        page.reload()
    assert len(moves) == 2


def test_a_new_game_is_dealt_and_a_touch_ends_that(visit: Visit) -> None:
    ann = visit(reduced_motion="no-preference")
    ann.context.add_init_script(f"({HOLD})()")
    moves = ann.posted_moves()
    ann.sit_down(SECRET)
    ann.page.wait_for_function(HELD)
    ann.page.mouse.click(5, 300)
    ann.page.wait_for_function(
        "() => window.moving.every(({ playState }) => playState === 'finished')", polling=POLLING
    )
    ann.page.evaluate(FINISH)
    ann.page.locator(BUTTONS).first.click()
    ann.page.locator(".log .turn", has_text="1").wait_for()
    assert moves == ["1"]


def test_a_second_game_is_quicker(visit: Visit) -> None:
    ann = visit(reduced_motion="no-preference")
    page = ann.page
    paces = []
    for _ in range(2):
        ann.sit_down(SECRET, settings={"rounds": 1, "cards": 1})
        until_chosen(ann)
        page.evaluate(HOLD)
        page.locator(BUTTONS).first.click()
        page.wait_for_function(HELD)
        paces.append(page.evaluate(PACES))
        page.evaluate(FINISH)
        page.locator(ENDED).wait_for()
    [[first], [second]] = paces
    assert first == 1 < second


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


@pytest.mark.parametrize("mode", MODES[1:])
def test_nothing_moves_where_it_should_not(mode: str, visit: Visit) -> None:
    ann = visitor_in(mode, visit)
    ann.sit_down(SECRET, settings={"rounds": 1, "cards": 1})
    ann.page.evaluate(COUNT_ANIMATIONS)
    ann.page.locator(BUTTONS).first.click()
    ann.page.locator(ENDED).wait_for()
    assert ann.page.evaluate("window.animated") == 0


def test_the_board_is_drawn_once(visit: Visit) -> None:
    ann, eve = visit(), visit()
    ann.context.add_init_script(COUNT_DRAWINGS)
    eve.page.goto(ann.sit_down(OPEN))
    # By now the stream has told the page all that it had to tell.
    ann.page.get_by_text("1 person is watching").wait_for()
    assert ann.page.evaluate("window.drawings") == 1


@pytest.mark.parametrize("game", ONE_GAME)
@pytest.mark.parametrize("mode", [*MODES[:2], pytest.param(MODES[2], marks=pytest.mark.slow)])
@pytest.mark.parametrize("window", [DESKTOP, PHONE])
def test_the_end_is_a_card_in_the_first_window_and_moves_nothing(
    window: dict[str, int], mode: str, game: str, visit: Visit
) -> None:
    ann = visitor_in(mode, visit, viewport=window)
    page = ann.page
    ann.context.add_init_script(WATCH_SHIFTS)
    ann.sit_down(game, seed=3, settings=short(game))
    page.locator(BUTTONS).first.wait_for()
    tops = {page.evaluate(NEAR_SIDE_TOP)}
    play_out([ann], Random(2))
    # The side of a player who lost sinks for a moment, and comes back.
    page.wait_for_function(STILL, polling=POLLING)
    tops.add(page.evaluate(NEAR_SIDE_TOP))
    card = page.locator(".result")
    # After a win, a stronger computer is offered, too.
    won = page.locator(".result.won").count() == 1
    ways = ["Rematch", *["Try level 1"] * won, "Review", "New game"]
    lost = page.get_by_text("You lose").count() > 0
    ways = ["Review", "Rematch", "New game"] if lost else ways
    assert card.locator("button, a").all_inner_texts() == ways
    # One of them stands out.
    first = "Try level 1" if won else ways[0]
    assert card.locator(".primary").all_inner_texts() == [first]
    assert card.locator(".beaten").all_inner_texts() == ["★ First win against Random"] * won
    for button in card.locator("button, a").all():
        assert button.evaluate(IN_WINDOW)
    counts = "Score" in page.locator(".board").inner_text()
    assert card.locator(".score b").count() == (2 if counts else 0)
    assert card.locator(".said").inner_text()
    page.locator(".review .chart").wait_for()
    tops.add(page.evaluate(NEAR_SIDE_TOP))
    assert len(tops) == 1
    page.locator(".story").wait_for()
    assert "story" not in page.evaluate("window.shifted")
    # The game is watched again on the board, which stays where it is.
    page.keyboard.press("Home")
    page.locator(".count", has_text="0 /").wait_for()
    assert page.evaluate(NEAR_SIDE_TOP) in tops
    page.keyboard.press("End")
    page.evaluate("scrollTo(0, 0)")
    card.get_by_text("Review").click()
    page.wait_for_function("() => document.activeElement.id === 'review'", polling=POLLING)


@pytest.mark.parametrize("mode", MODES[:2])
def test_a_win_is_seen_and_heard_by_the_winner_who_wants_to(
    mode: str, visit: Visit, http: httpx.Client
) -> None:
    for wins, sound in ((True, False), (False, True), (True, True)):
        first, second = pair(http, SECRET, settings={"rounds": 1})
        assert second.move(1, "5").status_code == 200
        ann = visitor_in(mode, visit)
        page = ann.page
        ann.context.add_init_script(COUNT_SOUNDS)
        page.goto(ann.sit(first))
        if sound:
            page.locator(".menu .few summary").click()
            page.get_by_label("Sound").check()
            page.locator(".menu .few summary").click()
        heard = page.evaluate("window.sounds")
        assert heard == sound
        page.evaluate(HOLD)
        page.locator(BUTTONS, has_text="6" if wins else "4").click()
        if mode == "moving":
            page.wait_for_function(HELD)
            # Nothing tells before the last cards are turned over who has won.
            words = page.locator(".headline, .finished, .doing, .said").all_inner_texts()
            assert words == ["Round 1", ""]
            page.evaluate("() => { for (const each of window.moving.splice(0)) each.finish() }")
            page.locator(ENDED).wait_for()
            page.wait_for_function(HELD)
            assert (page.locator(".spark").count() > 0) is wins
            # The cards that decided it stay in sight.
            page.evaluate(SET_TIME, 0)
            assert not any(page.locator(".spark").evaluate_all(SIZES))
            assert page.locator(".result").evaluate("each => getComputedStyle(each).opacity") == "1"
            page.evaluate(SET_TIME, 800)
            # A loss does not flash.
            assert (page.locator(".near").evaluate(GLOW) != "none") is wins
            assert page.locator(".far").evaluate(GLOW) == "none"
            page.evaluate(FINISH)
        page.locator(ENDED).wait_for()
        page.locator(".ghost").first.wait_for(state="detached")
        assert page.evaluate("window.sounds") - heard == (wins and sound)


def test_a_player_always_has_the_same_colour_and_side(visit: Visit) -> None:
    ann = visit()
    look = """where => {
      const side = document.querySelector(where);
      return [getComputedStyle(side).borderLeftColor, side.querySelector(".you")?.innerText];
    }"""
    found = []
    for seat in (1, 2):
        ann.sit_down(SECRET, seat=seat)
        found.append(ann.page.evaluate(look, ".side.near"))
    assert found[0] == found[1]
    assert found[0][0] != ann.page.evaluate(look, ".side.far")[0]


@pytest.mark.parametrize("game", [name for name in nd.games() if both_choose(name)])
def test_the_computer_has_chosen_in_every_round(game: str, visit: Visit) -> None:
    from playwright.sync_api import expect

    ann = visit()
    ann.sit_down(game)
    turns = ann.page.locator(".log .turn")
    for played in range(2):
        expect(turns).to_have_count(played)
        until_chosen(ann)
        expect(ann.page.locator(".far .doing")).to_have_text("chosen")
        ann.page.locator(BUTTONS).first.click()
