"""Whole games of every kind at the table, by arrows, by notation and by mouse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from textual.widgets import Static

from number_duels.core.game import SomeGame
from number_duels.core.names import without_address
from number_duels.core.record import with_names
from number_duels.core.scene import ASKED, OVER, SAID, Scene
from number_duels.games import load
from number_duels.terminal.app.board_view import BoardView, Ending
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.table import KEYS, TableScreen
from number_duels.terminal.saves import read_records
from tests.sixth_game.toys.take_away import TakeAway
from tests.sixth_game.toys.two_prizes import TwoPrizes
from tests.some_games import SOME_GAMES, both_choose
from tests.terminal.app.idle import awaited
from tests.terminal.app.tables import (
    SMALL,
    by_arrows,
    by_mouse,
    by_notation,
    new_table,
    short_game,
    sitting_at,
)
from tests.terminal.desk import close_up

WAYS = {"arrows": by_arrows, "notation": by_notation, "mouse": by_mouse}


#: Whole games by notation are also those in which the screen is read.
@pytest.mark.parametrize(
    "way", ["arrows", pytest.param("notation", marks=pytest.mark.slow), "mouse"]
)
@pytest.mark.parametrize("name", SOME_GAMES)
@awaited
async def test_a_whole_game_against_the_computer(name: str, way: str) -> None:
    table = new_table(short_game(name), ("human", "random"))
    async with sitting_at(table) as driver:
        await driver.play(WAYS[way])
        save = table.save_file
        assert save
        (saved,) = read_records(save.path)
        assert saved.record == table.match.record
        assert saved.record.result != "*"
        assert [answer.text for answer in driver.choices.answers] == [*"vwmnuq"]
        assert table.query_one(BoardView).parts == table.match.game.board(table.match.state)


def read_off(table: TableScreen) -> str:
    """All words around the board, without what folding does to them."""
    widgets = ("#table-title", "#log-lines", "#notice")
    texts = [str(table.query_one(name, Static).content) for name in widgets]
    drawn = [table.query_one(kind).render().plain for kind in (Choices, Ending)]
    return close_up(" ".join([*texts, *drawn]))


def words_of(scene: Scene) -> Iterator[str]:
    """What a scene says to whoever looks at the screen."""
    yield from (scene.title, *scene.status)
    yield from (told.short for told in scene.log if told.turn)
    yield from (scene.prompt,) if scene.question else (scene.headline, scene.detail)
    if not scene.question and scene.stage in (ASKED, OVER):
        keys = KEYS if scene.stage == OVER else ("draw",)
        yield from (one.label for one in scene.actions if one.key in keys and not one.why_not)


@pytest.mark.parametrize("who", [("human", "human"), ("random", "human")], ids=" ".join)
@pytest.mark.parametrize("name", SOME_GAMES)
@awaited
async def test_the_screen_says_what_its_scene_says(name: str, who: tuple[str, str]) -> None:
    table, stages = new_table(short_game(name), who), set[str]()
    async with sitting_at(table) as driver:
        while True:
            shown, scene = read_off(table), table.scene
            stages.add(scene.stage)
            assert scene == table.session.scene(table.session.viewer)
            said = [without_address(with_names(one, table.names)) for one in words_of(scene)]
            assert [words for words in said if close_up(words) not in shown] == []
            if scene.stage == OVER:
                break
            await (by_notation(driver) if scene.question else driver.press("enter"))
    # A card is drawn by the player who may see it, so only choices need the keyboard passed on.
    passed = table.session.shared and both_choose(name)
    assert stages == {ASKED, OVER, *([SAID] if passed else [])}


@pytest.mark.parametrize("toy", [TakeAway(), TwoPrizes()], ids=lambda toy: toy.name)
@awaited
async def test_a_game_of_rules_alone_has_a_table(toy: SomeGame) -> None:
    async with sitting_at(new_table(toy), SMALL) as driver:
        await driver.play(by_notation)
        assert driver.table.match.outcome


@awaited
async def test_two_computers_play_while_one_watches() -> None:
    table = new_table(load("number-knot", numbers=3), ("random", "random"))
    async with sitting_at(table) as driver:
        assert table.match.outcome
        played = table.match.record
        await driver.press("u")  # nobody's move can be taken back
        assert table.match.record == played
