"""Exported matrices: another library finds our values and equilibria, and files read back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.solvers.matrix_games import PayoffMatrix
from tests.lazy import Lazy
from tests.solvers.helpers import Settings, every_state

nashpy = Lazy("nashpy")

ONE, TWO = nd.Seat
GAMES: list[tuple[str, Settings]] = [
    ("number-bid", {"numbers": 5}),
    ("high-low-battle", {"cards": 4, "rounds": 3}),
]


def some_states(game: AnyGame) -> Iterator[object]:
    """Every seventh state."""
    yield from list(every_state(game))[::7]


def test_another_library_finds_our_values_and_our_equilibria() -> None:
    mixed = 0
    for name, settings in GAMES:
        game = nd.load(name, **settings)
        solution = nd.solve(game, cache=False)
        for state in some_states(game):
            one, two = solution.matrix(state).arrays()
            other = nashpy.Game(one, two)
            assert other.zero_sum
            theirs = other.linear_program()
            assert theirs[0] @ one @ theirs[1] == pytest.approx(solution.value(state), abs=1e-7)
            ours = [np.array(list(solution.strategy(state, seat).values())) for seat in nd.Seat]
            assert (one @ ours[1]).max() == pytest.approx(ours[0] @ one @ ours[1], abs=1e-9)
            assert (ours[0] @ two).max() == pytest.approx(ours[0] @ two @ ours[1], abs=1e-9)
            mixed += len(ours[0].nonzero()[0]) > 1
    assert mixed


def test_the_first_bid_is_a_matrix_of_ten_numbers() -> None:
    game = nd.load("number-bid")
    solution = nd.solve(game)
    matrix = solution.matrix(game.start())
    assert [str(move) for move in matrix.rows] == [str(n) for n in range(1, 11)]
    assert matrix.columns == matrix.rows
    for i, row in enumerate(matrix.rows):
        for j, column in enumerate(matrix.columns):
            then = game.play(game.start(), {ONE: row, TWO: column})
            assert matrix.values[i][j] == pytest.approx(solution.value(then), abs=1e-12)


def test_there_is_no_matrix_where_one_decides_or_nobody() -> None:
    knot = nd.load("number-knot", numbers=3, life=3)
    stack = nd.load("number-stack-showdown", target=5, highest=3, copies=1)
    with pytest.raises(ValueError, match="only where both choose at once"):
        nd.solve(knot, cache=False).matrix(knot.start())
    with pytest.raises(ValueError, match="only where both choose at once"):
        nd.solve(stack, cache=False).matrix(stack.start())


def test_a_state_that_cannot_arise_has_none() -> None:
    game, larger = nd.load("number-bid", numbers=3), nd.load("number-bid", numbers=4)
    with pytest.raises(ValueError, match="cannot arise"):
        nd.solve(game, cache=False).matrix(larger.start())


# ---- Gambit's files ------------------------------------------------------------

TOKEN = re.compile(r'"((?:\\.|[^"\\])*)"|([{}])|(\S+)')


def read_nfg(text: str) -> tuple[str, list[list[str]], np.ndarray, np.ndarray]:
    """A small reader of the format: title, labels, and the payoffs of both."""
    assert text.startswith("NFG 1 R ")
    tokens = [
        ("text", found[1].replace('\\"', '"')) if found[1] is not None else ("", found[0])
        for found in TOKEN.finditer(text.removeprefix("NFG 1 R "))
    ]
    kind, title = tokens.pop(0)
    assert kind == "text"
    assert take_list(tokens) == ["Player 1", "Player 2"]
    assert tokens.pop(0) == ("", "{")
    labels = [take_list(tokens), take_list(tokens)]
    assert tokens.pop(0) == ("", "}")
    numbers = np.array([float(word) for _, word in tokens])
    height, width = map(len, labels)
    # Player 1's strategies come one after another before the next of Player 2.
    both = numbers.reshape(width, height, 2)
    return title, labels, both[:, :, 0].T, both[:, :, 1].T


def take_list(tokens: list[tuple[str, str]]) -> list[str]:
    assert tokens.pop(0) == ("", "{")
    found = []
    while tokens[0] != ("", "}"):
        kind, label = tokens.pop(0)
        assert kind == "text", "a label without quotes is refused by Gambit"
        found.append(label)
    tokens.pop(0)
    return found


@pytest.mark.parametrize(("name", "settings"), GAMES)
def test_a_file_reads_back(name: str, settings: Settings) -> None:
    game = nd.load(name, **settings)
    solution = nd.solve(game, cache=False)
    for state in some_states(game):
        matrix = solution.matrix(state)
        title, labels, one, two = read_nfg(matrix.nfg("some title"))
        assert title == "Number Duels: some title"
        assert labels == [list(map(str, moves)) for moves in (matrix.rows, matrix.columns)]
        assert np.array_equal(one, np.array(matrix.values))
        assert np.array_equal(two, -np.array(matrix.values))


def test_small_numbers_and_quotes_are_written_so_that_they_can_be_read() -> None:
    matrix = PayoffMatrix('a "game"', ('say "hi"',), ("x", "y"), ((1e-9, -0.1),))
    text = matrix.nfg()
    assert "e-" not in text
    title, labels, one, _ = read_nfg(text)
    assert title == 'Number Duels: a "game"'
    assert labels == [['say "hi"'], ["x", "y"]]
    assert one.tolist() == [[1e-9, -0.1]]
