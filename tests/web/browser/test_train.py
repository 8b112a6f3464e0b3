"""The trainer in a browser: by touch, by keyboard, by sliders; a puzzle, a lesson."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import number_duels as nd
from number_duels.trainer.book import DAILY_TRIES
from number_duels.trainer.lessons import lesson
from number_duels.trainer.puzzles import daily, puzzles
from number_duels.trainer.spot import Spot
from tests.some_games import SECRET
from tests.web.browser.conftest import Visit
from tests.web.browser.scenes import PLAYABLE, book, mixed
from tests.web.browser.test_after import COUNTED
from tests.web.browser.test_pages import BESIDE
from tests.web.browser.test_two_people import OUTSIDE
from tests.web.browser.visitor import POLLING, Visitor, short
from tests.web.people import Json
from tests.web.training import moves_of

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

TURNS = next(name for name in nd.games() if "life" in nd.load(name).settings)
FOCUSED = "() => document.activeElement.dataset.key"


def on_this_day(visitor: Visitor) -> date:
    """Stop the day in a browser, so that the test is not cut in two by midnight."""
    now = datetime.now(UTC).astimezone()
    visitor.page.clock.set_fixed_time(now)
    return now.date()


def open_train(visitor: Visitor, kind: str, game: str = TURNS) -> Page:
    """A kind of exercise; drills of a game that is solved in a moment."""
    named = "".join(f"&{name}={value}" for name, value in short(game).items())
    visitor.page.goto(f"/train?game={game}{named}#{kind}")
    return visitor.page


def path_to(question: Json, move: str) -> list[Json]:
    """The answers, one after the other, that make a move."""
    for answer in question["answers"]:
        if answer.get("move") == move:
            return [answer]
        if "next" in answer and (rest := path_to(answer["next"], move)):
            return [answer, *rest]
    return []


def touch(
    page: Page,
    question: Json,
    move: str,
    take: Callable[[Locator], object] = lambda place: place.click(),
) -> None:
    """Make a move on the board, step by step."""
    for answer in path_to(question, move):
        places = [f'[data-key="tile {at["part"]}.{at["place"]}"]' for at in answer["at"]]
        places = [place.replace("None", "all") for place in places]
        named = [f'[data-key="answer {answer["text"]}"]', *places]
        take(page.locator(", ".join(named)).first)


def scene_after(page: Page, do: Callable[[], object]) -> Json:
    """The scene that the page gets for something that is done."""
    with page.expect_response("**/api/train/session") as sent:
        do()
    return sent.value.json()["scene"]


def test_a_drill_by_touch_on_the_narrowest_phone(visit: Visit) -> None:
    ann = visit(viewport={"width": 320, "height": 640}, has_touch=True)
    page = ann.page
    with page.expect_response("**/api/train/session") as sent:
        open_train(ann, "drills")
    found = sent.value.json()
    page.locator(PLAYABLE).first.wait_for()
    # The question is read before the board, also where there is little room.
    heading = page.locator("h1", has_text="?")
    assert heading.evaluate("(it) => getComputedStyle(it).clipPath") == "none"
    assert page.evaluate(OUTSIDE) == []
    spot = Spot.from_json(found["state"]["spot"]).open()
    values = nd.solve(spot.game).values(spot.state, spot.seat)
    best = str(max(values, key=values.__getitem__))
    touch(page, found["scene"]["question"], best, ann.tap)
    page.locator(".verdict.right").wait_for()
    assert page.evaluate(BESIDE) == []
    assert page.locator(".score-line").inner_text().endswith("1 of 1 right")
    assert page.locator(".options tr.best").count() > 0
    page.get_by_role("button", name="Add to my book").tap()
    page.locator(".figures .note", has_text="In your mistake book").wait_for()
    # Mistakes that are due come next.
    page.locator(".back").tap()
    page.get_by_text("1 mistake to practice today, from all games.").wait_for()
    assert page.locator(".door dt").all_inner_texts()[:2] == ["In my book", "Right answers"]
    assert page.locator(".door dd").all_inner_texts()[:2] == ["1", "1 of 1"]
    page.get_by_role("link", name="Practice your mistakes").tap()
    page.locator(".score-line", has_text="Mistakes to practice").wait_for()
    page.locator(PLAYABLE).first.wait_for()


def test_an_answer_to_a_drill_leaves_the_hand(visit: Visit) -> None:
    page = open_train(visit(), "drills", SECRET)
    page.locator(PLAYABLE).first.click()
    page.locator(".verdict").wait_for()
    assert (
        page.locator(".near .spent").all_inner_texts()
        == page.locator(".slot.own .face").all_inner_texts()
    )


def test_one_training_comes_next_and_all_of_it_tells_how_far_it_is(visit: Visit) -> None:
    page = visit().page
    page.goto("/train")
    page.get_by_role("link", name="Start the lesson").wait_for()
    assert page.locator(".primary").count() == 1
    steps, known = len(lesson(nd.games()[0]).steps), len(puzzles(nd.games()[0]))
    page.get_by_role("link", name=f"Lesson 0 of {steps} steps").wait_for()
    page.get_by_role("link", name=f"Puzzles 0 of {known} solved").wait_for()
    page.get_by_role("link", name="Drills").wait_for()
    # Another game is a tab, and stays chosen.
    page.get_by_role("link", name=nd.load(SECRET).title).click()
    page.get_by_text(f"Learn {nd.load(SECRET).title}").wait_for()
    page.goto("/train")
    page.get_by_text(f"Learn {nd.load(SECRET).title}").wait_for()


def test_cards_are_found_practised_taken_along_and_removed(visit: Visit, tmp_path: Path) -> None:
    ann, bo = visit(), visit()
    book(ann, ann)
    page = ann.page
    # Somebody else merges the file of the book into theirs.
    page.locator(".few summary").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    download.value.save_as(tmp_path / "mine.jsonl")
    bo.page.goto("/train#book")
    bo.page.get_by_text("No mistakes yet.").wait_for()
    assert not bo.page.get_by_text("Merge a file").is_visible()
    bo.page.locator(".few summary").click()
    with bo.page.expect_file_chooser() as chooser:
        bo.page.get_by_text("Merge a file").click()
    chooser.value.set_files(tmp_path / "mine.jsonl")
    bo.page.get_by_text("1 mistake.").wait_for()
    page.locator(".few summary").click()
    page.get_by_label("Search").fill("no such game")
    page.get_by_text("No mistake matches that.").wait_for()
    page.get_by_label("Search").fill("analysis")
    page.get_by_role("link", name="Practice").click()
    page.locator(PLAYABLE).first.wait_for()
    page.go_back()
    page.get_by_role("button", name="Remove").click()
    page.get_by_text("No mistakes yet.").wait_for()
    page.locator(".back").click()
    page.get_by_role("link", name="Start the lesson").wait_for()


def test_a_drill_by_keyboard_and_how_a_mistake_is_punished(visit: Visit) -> None:
    ann = visit(reduced_motion="no-preference")
    page = ann.page
    page.add_init_script(COUNTED)
    with page.expect_response("**/api/train/session") as sent:
        open_train(ann, "drills")
    found = sent.value.json()
    page.locator(PLAYABLE).first.wait_for()
    # A new position has the focus, and none of its answers: Enter takes none.
    page.keyboard.press("Enter")
    assert page.locator(".board .chosen").count() == 0
    page.keyboard.press("ArrowRight")
    page.locator(f"{PLAYABLE}:focus").wait_for()
    spot = Spot.from_json(found["state"]["spot"]).open()
    values = nd.solve(spot.game).values(spot.state, spot.seat)
    worst = str(min(values, key=values.__getitem__))

    def choose(place: Locator) -> None:
        ann.pass_double_click()
        place.press("Enter")

    touch(page, found["scene"]["question"], worst, choose)
    page.locator(".verdict.wrong").wait_for()
    page.wait_for_function(f"() => ({FOCUSED})() === 'next'")
    page.locator("[data-key=line]").focus()
    board = page.locator(".board").inner_html()
    page.evaluate("window.moved = 0")
    page.keyboard.press("Enter")
    page.wait_for_function("() => window.moved > 0", polling=POLLING)
    page.locator(".board .just").first.wait_for()
    assert page.locator(".board").inner_html() != board
    # It plays itself meanwhile, so one step back may not be enough.
    page.keyboard.press("Home")
    page.locator(".replay .count", has_text="0 /").wait_for()
    page.keyboard.press("Escape")
    assert page.locator(".replay").count() == 0
    assert page.evaluate(FOCUSED) == "line"


def test_a_mixed_strategy_by_sliders_that_everybody_can_use(visit: Visit) -> None:
    ann = visit()
    mixed(ann, ann)
    page = ann.page
    names = [label.inner_text() for label in page.locator(".slider label").all()]
    answer = page.get_by_role("button", name="Answer")
    page.get_by_role("slider", name=names[0]).focus()
    for _ in range(2):
        page.keyboard.press("PageUp")
    for _ in range(5):
        page.get_by_role("button", name=f"More: {names[0]}").click()
    assert page.locator(".total").inner_text() == "25% set, 75% left."
    assert answer.get_attribute("aria-disabled") == "true"
    page.get_by_role("slider", name=names[1]).focus()
    page.keyboard.press("End")
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")
    sliders = {
        node["name"]["value"]: node["value"]["value"]
        for node in tree["nodes"]
        if node["role"]["value"] == "slider"
    }
    assert list(sliders) == names
    assert list(sliders.values()) == [25, 75, *[0] * (len(names) - 2)]
    assert page.locator(".total").inner_text() == "100% set."
    answer.click()
    page.locator(".verdict").wait_for()
    assert "25%" in page.locator(".feedback").inner_text()
    # The learner's bar is above that of perfect play.
    bars = page.locator(".strategy .mix")
    assert bars.locator("figcaption").all_inner_texts() == ["Your mix", "Perfect mix"]
    first, second = (name.removeprefix("Play ") for name in names[:2])
    assert bars.first.locator(".area").all_inner_texts() == [f"{first}\n25%", f"{second}\n75%"]
    assert page.locator(".options tr.best").count() > 0


def test_the_puzzle_of_the_day_keeps_its_answer_until_it_is_right(visit: Visit) -> None:
    ann = visit()
    day = on_this_day(ann)
    puzzle = daily(day)
    page = ann.page
    scene = scene_after(page, lambda: open_train(ann, "daily"))
    page.locator(PLAYABLE).first.wait_for()
    wrong = next(move for move in moves_of(scene["question"]) if not puzzle.is_right(move))
    touch(page, scene["question"], wrong)
    page.locator(".verdict.wrong").wait_for()
    assert page.locator("table").count() == 0
    assert page.locator(".tries i").count() == DAILY_TRIES
    assert page.locator(".tries .wrong").count() == 1
    page.locator(PLAYABLE).first.wait_for()
    touch(page, scene["question"], puzzle.answers[0])
    page.locator(".verdict.right").wait_for()
    page.locator(".squares", has_text=f"{day}").wait_for()
    page.locator(".squares", has_text="⬛🟩 · streak 1").wait_for()
    page.goto("/train")
    page.locator(".offers", has_text="Solved, streak 1; come back tomorrow for 2").wait_for()


def test_a_lesson_is_answered_and_gone_on_with(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    steps = lesson(SECRET).steps
    asked = next(n for n, step in enumerate(steps) if step.asks)
    scene = scene_after(page, lambda: open_train(ann, "lesson", SECRET))
    for n in range(asked):
        page.get_by_text(f"step {n + 1} of {len(steps)}").wait_for()
        scene = scene_after(page, page.get_by_role("button", name="Next").click)
    page.locator(PLAYABLE).first.wait_for()
    touch(page, scene["question"], steps[asked].accepts[0])
    page.locator(".verdict.right").wait_for()
    assert steps[asked].praise in page.locator(".feedback").inner_text()
    page.goto("/train?game=" + SECRET)
    page.get_by_role("link", name="Go on with the lesson").click()
    page.get_by_text(f"step {asked + 2} of {len(steps)}").wait_for()
