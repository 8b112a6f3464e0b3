"""Two people, two browsers: a game is played to its end with the page's buttons."""

from __future__ import annotations

from random import Random

import pytest

import number_duels as nd
from tests.some_games import CARDS, SECRET
from tests.web.browser.conftest import Visit
from tests.web.browser.visitor import ENDED, ONE_GAME, play_out, short

PHONE = {"width": 390, "height": 844}
#: What plays a number and does not lie on the board.
OUTSIDE = """() => [...document.querySelectorAll("main button")]
  .filter((each) => !each.closest(".board") && /[0-9]/.test(each.innerText))
  .map((each) => each.innerText)"""
MENU_TOP = "() => document.querySelector('.menu').getBoundingClientRect().top + scrollY"
SHADOW = "each => getComputedStyle(each).boxShadow"
LOG_HEIGHT = "() => document.querySelector('.log').getBoundingClientRect().height"


@pytest.mark.parametrize("game", ONE_GAME)
def test_two_people_play_to_the_end(game: str, visit: Visit) -> None:
    ann, bo, eve = visit(), visit(viewport=PHONE, has_touch=True), visit()
    link = ann.start(game, "Ann", "friend", **short(game))
    assert ann.page.get_by_label("Link to this game").input_value() == link
    bo.join(link, "Bo")
    eve.page.goto(link)
    eve.page.locator(".standing", has_text="You are watching this game.").wait_for()
    # One plays with a mouse, the other with a finger, and both on the board alone.
    assert [someone.page.evaluate(OUTSIDE) for someone in (ann, bo)] == [[], []]
    play_out([ann, bo], Random(7))
    # Both see the same end, each from their own chair.
    one, two = (who.headline.partition(" by ")[0] for who in (ann, bo))
    assert (one, two) in {("You win", "You lose"), ("You lose", "You win"), ("A draw", "A draw")}
    assert one in ann.page.title()
    # However much was told, what else can be done is not pushed out of sight.
    assert bo.page.evaluate(MENU_TOP) < PHONE["height"]
    assert bo.page.evaluate(LOG_HEIGHT) < PHONE["height"]
    # After a loss, the review is what helps most.
    for who in (ann, bo):
        lost = who.headline.startswith("You lose")
        assert who.page.locator(".ways .primary[data-key=review]").count() == lost
    # Who only watches saw it too, and is offered nothing that belongs to the players.
    eve.page.locator(ENDED).wait_for()
    assert eve.headline.partition(" by ")[0] in ("Ann wins", "Bo wins", "A draw")
    assert eve.page.get_by_role("button", name="Rematch").count() == 0


def test_two_people_share_a_phone(visit: Visit) -> None:
    page = visit(viewport=PHONE, has_touch=True).page
    page.goto(f"/#{SECRET}")
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("At this device").tap()
    dialog.get_by_label("Your name").fill("Ann")
    dialog.get_by_label("Your friend's name").fill("Bo")
    dialog.get_by_role("button", name="Start the game").tap()
    for name, other in (("Ann", "Bo"), ("Bo", "Ann")):
        words = f"The next screen is for {name} only. {other}, please look away."
        page.get_by_text(words, exact=True).wait_for()
        page.reload()
        ready = page.get_by_role("button", name="Ready")
        ready.wait_for()
        assert page.locator("[data-tile].offer").count() == 0
        # What cannot be pressed does not look like a button.
        assert page.locator(".near .chip").first.evaluate(SHADOW) == "none"
        ready.tap()
        page.get_by_text(f"{name}'s turn", exact=True).wait_for()
        page.locator("[data-tile].offer").nth(3).tap()
    page.get_by_text("Pass the device to Ann", exact=True).wait_for()
    page.get_by_role("button", name="Ready").wait_for()
    assert [card.inner_text() for card in page.locator(".slot .face").all()] == ["4", "4"]


def test_a_rematch_swaps_the_seats(visit: Visit) -> None:
    game = nd.games()[0]
    ann, bo = visit(), visit()
    bo.join(ann.sit_down(game, "friend"), "Bo")
    ann.page.locator(".menu summary").click()
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    bo.page.wait_for_selector(".ending")
    assert bo.headline == "You win"
    bo.page.get_by_role("button", name="Rematch").click()
    # The other seat is kept for Ann: there is nobody to invite.
    bo.page.get_by_text("Waiting for your opponent to join the rematch.").wait_for()
    ann.page.get_by_text("Bo wants a rematch.").first.wait_for()
    ann.page.get_by_role("button", name="Go to the rematch").click()
    ann.page.wait_for_url(bo.page.url)
    assert ann.page.url == bo.page.url
    # Whoever had the first chair has the second now.
    ann.page.wait_for_selector(".side.seat-2 .you")
    bo.page.wait_for_selector(".side.seat-1 .you")


def test_names_are_text(visit: Visit) -> None:
    name = "<img src=x id=hack>"
    ann, bo = visit(), visit()
    bo.join(ann.sit_down(nd.games()[0], "friend", name=name), "<b>Bo</b>")
    ann.page.get_by_role("heading", name="<b>Bo</b>").wait_for()
    for someone in (ann, bo):
        assert name in someone.page.locator(".board").inner_text()
        assert someone.page.locator("main img, main b").count() == 0


def test_who_left_is_seen(visit: Visit) -> None:
    ann, bo = visit(), visit()
    bo.join(ann.sit_down(nd.games()[0], "friend"), "Bo")
    ann.page.locator(".seat-2 .dot.here").wait_for()
    bo.page.goto(f"/rules/{nd.games()[0]}")  # the front page would go on following the game
    ann.page.locator(".seat-2 .doing", has_text="left").wait_for()
    bo.page.go_back()
    ann.page.locator(".seat-2 .dot.here").wait_for()


def test_a_drawn_card_is_face_down_for_others(visit: Visit) -> None:
    ann, eve = visit(), visit()
    eve.page.goto(ann.sit_down(CARDS))
    ann.page.locator("[data-key=draw]").click()
    ann.page.locator(".held .card:not(.down)").wait_for()
    assert ann.page.locator(".card.down").count() == 0
    eve.page.locator(".held .card.down").wait_for()
