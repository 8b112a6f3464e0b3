"""A game against the computer, what is kept of it, and the addresses of the pages."""

from __future__ import annotations

import json
from pathlib import Path

import number_duels as nd
from tests.web.browser.visitor import POLLING
from tests.web.page.conftest import SHOWN, Guest, Host, Visit

#: A game that plain Python solves in a moment.
GAME = "number-knot"
TITLE = nd.load(GAME).title
OFFER = "main.table .board .offer"
AFTER = "[data-key=again]"
TURN = ".log > li"
PLAY = """until => {
  const page = document.querySelector("iframe:not(.next)")?.contentDocument;
  if (!page || page.querySelector(until)) return Boolean(page);
  page.querySelector("main.table .board-place:not([aria-busy]) .offer:not(.chosen)")?.click();
  return false;
}"""
FINGERS = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
#: The service worker has everything that the page needs.
READY = "navigator.serviceWorker.ready.then(() => true)"

FULL = """() => {
  self.put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
}"""
ROOM = "() => { IDBObjectStore.prototype.put = self.put; }"


def start(guest: Guest) -> str:
    """A game against the computer that plays at random; the path of its table."""
    guest.open()
    guest.shown.locator(".levels label", has_text="Random").first.click()
    guest.shown.get_by_role("button", name=f"Play now: {TITLE}").click()
    guest.page.wait_for_url("**/#/play/*")
    guest.wait_for(OFFER)
    return guest.page.url.partition("#")[2]


def play_until(guest: Guest, selector: str) -> None:
    """Press whatever may be chosen first, until the page has something."""
    guest.page.wait_for_function(PLAY, arg=selector, polling=POLLING)


def choose(guest: Guest) -> None:
    """Make one move, in its two steps."""
    turns = guest.shown.locator(TURN).count()
    play_until(guest, f"{TURN}:nth-child({turns + 1})")


def play_to_the_end(guest: Guest) -> None:
    play_until(guest, AFTER)


def test_a_game_its_review_and_the_record_which_stay_without_a_network(
    visit: Visit, host: Host
) -> None:
    ann = visit()
    path = start(ann)
    play_to_the_end(ann)
    ann.shown.locator("[data-key=review]").click()
    ann.page.wait_for_url(f"**/#{path}#review")
    ann.wait_for("#review .chart")
    with ann.page.expect_download() as download:
        ann.shown.locator(".few", has_text="Download record").get_by_label("More").click()
        ann.shown.get_by_text("Download record").click()
    record = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert record["game"] == GAME
    ann.page.evaluate(READY)
    host.stop()
    ann.context.set_offline(True)
    ann.open("/record")
    ann.page.reload()
    ann.shown.get_by_role("heading", name="My record").wait_for()
    assert ann.page.title().startswith("My record")
    ann.open(path)
    ann.wait_for(AFTER)


def test_the_first_turn_is_played_before_python_is_there(visit: Visit, host: Host) -> None:
    host.open_for_python.clear()
    ann = visit()
    ann.open()
    ann.shown.locator("[data-key=play]").click()
    ann.wait_for(OFFER)
    ann.shown.locator(OFFER).last.click()
    # The computer's reply, too.
    ann.wait_for(TURN)
    first = ann.shown.locator(TURN).first.inner_text()
    # It is kept, also if the page is closed now.
    ann.page.reload()
    ann.wait_for(TURN)
    host.open_for_python.set()
    play_until(ann, f"{TURN}:nth-child(2)")
    # Python plays the same game, at the address that it had from the beginning.
    assert ann.shown.locator(TURN).last.inner_text() == first
    ann.page.reload()
    ann.wait_for(f"{TURN}:nth-child(2)")
    assert ann.shown.locator(TURN).last.inner_text() == first
    ann.open("/")
    ann.wait_for(".running-game")
    # The next visit shows the own games before Python is there.
    host.open_for_python.clear()
    ann.page.reload()
    ann.wait_for(".running-game")


def test_a_game_that_began_before_python_is_there_after_a_reload(visit: Visit, host: Host) -> None:
    host.open_for_python.clear()
    ann = visit()
    ann.open()
    ann.shown.locator("[data-key=play]").click()
    ann.wait_for(OFFER)
    ann.page.reload()
    ann.wait_for(OFFER)
    host.open_for_python.set()
    choose(ann)
    ann.open("/record")
    ann.shown.locator(".brand").click()
    ann.wait_for(".running-game")


