"""Between a secret choice and the reveal, the screen is the same whatever was chosen."""

from __future__ import annotations

import re

import pytest

from number_duels.core.game import Seat
from number_duels.core.scene import SAID
from number_duels.games import load, names
from number_duels.terminal.app.board_view import Notice
from number_duels.terminal.app.review_page import ReviewScreen
from number_duels.terminal.app.table import COMPUTER_SECONDS, FACE_DOWN_SECONDS
from tests.clock import ManualClock
from tests.conftest import SLOW
from tests.some_games import CARDS, SECRET, both_choose
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import opened, seen, settle
from tests.terminal.app.samples import ANN, sample_record
from tests.terminal.app.tables import Driver, new_table, short_game, sitting_at, text_of

SMALL_DECK = {"target": 6, "highest": 4, "copies": 2}
#: Games in which both choose in secret.
SECRET_GAMES = [
    pytest.param(name, marks=() if name == SECRET else pytest.mark.slow)
    for name in filter(both_choose, names())
]


async def pictures(driver: Driver, text: str, place: int, *, click: bool) -> list[str]:
    """Every screen from the first curtain on, until the other player is asked."""
    seen = []
    await driver.press("enter")
    assert driver.is_asked(Seat.ONE)
    if click:
        await driver.pilot.click("#choices", offset=driver.choices.place_of(place))
        await driver.settle()
    else:
        await driver.press(*text)
        seen.append(driver.screen_picture)
        await driver.press("enter")
    assert driver.table.match.seats_ready == {Seat.ONE}
    seen.append(driver.screen_picture)
    await driver.press("left", "3", "x")  # typed too early: for nobody
    assert driver.table.scene.stage == SAID
    seen.append(driver.screen_picture)
    await driver.press("enter")
    assert driver.is_asked(Seat.TWO)
    seen.append(driver.screen_picture)
    await driver.press("u")  # the first choice is dropped, and asked for again
    return seen


@pytest.mark.parametrize("click", [False, True], ids=["typed", "clicked"])
@pytest.mark.parametrize("name", SECRET_GAMES)
@awaited
async def test_a_secret_choice_is_on_no_screen(name: str, click: bool) -> None:
    game = short_game(name)
    async with sitting_at(new_table(game)) as driver:
        answers = list(enumerate(game.question(game.start(), Seat.ONE).answers))
        shown = [
            await pictures(driver, answer.text, place, click=click)
            for place, answer in (answers if SLOW else (answers[0], answers[-1]))
        ]
        for pictures_of_one in zip(*shown, strict=True):
            assert len(set(pictures_of_one)) == 1


def cards(driver: Driver) -> list[str]:
    """What lies on the table."""
    return re.findall(r"│ +(.) +│", notice_of(driver))


def notice_of(driver: Driver) -> str:
    return str(driver.table.query_one(Notice).content)


@awaited
async def test_both_choices_are_turned_over_together() -> None:
    table, clock = new_table(load("number-bid")), ManualClock()
    async with sitting_at(table, calm=False, clock=clock) as driver:
        await driver.press("enter", "7", "enter", "enter", "6", "enter")
        assert table.match.turn_number == 2
        assert cards(driver) == ["?", "?"]
        clock.advance(FACE_DOWN_SECONDS)
        await driver.settle()
        assert cards(driver) == ["7", "6"]
        await driver.press("space")  # any key ends a pause
        assert cards(driver) == []
        assert "Pass the keyboard to Ann" in text_of(driver)


@awaited
async def test_alone_against_the_computer_the_own_choice_is_shown() -> None:
    table, clock = new_table(load(SECRET), ("human", "random")), ManualClock()
    async with sitting_at(table, calm=False, clock=clock) as driver:
        await driver.press("7", "enter")
        assert notice_of(driver) == "You chose 7\nWaiting for Bo."
        clock.advance(COMPUTER_SECONDS - 0.1)
        await driver.settle()
        assert not table.match.history.steps
        clock.advance(0.1)
        await driver.settle()
        assert str(table.match.history).startswith("7/")


@awaited
async def test_a_card_is_hidden_until_the_other_person_was_asked_to_look_away() -> None:
    drawn = []
    for card in ("2", "9", "10"):
        async with sitting_at(new_table(load(CARDS), deal=card)) as driver:
            asked = " ".join(row.partition("▏")[0] for row in text_of(driver).splitlines())
            assert "Bo, please look away." in " ".join(asked.split())
            covered = [driver.screen_picture]
            await driver.pilot.resize_terminal(100, 30)
            await driver.settle()
            covered.append(driver.screen_picture)
            await driver.press("enter")
            drawn.append((covered, driver.screen_picture))
    assert [covered for covered, _ in drawn] == [drawn[0][0]] * 3
    assert len({picture for _, picture in drawn}) == 3


@pytest.mark.parametrize("name", [CARDS, SECRET])
@awaited
async def test_the_curtain_is_up_again_when_the_program_is_stopped(name: str) -> None:
    async with sitting_at(new_table(load(name), deal="9" if name == CARDS else None)) as driver:
        covered = driver.screen_picture
        await driver.press("enter")
        assert driver.is_asked(Seat.ONE)
        driver.table.app.app_suspend_signal.publish(driver.table.app)
        await driver.settle()
        assert (driver.screen_picture == covered) is (name == SECRET)
        assert driver.table.scene.stage == SAID
        assert "9" not in driver.table.scene.drawn


@awaited
async def test_a_review_of_an_unfinished_game_shows_no_drawn_card() -> None:
    shown = set()
    for card in ("2", "3", "4"):
        record = sample_record(CARDS, None, f"1k {card}", (ANN, ANN), **SMALL_DECK)
        async with opened() as (app, pilot):
            await app.push_screen(ReviewScreen(record))
            await settle(pilot)
            assert "Review" in seen(app)
            shown.add(app.export_screenshot())
    assert len(shown) == 1
