"""Proper strategies, by nested linear programs that share nothing with how they are found."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cache
from itertools import islice
from random import Random

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.core.history import History
from number_duels.core.reachable_states import states
from number_duels.review.position import AnySolution
from number_duels.solvers import solve
from number_duels.solvers.best_response import expected
from number_duels.solvers.matrix_games import Polytope, fraction, proper_corners
from number_duels.solvers.policies import UniformPolicy
from tests.conftest import SLOW
from tests.lazy import Lazy
from tests.solvers import toys
from tests.solvers.test_matrix_games import matrices, results

optimize = Lazy("scipy.optimize")

Floats = NDArray[np.float64]
BOTH_CHOOSE = ["high-low-battle", "number-bid"]
SMALL: list[tuple[str, dict[str, int | str]]] = [
    ("number-bid", {"numbers": 5}),
    ("high-low-battle", {"cards": 4, "rounds": 3}),
    ("high-low-battle", {"cards": 4, "rounds": 3, "level": "draw"}),
]
#: Without presolve, which calls programs infeasible whose equations agree to rounding.
OPTIONS = {
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
    "presolve": False,
}


class Program:
    """A linear program over the strategies of the rows and one number more, to be made largest."""

    def __init__(self, height: int) -> None:
        self.height = height
        self.equal: list[Floats] = [np.append(np.ones(height), 0.0)]
        self.equal_to: list[float] = [1.0]

    def fix(self, column: Floats, value: float) -> None:
        self.equal.append(np.append(column, 0.0))
        self.equal_to.append(value)

    def best(self, aim: Floats, at_least: Iterable[tuple[Floats, float]]) -> Floats:
        """What has the largest value of an aim; each column yields at least its threshold."""
        bounds = [(np.append(-column, 0.0), -threshold) for column, threshold in at_least]
        return self.solve(np.append(-aim, 0.0), bounds)[:-1]

    def largest_least(self, columns: list[Floats]) -> float:
        """The largest least yield."""
        bounds = [(np.append(-column, 1.0), 0.0) for column in columns]
        return float(self.solve(np.append(np.zeros(self.height), -1.0), bounds)[-1])

    def solve(self, costs: Floats, bounds: list[tuple[Floats, float]]) -> Floats:
        found = optimize.linprog(
            costs,
            A_ub=np.array([row for row, _ in bounds]),
            b_ub=[most for _, most in bounds],
            A_eq=np.array(self.equal),
            b_eq=self.equal_to,
            bounds=[(0, None)] * self.height + [(None, None)],
            options=OPTIONS,
        )
        assert found.success, found.message
        return np.asarray(found.x)


@cache
def assert_proper(rows: tuple[tuple[float, ...], ...], played: tuple[float, ...]) -> None:
    """Follow Dresher's procedure: at each stage nothing yields more at least."""
    program = Program(len(rows))
    mix = np.array(played)
    left = [np.array(column) for column in sorted(set(zip(*rows, strict=True)))]
    while left:
        least = program.largest_least(left)
        assert min(mix @ column for column in left) == pytest.approx(least, abs=1e-7)
        positive = above_the_least(program, left, least)
        tied = [column for column, above in zip(left, positive, strict=True) if not above]
        assert tied
        for column in tied:
            assert mix @ column == pytest.approx(least, abs=1e-7)
            program.fix(column, float(mix @ column))
        left = [column for column, above in zip(left, positive, strict=True) if above]


def above_the_least(program: Program, columns: list[Floats], least: float) -> list[bool]:
    """Which columns yield more than the least against some strategy that yields it everywhere."""
    bounds = [(column, least - 1e-10) for column in columns]
    above = [False] * len(columns)
    while not all(above):
        doubtful = [column for column, known in zip(columns, above, strict=True) if not known]
        mix = program.best(np.sum(doubtful, axis=0), bounds)
        now = [
            known or bool(mix @ c > least + 1e-7) for known, c in zip(above, columns, strict=True)
        ]
        if now == above:
            break
        above = now
    return above


