"""Between a secret choice and the reveal, the screen is the same whatever was chosen."""

from __future__ import annotations

import asyncio

import pytest

from number_duels.core.game import AnyGame, Chance, Seat
from number_duels.games import load, names
from number_duels.terminal.app import table as table_module
from tests.conftest import SLOW
from tests.terminal.app.tables import Driver, new_table, sitting_at

SECRET_CHOICES = [
    game
    for game in map(load, names())
    if not isinstance(game.turn(game.start()), Chance)
    and game.question(game.start(), Seat.ONE).secret
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
    seen.append(driver.screen_picture)
    await driver.press("enter")
    assert driver.is_asked(Seat.TWO)
    seen.append(driver.screen_picture)
    await driver.press("u")  # the first choice is dropped, and asked for again
    return seen


@pytest.mark.parametrize("click", [False, True], ids=["typed", "clicked"])
@pytest.mark.parametrize("game", SECRET_CHOICES, ids=lambda game: game.name)
def test_a_secret_choice_is_on_no_screen(game: AnyGame, click: bool) -> None:
    async def choose() -> None:
        async with sitting_at(new_table(game)) as driver:
            answers = list(enumerate(game.question(game.start(), Seat.ONE).answers))
            seen = [
                await pictures(driver, answer.text, place, click=click)
                for place, answer in (answers if SLOW else (answers[0], answers[-1]))
            ]
            for pictures_of_one in zip(*seen, strict=True):
                assert len(set(pictures_of_one)) == 1

    asyncio.run(choose())


@pytest.mark.parametrize("game", SECRET_CHOICES, ids=lambda game: game.name)
def test_alone_against_the_computer_the_own_choice_is_shown(
    game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_module, "FACE_DOWN_SECONDS", 600.0)
    monkeypatch.setattr(table_module, "COMPUTER_SECONDS", 600.0)

    async def choose() -> None:
        table = new_table(game, ("human", "random"))
        async with sitting_at(table, calm=False) as driver:
            await driver.pilot.press("7")
            await driver.pilot.pause()
            assert "You chose 7." in driver.screen_picture.replace("&#160;", " ")

    asyncio.run(choose())


def test_a_drawn_card_is_behind_the_curtain_until_it_is_placed() -> None:
    game = load("number-stack-showdown")

    async def draw(card: str) -> tuple[str, str]:
        async with sitting_at(new_table(game, deal=card)) as driver:
            await driver.press("enter")
            covered = driver.screen_picture
            await driver.press("enter")
            return covered, driver.screen_picture

    drawn = [asyncio.run(draw(card)) for card in ("2", "9", "10")]
    assert len({covered for covered, _ in drawn}) == 1
    assert len({open_ for _, open_ in drawn}) == 3


def test_a_double_click_that_draws_a_card_does_not_open_its_curtain() -> None:
    async def draw() -> None:
        async with sitting_at(new_table(load("number-stack-showdown"))) as driver:
            place = driver.choices.place_of(0)
            await driver.pilot.click("#choices", offset=place, times=2)
            await driver.settle()
            assert driver.table.waiting.for_enter
            assert driver.table.asked is None
            await driver.pilot.click("#board")
            await driver.settle()
            assert driver.is_asked(Seat.ONE)

    asyncio.run(draw())
