"""Moves that are typed at the table: one key, two digits, a whole notation, half of it."""

from __future__ import annotations

import pytest

from number_duels.games import load
from number_duels.terminal.app.choices import REST_OF_WORD_SECONDS
from number_duels.terminal.app.home import HomeScreen
from tests.clock import ManualClock
from tests.terminal.app.idle import awaited
from tests.terminal.app.tables import new_table, sitting_at, text_of

AGAINST_RANDOM = ("human", "random")


@awaited
async def test_a_move_can_be_begun_as_an_answer_or_written_whole() -> None:
    table, clock = new_table(load("number-drop")), ManualClock()
    ways = {"8-3": "8-3", "3+8": "8+3", "83s": "8-3", "38+": "8+3", "83a": "8+3"}

    async with sitting_at(table, clock=clock) as driver:
        for keys, move in ways.items():
            await driver.press(*keys)
            assert str(table.match.history) == move
            clock.advance(1)  # or the u is the rest of a word
            await driver.press("u")


@awaited
async def test_a_number_that_may_go_on_waits_for_enter_or_a_second_digit() -> None:
    table = new_table(load("number-bid"), AGAINST_RANDOM)

    async with sitting_at(table) as driver:
        await driver.press("1")
        assert not table.match.history.steps
        await driver.press("enter")
        assert str(table.match.history).startswith("1/")
        await driver.press("u", "1", "0")
        assert str(table.match.history).startswith("10/")


@pytest.mark.parametrize(("keys", "move"), [(["down"], "S4"), (["up"], "S4"), (["down"] * 2, "A4")])
@awaited
async def test_down_and_up_go_along_answers_that_stand_in_one_row(
    keys: list[str], move: str
) -> None:
    table = new_table(load("number-knot"))

    async with sitting_at(table, (120, 40)) as driver:
        await driver.press("4")
        assert len({row for row, _, _ in driver.choices.places}) == 1
        await driver.press(*keys, "enter")
        assert str(table.match.history) == move


@awaited
async def test_escape_takes_back_what_was_typed_then_a_step_then_leaves() -> None:
    table = new_table(load("number-drop"))

    async with sitting_at(table) as driver:
        await driver.press("8", "-")
        assert (driver.choices.steps, driver.choices.typed.text) == (["8"], "-")
        await driver.press("escape")
        assert (driver.choices.steps, driver.choices.typed.text) == (["8"], "")
        await driver.press("escape")
        assert driver.choices.steps == []
        await driver.press("escape")
        assert isinstance(driver.pilot.app.screen, HomeScreen)


@awaited
async def test_a_wrong_answer_is_refused_with_a_sentence_that_does_not_repeat_it() -> None:
    table = new_table(load("number-bid"))

    async with sitting_at(table) as driver:
        await driver.press("enter", "9", "7", "enter")
        assert "That number is not available" in text_of(driver)
        assert "97" not in driver.choices.reason
        assert not table.match.seats_ready


@awaited
async def test_the_rest_of_a_word_is_no_command() -> None:
    table, clock = new_table(load("number-knot")), ManualClock()
    async with sitting_at(table, clock=clock) as driver:
        await driver.press("5")
        for letter in "subtract":  # its u would take the move back
            await driver.press(letter)
            clock.advance(0.9 * REST_OF_WORD_SECONDS)
        assert str(table.match.history) == "S5"
        clock.advance(0.2 * REST_OF_WORD_SECONDS)
        await driver.press("u")
        assert not table.match.history.steps


@awaited
async def test_what_is_closed_is_refused_with_its_reason() -> None:
    table = new_table(load("number-stack-showdown", target=9), AGAINST_RANDOM, deal="10")

    async with sitting_at(table) as driver:
        await driver.press("enter", "g")
        assert "You must keep this card" in driver.choices.reason
        await driver.press("k")
        assert table.match.outcome
