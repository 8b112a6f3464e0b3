"""Compare ways to solve matrix games, on the same matrices in one run.

    python benchmarks/matrix_games.py

The matrices are some that High-Low Battle is made of, those without a saddle
point, and random ones. (Every matrix of Number Bid has a saddle point.) Against
SciPy's `linprog`. All must find the same values.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from number_duels import load
from number_duels.core.game import AnyGame, Decision, Seat
from number_duels.core.reachable_states import successors
from number_duels.solvers import batch_matrix_games, solve
from number_duels.solvers.matrix_games import equilibrium

Matrices = NDArray[np.float64]


def by_linprog(matrices: Matrices) -> list[float]:
    """SciPy's `linprog`, one matrix at a time."""
    found = []
    for matrix in matrices:
        height, width = matrix.shape
        program = linprog(
            [*np.zeros(height), -1],
            A_ub=np.hstack((-matrix.T, np.ones((width, 1)))),
            b_ub=np.zeros(width),
            A_eq=[[*np.ones(height), 0]],
            b_eq=[1],
            bounds=[(0, None)] * height + [(None, None)],
            method="highs",
        )
        found.append(-program.fun)
    return found


def by_hand(matrices: Matrices) -> list[float]:
    """`number_duels.solvers.matrix_games`: plain Python, one at a time."""
    return [equilibrium(matrix).value for matrix in matrices.tolist()]


def by_batch(matrices: Matrices) -> list[float]:
    """`number_duels.solvers.batch_matrix_games`: NumPy, all at a time."""
    return batch_matrix_games.values(matrices).tolist()


def mixed_matrices(game: AnyGame, size: int, count: int) -> Matrices:
    """Matrices of one size that come up in a game and have no saddle point."""
    solution = solve(game, cache=False)
    rng = np.random.default_rng(1)
    found: list[Matrices] = []
    while len(found) < count:
        state = game.start()
        while isinstance(turn := game.turn(state), Decision):
            options = turn.options[Seat.ONE]
            if len(options) == size:
                values = [solution.value(after) for after in successors(game, state, turn)]
                matrix = np.array(values).reshape(size, size)
                if matrix.min(axis=1).max() < matrix.max(axis=0).min() - 1e-12:
                    found.append(matrix)
            moves = {seat: turn.options[seat][rng.integers(len(options))] for seat in Seat}
            state = game.resolve(state, moves)
    return np.array(found[:count])


def main() -> None:
    """Print microseconds a matrix, and the largest difference between any two answers."""
    ways: dict[str, Callable[[Matrices], list[float]]] = {
        "linprog": by_linprog,
        "plain": by_hand,
        "batch": by_batch,
    }
    rng = np.random.default_rng(0)
    sets = {
        **{
            f"high-low-battle {n}x{n}": mixed_matrices(load("high-low-battle"), n, 500)
            for n in (5, 6, 7)
        },
        **{f"random {n}x{n}": rng.uniform(-1, 1, (500, n, n)) for n in (3, 9, 20)},
    }
    print("microseconds a matrix, median of 3 runs")
    print(f"{'matrices':22}", *(f"{name:>9}" for name in ways), " largest difference")
    for label, matrices in sets.items():
        answers, times = [], []
        for way in ways.values():
            runs = []
            for _ in range(3):
                began = perf_counter()
                answer = way(matrices)
                runs.append((perf_counter() - began) / len(matrices) * 1e6)
            answers.append(answer)
            times.append(statistics.median(runs))
        spread = np.ptp(np.array(answers), axis=0).max()
        print(f"{label:22}", *(f"{time:9.1f}" for time in times), f" {spread:.1e}")


if __name__ == "__main__":
    main()