def matrix_of(solution: AnySolution, state: Hashable, seat: nd.Seat) -> Floats:
    """What may follow, to a seat: a row for each of its options."""
    game, turn = solution.game, solution.game.turn(state)
    assert isinstance(turn, nd.Decision)
    sign = 1 if seat is nd.Seat.ONE else -1
    return np.array(
        [
            [
                sign * solution.value(game.play(state, {seat: move, seat.other: reply}))
                for reply in turn.options[seat.other]
            ]
            for move in turn.options[seat]
        ]
    )


def assert_proper_at(solution: AnySolution, state: Hashable) -> None:
    for seat in nd.Seat:
        matrix = matrix_of(solution, state, seat)
        mix = np.array(list(solution.strategy(state, seat).values()))
        assert_proper(tuple(map(tuple, matrix.tolist())), tuple(mix.tolist()))
        assert_undominated(matrix, mix)
        assert list(solution.guarantees(state, seat).values()) == matrix.min(axis=1).tolist()


def assert_undominated(matrix: Floats, mix: Floats) -> None:
    """No row that is played is weakly dominated by another."""
    for played in matrix[mix > 1e-9]:
        better = (matrix >= played - 1e-9).all(axis=1) & (matrix > played + 1e-9).any(axis=1)
        assert not better.any()


def random_states(game: AnyGame, count: int, seed: int) -> list[Hashable]:
    """States of games between players at random, at which somebody decides."""
    rng = Random(seed)
    found: dict[Hashable, Hashable] = {}
    while len(found) < count:
        state = game.start()
        while isinstance(turn := game.turn(state), nd.Decision):
            found[game.key(state)] = state
            state = game.play(state, {s: rng.choice(o) for s, o in turn.options.items()})
    return list(islice(found.values(), count))


@given(matrices(results))
def test_every_corner_is_proper(matrix: list[list[float]]) -> None:
    corners = proper_corners(matrix)
    rounded = [[round(weight, 9) for weight in corner] for corner in corners]
    assert rounded == sorted(rounded, reverse=True)
    for corner in corners:
        assert sum(corner) == pytest.approx(1)
        assert_proper(tuple(map(tuple, matrix)), corner)
    # What is left is the same against every column.
    assert np.ptp(np.array(corners) @ np.array(matrix), axis=0) == pytest.approx(0, abs=1e-9)


@given(matrices(results))
def test_floats_and_fractions_find_the_same_corners(matrix: list[list[float]]) -> None:
    columns = sorted(set(zip(*([(x + 1) / 2 for x in row] for row in matrix), strict=True)))
    exact = Polytope([tuple(map(fraction, column)) for column in columns])
    exact.keep_proper()
    assert not any(isinstance(entry, float) for row in exact.body for entry in row)
    assert np.array(exact.corners()) == pytest.approx(np.array(proper_corners(matrix)), abs=1e-9)


def test_a_column_that_is_nearly_tied_is_told_apart() -> None:
    # Against the last column both rows yield enough; only the first gains a little there.
    for gain in (1e-3, 1e-7, 1e-9):
        assert proper_corners([[0.0, 1.0, gain], [0.0, 1.0, 0.0]]) == ((1.0, 0.0),)


def test_of_several_optimal_rows_the_one_that_punishes_most_is_played() -> None:
    assert proper_corners([[0, 0, 0], [0, 1, 0], [0, 1, 2], [0, 0, 3]]) == ((0.0, 0.0, 1.0, 0.0),)
    (mixed,) = proper_corners([[0, 2, 0], [0, 0, 1]])
    assert mixed == pytest.approx((1 / 3, 2 / 3))


@pytest.mark.parametrize(("name", "settings"), SMALL)
def test_every_state_of_small_games_is_played_properly(
    name: str, settings: dict[str, int | str]
) -> None:
    every_state_is_played_properly(nd.load(name, **settings))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings"), [("number-bid", {"numbers": 7}), ("high-low-battle", {"cards": 6})]
)
def test_every_state_is_played_properly(name: str, settings: dict[str, int | str]) -> None:
    every_state_is_played_properly(nd.load(name, **settings))


