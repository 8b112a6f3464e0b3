"""The puzzles are what `scripts/make_puzzles.py` makes, and it makes them of any game."""

from __future__ import annotations

import pytest

import make_puzzles
import number_duels as nd
from number_duels.games import find
from number_duels.trainer.puzzles import DATA, GRADES
from puzzle_themes import THEMES
from tests.sixth_game.toys.take_away import TakeAway
from tests.sixth_game.toys.two_prizes import TwoPrizes


@pytest.mark.slow
def test_the_script_makes_what_is_shipped() -> None:
    made = make_puzzles.written(make_puzzles.found(find("number-knot")()))
    shipped = (DATA / "number-knot.jsonl").read_text(encoding="utf-8")
    assert made == shipped, "run: python scripts/make_puzzles.py, if no release has the puzzles yet"


@pytest.mark.parametrize("game", [TakeAway(), TwoPrizes()], ids=lambda game: game.name)
def test_a_game_of_rules_alone_gets_puzzles_too(game: nd.AnyGame) -> None:
    """With the board and the words that are made from its rules."""
    puzzles = make_puzzles.found(game)
    assert {puzzle.grade for puzzle in puzzles} <= set(GRADES)
    assert {theme for puzzle in puzzles for theme in puzzle.themes} <= THEMES.keys()
    assert any("only-move" in puzzle.themes for puzzle in puzzles)
