"""The daily puzzle on the front page: answered there, shared, and opened by somebody else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

import number_duels as nd
from number_duels.core.game import Seat
from number_duels.trainer.puzzles import daily
from tests.some_games import SECRET
from tests.web.browser.conftest import Visit
from tests.web.browser.scenes import book
from tests.web.browser.test_train import on_this_day, touch
from tests.web.browser.visitor import Visitor
from tests.web.local import LocalServer
from tests.web.people import Json
from tests.web.test_train import Dated
from tests.web.training import moves_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

#: As on a page over plain http that is not of this machine.
NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', {value: undefined})"
#: The text that the next paste would give, without the permission to read it.
PASTE = """() => {
  const field = document.body.appendChild(document.createElement("textarea"));
  field.id = "pasted";
  field.focus();
}"""

QUESTION = """day => fetch(`/api/train/daily?day=${day}`)
  .then((answer) => answer.json())
  .then(({ scene }) => scene.question)"""
CLASSES = "all => all.map((each) => each.className)"


def open_card(visitor: Visitor, address: str) -> Json:
    """Open a page with the puzzle; its question."""
    page = visitor.page
    with page.expect_response("**/api/train/daily*") as sent:
        page.goto(address)
    page.locator(".daily-card .offer").first.wait_for()
    return sent.value.json()["scene"]["question"]


def answer(page: Page, question: Json, day: date, *, right: bool) -> None:
    move = next(one for one in moves_of(question) if daily(day).is_right(one) is right)
    touch(page, question, move)
    page.locator(f".verdict.{'right' if right else 'wrong'}").wait_for()


def test_the_puzzle_is_solved_on_the_front_page_and_its_address_is_shared(visit: Visit) -> None:
    ann, bo = visit(), visit()
    day = on_this_day(ann)
    ann.context.add_init_script(NO_CLIPBOARD)
    page = ann.page
    question = open_card(ann, "/")
    # The page leaves the focus where it was: nobody has come for the puzzle alone.
    assert page.evaluate("() => document.activeElement === document.body")
    answer(page, question, day, right=False)
    # The same position is asked again at once, below the verdict on the first try.
    page.get_by_text("try 2 of 3").wait_for()
    page.locator(".daily-card .offer").first.wait_for()
    answer(page, question, day, right=True)
    page.locator(".verdict", has_text="Solved in 2 tries.").wait_for()
    address = f"{ann.base}/daily/{day}"
    page.locator(".squares", has_text=address).wait_for()
    page.locator(".squares").get_by_role("button", name="Copy").click()
    page.locator(".squares").get_by_role("button", name="Copied").wait_for()
    page.evaluate(PASTE)
    page.keyboard.press("Control+V")
    line, shared = page.locator("#pasted").input_value().splitlines()
    assert line.startswith(f"Number Duels {day} · ")
    assert shared == address
    # When she comes back, she finds how it went and the answer, and can practice it.
    board = page.locator(".daily-card .board").inner_text()
    page.reload()
    page.locator(".squares", has_text="streak 1").wait_for()
    page.locator(".verdict", has_text="Solved in 2 tries.").wait_for()
    page.get_by_role("heading", name=daily(day).prompt).wait_for()
    assert page.locator(".tries i").evaluate_all(CLASSES) == ["wrong", "right", ""]
    assert page.locator(".daily-card .board").inner_text() == board
    assert page.locator(".daily-card").get_by_text("puzzle starts in").count() == 1
    assert page.get_by_text("tomorrow").count() == 0
    page.get_by_role("button", name="Practice it").click()
    page.get_by_text("practice").wait_for()
    # Somebody else has three tries of their own at the same puzzle.
    bo.page.clock.set_fixed_time(page.evaluate("() => Date.now()"))
    theirs = open_card(bo, shared.removeprefix(ann.base))
    assert theirs == question
    for left in (2, 3):
        answer(bo.page, theirs, day, right=False)
        bo.page.get_by_text(f"try {left} of 3").wait_for()
    answer(bo.page, theirs, day, right=False)
    bo.page.locator(".squares", has_text=address).wait_for()
    bo.page.reload()
    bo.page.locator(".verdict", has_text="Not solved.").wait_for()
    bo.page.get_by_role("button", name="Practice it").click()
    bo.page.get_by_text("practice").wait_for()


def test_the_streak_and_the_mistakes_to_practice_stand_beside_it(
    visit: Visit, own_server: Callable[..., LocalServer]
) -> None:
    from playwright.sync_api import expect

    clock = Dated()  # late enough for the puzzle of the next day
    today = clock.now().date()
    ann = visit(own_server(clock).url)
    for day in (today, today + timedelta(days=1)):
        ann.page.clock.set_fixed_time(datetime(day.year, day.month, day.day, 12))
        book(ann, ann)
        open_card(ann, "/")
        answer(ann.page, ann.page.evaluate(QUESTION, str(day)), day, right=True)
    beside = ann.page.locator(".daily-card .beside-daily > *")
    expect(beside).to_have_text(["2 days in a row", "1 mistake to practice today"])
    beside.last.click()
    ann.page.locator(".score-line", has_text="Mistakes to practice").wait_for()


def test_the_mistakes_of_finished_games_are_counted_on_the_front_page(visit: Visit) -> None:
    ann = visit()
    game = {"title": "", "status": "won", "id": "0", "kept": False, "against": "", "updated": ""}
    me = {"name": "", "created": "2026-01-01", "running": [], "finished": [game]}
    ann.page.route("**/api/me", lambda route: route.fulfill(json=me))
    found = {"read": 1, "cards": 1, "more": False}
    ann.page.route("**/api/train/book/games", lambda route: route.fulfill(json=found))
    asked: list[str] = []
    ann.page.on("request", lambda one: asked.append(one.url.rpartition("/")[2]))
    # The line beside the title is asked for again after the search.
    with ann.page.expect_request(lambda one: "games" in asked and "/daily" in one.url):
        ann.page.goto("/")


def test_the_card_asks_its_question_and_names_the_game_once(visit: Visit) -> None:
    ann = visit()
    day = on_this_day(ann)
    while (spot := daily(day).spot.open()).game.name != SECRET or spot.seat is Seat.ONE:
        day -= timedelta(days=1)
    ann.page.clock.set_fixed_time(datetime(day.year, day.month, day.day, 12))
    for address in ("/", f"/daily/{day}"):
        open_card(ann, address)
        card = ann.page.locator(".daily-card")
        card.get_by_role("heading", name=daily(day).prompt).wait_for()
        title = nd.load(SECRET).title
        status = card.locator(".score-line").text_content() or ""
        assert status.startswith(f"{title} · try 1 of 3 · difficulty ★")
        # One's own card lies on the left and has the first colour, in whichever seat.
        left, right = (card.locator(f".slot{of}").bounding_box() for of in (".own", ":not(.own)"))
        assert left
        assert right
        assert left["width"] == right["width"]
        colours = "(it) => ['--seat', '--one'].map((n) => getComputedStyle(it).getPropertyValue(n))"
        assert len(set(card.locator(".near").evaluate(colours))) == 1
        # Nobody is waited for.
        assert card.locator(".doing").count() == 0


def test_a_day_without_a_puzzle_gets_a_sentence(visit: Visit) -> None:
    ann = visit()
    far = on_this_day(ann) + timedelta(days=9)
    for address, said in ((f"/daily/{far}", "not available yet"), ("/daily/soon", "is not a date")):
        ann.page.goto(address)
        ann.page.get_by_text(said).wait_for()
    ann.errors.clear()


def test_rules_unfold_in_the_card(visit: Visit) -> None:
    ann = visit()
    day = on_this_day(ann)
    open_card(ann, f"/daily/{day}")
    ann.page.get_by_text("Rules of").click()
    ann.page.locator(".rule-text li").first.wait_for()
