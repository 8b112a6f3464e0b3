"""Puzzles again, by rules and solvers that share nothing with those they were made from.

The rules are `tests/games/second_opinion.py`; where both choose, nashpy finds the value of the
matrix of what may follow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from copy import deepcopy
from typing import TypeAlias

import nashpy  # type: ignore[import-untyped]  # it has no types
import numpy as np
import pytest
from numpy.typing import NDArray

import number_duels as nd
from number_duels.core.history import History
from number_duels.trainer.puzzles import Puzzle, games_with_puzzles, puzzles
from number_duels.trainer.spot import OpenSpot
from tests.conftest import SLOW
from tests.games.second_opinion import Table
from tests.games.test_second_opinion import second
from tests.some_games import BOTH_CHOOSE
from tests.trainer.test_puzzles import solution_of

Matrix: TypeAlias = NDArray[np.float64]

RESULTS = {"1-0": 1.0, "1/2-1/2": 0.0, "0-1": -1.0}
COUNT = 80 if SLOW else 20


class SecondSolver:
    """The value of a table for Player 1, by plain search."""

    def __init__(self) -> None:
        self.known: dict[str, float] = {}

    def value(self, table: Table) -> float:
        key = repr(sorted(vars(table).items(), key=str))
        if key not in self.known:
            self.known[key] = self.searched(table)
        return self.known[key]

    def searched(self, table: Table) -> float:
        if table.result() != "*":
            return RESULTS[table.result()]
        if deck := table.deck():
            return sum(
                count / deck.total() * self.value(after_draw(table, card))
                for card, count in deck.items()
            )
        matrix = self.matrix(table)
        if len(table.open()) == 2:
            return game_value(matrix)
        return float(matrix.max() if 0 in table.open() else matrix.min())

    def matrix(self, table: Table) -> Matrix:
        """What follows on each pair of choices; one that waits has a single choice."""
        rows, columns = (sorted(table.open().get(seat, {""})) for seat in (0, 1))
        return np.array(
            [[self.value(after_moves(table, one, two)) for two in columns] for one in rows]
        )

    def option_values(self, table: Table, seat: nd.Seat) -> dict[str, float]:
        """Return the value of each option for a seat that decides alone."""
        values = self.matrix(table).ravel() * (1, -1)[seat]
        return dict(zip(sorted(table.open()[seat]), values.tolist(), strict=True))


def after_draw(table: Table, card: str) -> Table:
    after = deepcopy(table)
    after.draw(card)
    return after


def after_moves(table: Table, one: str, two: str) -> Table:
    after = deepcopy(table)
    after.play({seat: move for seat, move in enumerate((one, two)) if move})
    return after


def game_value(matrix: Matrix) -> float:
    """What the row player gets, by nashpy."""
    game = nashpy.Game(matrix)
    row, column = game.linear_program()
    return float(game[row, column][0])


def table_of(history: History[Hashable, Hashable, Hashable]) -> Table:
    """The second implementation after the same steps."""
    table = second(history.game)
    for step in history.steps:
        if step.moves:
            table.play({int(seat): str(move) for seat, move in step.moves.items()})
        else:
            table.draw(str(step.event))
    return table


def nearly_over(name: str) -> list[tuple[Puzzle, OpenSpot]]:
    """Puzzles of a game from which little is left to search: few options, many moves before."""
    ordered = sorted(puzzles(name), key=lambda p: (-len(p.spot.moves.split()), len(p.best), p.id))
    asked = Counter[bool]()
    some = []
    for puzzle in ordered:
        if asked[bool(puzzle.mistake)] < COUNT // 2:
            asked[bool(puzzle.mistake)] += 1
            some.append((puzzle, puzzle.spot.open()))
    return some


@pytest.mark.parametrize("name", games_with_puzzles())
def test_a_second_solver_finds_the_same_moves_near_the_end(name: str) -> None:
    solver = SecondSolver()
    some = nearly_over(name)
    assert len(some) >= COUNT // 2
    for puzzle, spot in some:
        table = table_of(spot.history)
        if spot.both_choose:
            check_both(puzzle, spot, solver.matrix(table))
            continue
        values = solver.option_values(table, spot.seat)
        top = max(values.values())
        assert {m for m, v in values.items() if v > top - 1e-7} == set(puzzle.best), puzzle.id


def check_both(puzzle: Puzzle, spot: OpenSpot, matrix: Matrix) -> None:
    """What is right against the other's strategy, which nashpy's value proves to be a best one."""
    rows, columns = (sorted(options_of(spot, seat)) for seat in nd.Seat)
    own, other = (rows, columns) if spot.seat is nd.Seat.ONE else (columns, rows)
    payoffs = matrix if spot.seat is nd.Seat.ONE else -matrix.T
    mix = solution_of(puzzle.game).strategy(spot.state, spot.seat.other)
    odds = {str(move): share for move, share in mix.items()}
    brought = payoffs @ np.array([odds[move] for move in other])
    assert brought.max() == pytest.approx(game_value(payoffs), abs=1e-7)
    right = {move for move, value in zip(own, brought, strict=True) if value > brought.max() - 1e-7}
    assert right == set(puzzle.best), puzzle.id


def options_of(spot: OpenSpot, seat: nd.Seat) -> list[str]:
    turn = spot.history.turn
    assert isinstance(turn, nd.Decision)
    return list(map(str, turn.options[seat]))


@pytest.mark.parametrize("name", BOTH_CHOOSE)
def test_nashpy_finds_the_same_choices_in_the_matrices_of_the_solution(name: str) -> None:
    some = puzzles(name)[:: 1 if SLOW else 16]
    assert len(some) >= 18
    for puzzle in some:
        spot = puzzle.spot.open()
        assert spot.both_choose
        matrix = np.array(
            [
                [
                    solution_of(name).value(after(spot, one, two))
                    for two in sorted(options_of(spot, nd.Seat.TWO))
                ]
                for one in sorted(options_of(spot, nd.Seat.ONE))
            ]
        )
        check_both(puzzle, spot, matrix)


def after(spot: OpenSpot, one: str, two: str) -> Hashable:
    moves = {nd.Seat.ONE: spot.game.parse(one), nd.Seat.TWO: spot.game.parse(two)}
    return spot.game.play(spot.state, moves)