def every_state_is_played_properly(game: AnyGame) -> None:
    solution = solve(game, cache=False)
    for _, state in states(game):
        if isinstance(game.turn(state), nd.Decision):
            assert_proper_at(solution, state)


@pytest.mark.parametrize("name", BOTH_CHOOSE)
@pytest.mark.parametrize("count", [8, pytest.param(2000, marks=pytest.mark.slow)])
def test_random_states_are_played_properly(name: str, count: int) -> None:
    game = nd.load(name)
    solution = solve(game)
    for state in random_states(game, count, seed=12):
        assert_proper_at(solution, state)


def test_thresholds_do_not_move_from_stage_to_stage() -> None:
    # A slack of 1e-8 in the first stage would move the second by 5e-5 here.
    game = nd.load(BOTH_CHOOSE[0])
    assert_proper_at(solve(game), History.read(game, game.start(), "8/6").state)


@pytest.mark.parametrize("name", BOTH_CHOOSE)
def test_a_move_costs_nothing_exactly_if_some_equilibrium_plays_it(name: str) -> None:
    game = nd.load(name)
    solution = solve(game)
    for state in random_states(game, 20 if SLOW else 4, seed=5):
        for seat in nd.Seat:
            matrix = matrix_of(solution, state, seat)
            program = Program(len(matrix))
            value = program.largest_least(list(matrix.T))
            optimal = [(column, value - 1e-10) for column in matrix.T]
            values = list(solution.values(state, seat).values())
            for row, own in zip(np.eye(len(matrix)), values, strict=True):
                played = program.best(row, optimal) @ row > 1e-6
                assert played == (own > max(values) - 1e-8)


@pytest.mark.parametrize("name", BOTH_CHOOSE)
def test_both_seats_of_a_symmetric_game_are_alike(name: str) -> None:
    game = nd.load(name)
    solution, state = solve(game), game.start()
    for _ in range(4):
        one, two = (solution.strategy(state, seat) for seat in nd.Seat)
        assert one == two
        for ask in (solution.values, solution.guarantees):
            assert ask(state, nd.Seat.ONE) == ask(state, nd.Seat.TWO)
        # A tie keeps the game symmetric.
        state = game.play(state, dict.fromkeys(nd.Seat, next(iter(one))))


def test_exchanged_states_are_played_alike() -> None:
    game = nd.load("number-bid")
    solution = solve(game)
    for moves in ("7/6", "10/6", "9/8 10/3", "4/9 8/7 10/1"):
        state = History.read(game, game.start(), moves).state
        exchanged = " ".join("/".join(reversed(turn.split("/"))) for turn in moves.split())
        other = History.read(game, game.start(), exchanged).state
        for seat in nd.Seat:
            assert solution.strategy(state, seat) == solution.strategy(other, seat.other)


def test_a_lost_side_keeps_setting_problems() -> None:
    game = nd.load(BOTH_CHOOSE[1])
    solution: AnySolution = solve(game)
    state = History.read(game, game.start(), "10/6").state
    assert solution.value(state) == 1
    found = solution.against_random(state, nd.Seat.TWO)
    assert found < -0.9
    # The same from the rules alone: what the strategy brings from there against random play.
    assert found == pytest.approx(by_the_rules(solution, state), abs=1e-9)


def by_the_rules(solution: AnySolution, state: Hashable) -> float:
    # Any game, from a later start.
    game = type("From", (type(solution.game),), {"start": lambda *_: state})()
    return expected(game, UniformPolicy(game), solution.strategy)


@pytest.mark.parametrize("game", [toys.RockPaperScissors(), nd.load("number-bid", numbers=4)])
def test_rules_alone_and_kernels_play_alike_against_random(game: AnyGame) -> None:
    from number_duels.solvers.induction import RandomPlay

    solution: AnySolution = solve(game, cache=False)
    plain = RandomPlay(game, solution.strategy)
    for _, state in states(game):
        for seat in nd.Seat:
            assert plain(state, seat) == pytest.approx(
                solution.against_random(state, seat), abs=1e-12
            )