def test_back_and_forward_lead_through_the_pages(visit: Visit) -> None:
    ann = visit()
    ann.open("/rules")
    ann.shown.get_by_role("link", name=TITLE).first.click()
    ann.page.wait_for_url(f"**/#/rules/{GAME}")
    # Until the page is there, the one before it is shown, which has such a link, too.
    ann.shown.get_by_role("heading", name=TITLE, exact=True).wait_for()
    ann.shown.get_by_role("link", name="Analyze").click()
    ann.wait_for(".chances h2")
    ann.shown.locator(".chances button").first.click()
    ann.page.wait_for_url("**/#/analysis/*?moves=*")
    ann.wait_for(".line [aria-current]:nth-child(n)")
    ann.page.go_back()
    ann.page.wait_for_url(f"**/#/analysis/{GAME}")
    ann.shown.locator(".line li").nth(0).locator("[aria-current]").wait_for()
    ann.page.go_back()
    ann.page.wait_for_url(f"**/#/rules/{GAME}")
    ann.shown.get_by_role("heading", name=TITLE, exact=True).wait_for()
    ann.page.go_forward()
    ann.wait_for(".chances h2")
    # What follows the second # changes no page.
    ann.open(f"/train?game={GAME}")
    ann.shown.get_by_role("link", name="My book").click()
    ann.page.wait_for_url("**/#/train?game=*#book")
    ann.page.go_back()
    ann.wait_for("[data-key=start]")


def test_a_page_of_a_frame_and_an_unknown_address_lead_somewhere(visit: Visit) -> None:
    ann = visit()
    ann.open("/nothing/here")
    ann.shown.get_by_role("link", name="All games").click()
    ann.page.wait_for_url("**/#/")
    ann.wait_for("[data-key=play]")
    frame = ann.page.locator(SHOWN).get_attribute("src") or ""
    ann.page.goto(frame.replace("start_page.html?/", "rules.html?/rules/number-knot"))
    ann.page.wait_for_url("**/some/path/#/rules/number-knot")
    ann.shown.get_by_role("heading", name=TITLE, exact=True).wait_for()


def test_two_tabs_share_one_python_and_the_other_takes_over(visit: Visit) -> None:
    ann = visit()
    start(ann)
    # The first board is there before Python, which alone knows the game in another tab.
    choose(ann)
    first, second = ann.page, ann.context.new_page()
    second.goto(first.url)
    ann.page = second
    ann.wait_for(OFFER)
    choose(ann)
    ann.page = first
    ann.wait_for(TURN)
    turns = ann.shown.locator(TURN).count()
    ann.page = second
    first.close()
    ann.wait_for(OFFER)
    choose(ann)
    assert ann.shown.locator(TURN).count() > turns


def test_on_a_phone_everything_can_be_reached_by_touch(visit: Visit) -> None:
    ann = visit(**FINGERS)
    ann.open()
    ann.wait_for("[data-key=play]")
    wide = "() => document.scrollingElement.scrollWidth > innerWidth"
    frame = ann.page.frames[1]
    assert not frame.evaluate(wide)
    ann.shown.locator(".levels label", has_text="Random").first.tap()
    ann.shown.get_by_role("button", name=f"Play now: {TITLE}").tap()
    ann.wait_for(OFFER)
    ann.shown.locator(OFFER).first.tap()
    assert not ann.page.frames[-1].evaluate(wide)


def test_a_full_storage_is_said_and_loses_nothing(visit: Visit) -> None:
    ann = visit()
    start(ann)
    choose(ann)
    (worker,) = ann.page.workers
    worker.evaluate(FULL)
    problem = ann.page.get_by_role("alert").and_(ann.page.locator("#problem"))
    ann.wait_for(OFFER)
    choose(ann)
    problem.wait_for()
    assert "no room" in problem.inner_text()
    worker.evaluate(ROOM)
    ann.wait_for(f"{OFFER}, {AFTER}")
    ann.shown.locator(".brand").click()
    problem.wait_for(state="hidden")
    ann.wait_for(".running-game")
    # What the browser refused is said in the console, too.
    ann.errors = [text for text in ann.errors if "Quota" not in text]
