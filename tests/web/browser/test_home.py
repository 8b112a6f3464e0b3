"""What is one's own: games that go on, results, the profile on another device, the record."""

from __future__ import annotations

import json
import re
from pathlib import Path

import number_duels as nd
from tests.web.browser.conftest import Visit
from tests.web.browser.visitor import POLLING, Visitor, short
from tests.web.people import GAME

#: Notes what notifications are shown; they are shown all the same.
LISTENING = """
  window.told = [];
  window.Notification = class extends Notification {
    constructor(title, options) {
      super(title, options);
      window.told.push(title);
    }
  };"""
#: What a table sends, sent from any page of the same browser.
SEND = """async ([path, body]) => {
  const answer = await fetch(path, {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});
  return [answer.status, await answer.json()];
}"""


def send(visitor: Visitor, link: str, what: str, body: object) -> None:
    """Do something in a game, by its link."""
    id_ = link.rsplit("/", 1)[-1]
    status, said = visitor.page.evaluate(SEND, [f"/api/games/{id_}/{what}", body])
    assert status == 200, said


def first_move(visitor: Visitor, link: str) -> None:
    """The first move that is allowed in a game that begins with one."""
    game = nd.load(GAME)
    turn = game.turn(game.start())
    assert isinstance(turn, nd.Decision)
    move = str(next(iter(turn.options.values()))[0])
    send(visitor, link, "moves", {"turn": 1, "move": move})


def running(visitor: Visitor, words: str) -> None:
    """Wait until the front page says something of a running game."""
    visitor.page.locator(".running-game", has_text=words).wait_for()


def test_a_game_is_found_again_and_says_whose_turn_it_is(visit: Visit) -> None:
    from playwright.sync_api import expect

    ann, bo = visit(), visit()
    link = ann.start(GAME, "Ann")
    ann.page.goto("/")
    running(ann, "send the link")
    # An invitation alone is below the button to play.
    expect(ann.page.locator(".hero ~ .running-place")).to_have_count(1)
    expect(ann.page).to_have_title("Number Duels")
    # What happens elsewhere is seen at once.
    bo.join(link, "\u0645\u06cc\u200c\u0631\u0627")
    running(ann, "Your turn")
    expect(ann.page.locator(".running-game bdi")).to_have_text("\u0645\u06cc\u200c\u0631\u0627")
    expect(ann.page).to_have_title("● Number Duels")
    icon = ann.page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", re.compile("favicon-turn.svg"))
    first_move(ann, link)
    running(ann, "Their turn")
    ann.page.reload()
    running(ann, "Their turn")
    expect(ann.page.locator(".running-place ~ .hero")).to_have_count(1)
    expect(icon).to_have_attribute("href", re.compile("favicon.svg"))
    # A small board is the one of the table, and leads to it.
    ann.page.locator(".running-game").click()
    ann.page.wait_for_url(link)
    send(ann, link, "resign", {})
    ann.page.goto("/")
    ann.page.locator(".ended a", has_text="Lost").wait_for()
    bo.page.goto("/")
    bo.page.locator(".ended a", has_text="Won").click()
    bo.page.wait_for_url(link)


def test_a_code_brings_everything_to_another_device_once(visit: Visit) -> None:
    from playwright.sync_api import expect

    ann, phone, other = visit(), visit(viewport={"width": 390, "height": 844}), visit()
    link = ann.start(GAME, "Ann")
    ann.page.goto("/")
    expect(ann.page.get_by_label("Your name in new games")).to_have_value("Ann")
    ann.page.get_by_role("button", name="Use on another device").click()
    code = ann.page.locator(".transfer-code").inner_text()
    phone.page.goto(f"/#code={code}")
    expect(phone.page.get_by_label("Code", exact=True)).to_have_value(code)
    phone.page.get_by_role("button", name="Use that profile here").click()
    running(phone, "send the link")
    phone.page.locator(".running-game").click()
    phone.page.wait_for_url(link)
    phone.page.locator(".you").wait_for()
    # It worked, so it works no more; a browser with games of its own says what becomes of them.
    theirs = other.start(GAME, "Bo")
    other.page.goto("/")
    other.page.get_by_role("button", name="Enter a code").click()
    other.page.get_by_label("Code", exact=True).fill(code)
    other.page.get_by_role("button", name="Use that profile here").click()
    other.page.get_by_role("alert").get_by_text("This code is wrong").wait_for()
    ann.page.get_by_role("button", name="Close").click()
    ann.page.locator("dialog").wait_for(state="detached")
    ann.page.get_by_role("button", name="Use on another device").click()
    other.page.get_by_label("Code", exact=True).fill(
        ann.page.locator(".transfer-code").inner_text()
    )
    other.page.get_by_role("button", name="Use that profile here").click()
    other.page.get_by_role("button", name="Add my games to that profile").click()
    other.page.locator(".running-game").nth(1).wait_for()
    ann.page.reload()
    ann.page.locator(f".running-game[href$='{theirs.rsplit('/', 1)[-1]}']").wait_for()
    # The browser itself writes down what was refused.
    other.errors.clear()


