"""Matrix games: what choosing at once is worth, and how both should mix; certified.

Plain Python, because one question should not load a library; `batch_simplex` does the
same for thousands at a time. `benchmarks/matrix_games.py` compares both with
what libraries offer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

#: How far what one side guarantees may be from what the other holds it to.
CERTIFIED_GAP = 1e-9

#: What is nearer to zero than this is rounding.
EPSILON = 1e-12

Matrix: TypeAlias = Sequence[Sequence[float]]
Mixture: TypeAlias = list[float]
Number: TypeAlias = float | Fraction


@dataclass(frozen=True)
class Equilibrium:
    """The value to the side that chooses the row, and an optimal mixture for each side."""

    value: float
    rows: tuple[float, ...]
    columns: tuple[float, ...]


def equilibrium(matrix: Matrix) -> Equilibrium:
    """The value and optimal mixtures; the row is chosen to gain the entry, the column to lose it.

    >>> scissors = equilibrium([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    >>> [round(probability, 6) for probability in scissors.rows]
    [0.333333, 0.333333, 0.333333]
    """
    rows, columns = saddle(matrix)
    low, high = certify(matrix, rows, columns)
    if high - low > EPSILON:
        rows, columns = Tableau(matrix, EPSILON).solve()
        low, high = certify(matrix, rows, columns)
    if not high - low <= CERTIFIED_GAP:
        # Rounding got in the way, which is rare: a float is a fraction, and fractions are exact.
        rows, columns = Tableau([[Fraction(entry) for entry in row] for row in matrix], 0).solve()
        low, high = certify(matrix, rows, columns)
    return Equilibrium((low + high) / 2, tuple(rows), tuple(columns))


def saddle(matrix: Matrix) -> tuple[Mixture, Mixture]:
    """The first of the safest pure choices of each side; an equilibrium at a saddle point."""
    row_worst = [min(row) for row in matrix]
    column_worst = [max(column) for column in zip(*matrix, strict=True)]
    best_row = row_worst.index(max(row_worst))
    best_column = column_worst.index(min(column_worst))
    rows = [float(i == best_row) for i in range(len(row_worst))]
    return rows, [float(j == best_column) for j in range(len(column_worst))]


def certify(matrix: Matrix, rows: Mixture, columns: Mixture) -> tuple[float, float]:
    """What the rows' mixture guarantees, and what the columns' mixture holds them to."""
    against = [sum(map(float.__mul__, rows, map(float, c))) for c in zip(*matrix, strict=True)]
    gains = [sum(map(float.__mul__, columns, map(float, row))) for row in matrix]
    return min(against), max(gains)


class Tableau:
    """The linear program of a matrix game: the most weight on columns, no row above 1."""

    def __init__(self, matrix: Sequence[Sequence[Number]], epsilon: float) -> None:
        low, high = min(map(min, matrix)), max(map(max, matrix))
        self.epsilon = epsilon
        self.width, self.height = len(matrix[0]), len(matrix)
        self.body: list[list[Number]] = [
            [*(1 + (entry - low) / (high - low) for entry in row), 1] for row in matrix
        ]
        self.costs: list[Number] = [*[-1] * self.width, 0]
        #: Which columns and rows, counted on from the columns, stand at the top and at the side.
        self.top = list(range(self.width))
        self.side = list(range(self.width, self.width + self.height))

    def solve(self) -> tuple[Mixture, Mixture]:
        """Pivot until nothing improves; after many pivots by the rule that cannot cycle."""
        size, step = self.height + self.width, 0
        while step < 100 * size or not self.epsilon:
            column = self.entering(careful=step > 5 * size)
            row = None if column is None else self.leaving(column)
            if column is None or row is None:
                break
            self.pivot(row, column)
            step += 1
        weights: list[Number] = [0] * size
        for label, cost in zip(self.top, self.costs, strict=False):
            weights[label] = cost if label >= self.width and cost > self.epsilon else 0
        for label, (*_, left) in zip(self.side, self.body, strict=True):
            weights[label] = left if label < self.width and left > self.epsilon else 0
        return shares(weights[self.width :]), shares(weights[: self.width])

    def entering(self, *, careful: bool) -> int | None:
        """The column that improves most; carefully, the lowest label that improves."""
        improving = [j for j in range(self.width) if self.costs[j] < -self.epsilon]
        order: Sequence[Number] = self.top if careful else self.costs
        return min(improving, key=order.__getitem__, default=None)

    def leaving(self, column: int) -> int | None:
        """The row that is used up first; among equals the lowest label, so that nothing cycles."""
        ratios = (
            (row[-1] / row[column], self.side[i], i)
            for i, row in enumerate(self.body)
            if row[column] > self.epsilon
        )
        return min(ratios, default=(0.0, 0, None))[2]

    def pivot(self, row: int, column: int) -> None:
        inverse = 1 / self.body[row][column]
        source: list[Number] = [entry * inverse for entry in self.body[row]]
        source[column] = inverse
        self.body[row] = source
        for i, target in enumerate((*self.body, self.costs)):
            factor = target[column]
            if i != row and factor:
                target[column] = 0
                target[:] = [a - factor * b for a, b in zip(target, source, strict=True)]
        self.top[column], self.side[row] = self.side[row], self.top[column]


def shares(weights: Sequence[Number]) -> Mixture:
    total = sum(weights)
    return [float(weight / total) if total else 0.0 for weight in weights]
