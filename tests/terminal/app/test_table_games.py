"""Whole games of every kind at the table, by arrows, by notation and by mouse."""

from __future__ import annotations

import asyncio

import pytest

from number_duels.core.game import AnyGame, SomeGame
from number_duels.games import load
from number_duels.terminal.app.board_view import BoardView
from number_duels.terminal.saves import read_records, saved_games
from tests.sixth_game.toys.take_away import TakeAway
from tests.sixth_game.toys.two_prizes import TwoPrizes
from tests.terminal.app.tables import (
    LARGE,
    SMALL,
    by_arrows,
    by_mouse,
    by_notation,
    new_table,
    short_games,
    sitting_at,
)

WAYS = {"arrows": by_arrows, "notation": by_notation, "mouse": by_mouse}
every_game = pytest.mark.parametrize("game", short_games(), ids=lambda game: game.name)


@every_game
@pytest.mark.parametrize("way", WAYS)
def test_a_whole_game_against_the_computer(game: AnyGame, way: str) -> None:
    async def play() -> None:
        table = new_table(game, ("human", "random"))
        async with sitting_at(table) as driver:
            await driver.play(WAYS[way])
            save = table.session.save_file
            assert save
            (saved,) = read_records(save.path)
            assert saved.record == table.match.record
            assert saved.record.result != "*"
            assert [answer.text for answer in driver.choices.answers] == ["v", "w", "m", "l", "q"]
            assert table.query_one(BoardView).parts == game.board(table.match.state)

    asyncio.run(play())


@every_game
def test_a_whole_game_of_two_people(game: AnyGame) -> None:
    async def play() -> None:
        table = new_table(game)
        async with sitting_at(table, LARGE) as driver:
            await driver.play(by_notation)
        assert [record.result for _, record in saved_games()] == [table.match.result]

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