def test_who_looks_elsewhere_is_told_if_that_was_asked_for(visit: Visit) -> None:
    from playwright.sync_api import expect

    ann, bo = visit(), visit()
    ann.context.add_init_script(LISTENING)
    link = ann.start(GAME, "Ann")
    offer = ann.page.get_by_role("button", name="Notify me when it's my turn")
    bo.join(link, "Bo")
    ann.page.get_by_text("Your turn").first.wait_for()
    expect(ann.page).to_have_title(re.compile("^● "))
    assert offer.count() == 0
    # Only now, after the first move against a person, is it offered.
    first_move(ann, link)
    offer.wait_for()
    expect(ann.page).to_have_title(re.compile("^(?!● )"))
    ann.context.grant_permissions(["notifications"])
    offer.click()
    offer.wait_for(state="hidden")
    tab = ann.context.new_cdp_session(ann.page)
    tab.send("Emulation.setFocusEmulationEnabled", {"enabled": False})
    ann.context.new_page().bring_to_front()
    ann.page.wait_for_function("() => !document.hasFocus()", polling=POLLING)
    first_move(bo, link)
    ann.page.wait_for_function("() => window.told.length > 1", polling=POLLING)
    assert ann.page.evaluate("() => window.told") == [
        "Notifications are on",
        nd.load(GAME).title,
    ]


def test_the_record_counts_and_can_be_taken_along(visit: Visit, tmp_path: Path) -> None:
    from playwright.sync_api import expect

    ann = visit()
    page = ann.page
    page.goto("/record")
    page.get_by_text("No finished games yet").wait_for()
    for _ in range(2):
        link = ann.start(GAME, "Ann", "random", **short(GAME))
        first_move(ann, link)
        send(ann, link, "resign", {})
    page.goto("/")
    page.locator(".page", has_text="My record").click()
    page.locator(".headline-figures").wait_for()
    expect(page.locator("dd").nth(2)).to_have_text("2")
    page.get_by_role("row", name=nd.load(GAME).title).get_by_text("2").first.wait_for()
    page.get_by_role("row", name="Random").wait_for()
    # Games are graded beside what people do; the page shows it when it is done.
    page.locator(".columns rect").nth(1).wait_for()
    with page.expect_download() as download:
        page.locator(".heading summary").click()
        page.get_by_role("link", name="Export all records").click()
    download.value.save_as(tmp_path / "mine.jsonl")
    records = (tmp_path / "mine.jsonl").read_text().splitlines()
    assert [json.loads(line)["result"] for line in records] == ["0-1", "0-1"]
    # Another browser takes the file, once.
    bo = visit().page
    bo.goto("/record")
    for told in ("2 new games.", "0 new games."):
        bo.locator(".heading summary").click()
        with bo.expect_file_chooser() as chooser:
            bo.get_by_text("Import records").click()
        chooser.value.set_files(tmp_path / "mine.jsonl")
        expect(bo.locator(".heading .note")).to_have_text(told)
    bo.get_by_role("row", name="Random").wait_for()
    page.goto("/")
    # Who wants to be forgotten is.
    page.get_by_role("button", name="Forget me").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget me").click()
    page.locator(".ended").wait_for(state="detached")
    page.goto("/record")
    page.get_by_text("No finished games yet").wait_for()
