"""Notation: a game as its turns, separated by spaces."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.core.notation import read, write

WRITTEN = [
    ("number-bid", {}, "7/6 5/9 10/8 2/4 3/1"),
    ("high-low-battle", {}, "6/6 9/8 5/5 7/9 8/7"),
    ("number-stack-showdown", {}, "7k 10g 5k"),
    ("number-stack-showdown", {}, "1k 10g 10"),
    ("number-stack-showdown", {}, "7"),
    ("number-knot", {}, "S5 A3 S9"),
    ("number-knot", {"numbers": 15}, "S1 A15 S5"),
    ("number-drop", {}, "7+5 7-6 9-3"),
    ("number-drop", {"side": 2}, "2+1 2+1 4"),
    ("number-drop", {"side": 5}, "25-1 25+23"),
    ("number-bid", {}, ""),
]


@pytest.mark.parametrize(("name", "settings", "moves"), WRITTEN)
def test_what_is_read_is_written_the_same(
    name: str, settings: dict[str, int | str], moves: str
) -> None:
    game = nd.load(name, **settings)
    assert write(read(game, game.start(), moves)) == moves


@pytest.mark.parametrize(
    ("name", "moves", "right"),
    [
        ("number-drop", "5+7  6-7\n", "7+5 7-6"),
        ("number-knot", "s5 a3", "S5 A3"),
        ("number-bid", "07/6", "7/6"),
        ("number-stack-showdown", "7K 10give", "7k 10g"),
    ],
)
def test_other_spellings_are_read_too(name: str, moves: str, right: str) -> None:
    game = nd.load(name)
    assert write(read(game, game.start(), moves)) == right


@pytest.mark.parametrize(
    ("name", "moves", "reason"),
    [
        ("number-bid", "7", r"turn 1 \(7\): 2 moves were expected"),
        ("number-bid", "7/6/5", r"turn 1 \(7/6/5\): 2 moves"),
        ("number-bid", "7/6 7/1", r"turn 2 \(7/1\): 7 is not available"),
        ("number-knot", "S5/A3", r"turn 1 \(S5/A3\): 1 "),
        ("number-stack-showdown", "7 10g", r"turn 1 \(7\): the move is missing"),
        ("number-stack-showdown", "k", r"turn 1 \(k\): it must begin with one of 1, 2"),
        ("number-stack-showdown", "7x", r"turn 1 \(7x\): A move is k"),
        ("number-stack-showdown", "0k", r"turn 1 \(0k\)"),
        ("number-stack-showdown", "7k 7k 7k 7k 7k", r"turn 5 \(7k\): it must begin with"),
        ("number-drop", "9-9", r"turn 1 \(9-9\): 9-9 is not available"),
    ],
)
def test_what_cannot_be_played_is_refused_naming_the_turn(
    name: str, moves: str, reason: str
) -> None:
    game = nd.load(name)
    with pytest.raises(ValueError, match=reason):
        list(read(game, game.start(), moves))


def test_one_move_is_not_called_moves() -> None:
    game = nd.load("number-knot")
    with pytest.raises(ValueError, match="turn 1") as refusal:
        list(read(game, game.start(), "S5/A3"))
    assert "1 moves were" not in str(refusal.value)
