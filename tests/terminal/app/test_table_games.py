"""Whole games of every kind at the table, by arrows, by notation and by mouse."""

from __future__ import annotations

import asyncio

import pytest

from number_duels.core.game import SomeGame
from number_duels.games import load
from number_duels.terminal.app.board_view import BoardView
from number_duels.terminal.saves import read_records, saved_games
from tests.sixth_game.toys.take_away import TakeAway
from tests.sixth_game.toys.two_prizes import TwoPrizes
from tests.terminal.app.tables import (
    SMALL,
    an_application,
    by_arrows,
    by_mouse,
    by_notation,
    new_table,
    short_games,
    sit_down,
    sitting_at,
)

WAYS = {"arrows": by_arrows, "notation": by_notation, "mouse": by_mouse}


#: Whole games by notation are also those of two people.
@pytest.mark.parametrize(
    "way", ["arrows", pytest.param("notation", marks=pytest.mark.slow), "mouse"]
)
def test_whole_games_of_every_kind_against_the_computer(way: str) -> None:
    async def play() -> None:
        async with an_application(SMALL) as pilot:
            for game in short_games():
                table = new_table(game, ("human", "random"))
                driver = await sit_down(pilot, table)
                await driver.play(WAYS[way])
                save = table.session.save_file
                assert save
                (saved,) = read_records(save.path)
                assert saved.record == table.match.record
                assert saved.record.result != "*"
                offered = [answer.text for answer in driver.choices.answers]
                assert offered == ["v", "w", "m", "l", "q"]
                assert table.query_one(BoardView).parts == game.board(table.match.state)
                await driver.press("q")

    asyncio.run(play())


def test_whole_games_of_two_people() -> None:
    async def play() -> None:
        async with an_application(SMALL) as pilot:
            for game in short_games():
                table = new_table(game)
                driver = await sit_down(pilot, table)
                await driver.play(by_notation)
                await driver.press("q")
                newest = next(record for _, record in saved_games())
                assert newest == table.match.record

    asyncio.run(play())


@pytest.mark.parametrize("toy", [TakeAway(), TwoPrizes()], ids=lambda toy: toy.name)
def test_a_game_of_rules_alone_has_a_table(toy: SomeGame) -> None:
    async def play() -> None:
        async with sitting_at(new_table(toy), SMALL) as driver:
            await driver.play(by_notation)
            assert driver.table.match.outcome

    asyncio.run(play())


def test_two_computers_play_while_one_watches() -> None:
    async def watch() -> None:
        table = new_table(load("number-knot", numbers=3), ("random", "random"))
        async with sitting_at(table) as driver:
            while not table.match.outcome:
                await driver.settle()
            await driver.press("u")  # nobody's move can be taken back
            assert table.match.result != "*"

    asyncio.run(watch())
