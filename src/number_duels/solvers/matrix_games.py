"""Find the values and optimal mixed strategies of matrix games, in plain Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

from number_duels.core.game import M

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CERTIFIED_GAP = 1e-9

#: A number nearer to zero is a rounding error.
EPSILON = 1e-12

Matrix: TypeAlias = Sequence[Sequence[float]]
Mix: TypeAlias = list[float]
Number: TypeAlias = float | Fraction


def rows_of(entries: Sequence[float], width: int) -> list[Sequence[float]]:
    return [entries[start : start + width] for start in range(0, len(entries), width)]


class Equilibrium(NamedTuple):
    value: float
    rows: tuple[float, ...]
    columns: tuple[float, ...]


def equilibrium(matrix: Matrix) -> Equilibrium:
    """Return the value and optimal mixed strategies of a matrix game.

    Each entry is the row player's gain and the column player's loss.

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
        # This is rare: rounding errors were too large, so solve again with exact fractions.
        rows, columns = Tableau([[Fraction(entry) for entry in row] for row in matrix], 0).solve()
        low, high = certify(matrix, rows, columns)
    return Equilibrium((low + high) / 2, tuple(rows), tuple(columns))


def saddle(matrix: Matrix) -> tuple[Mix, Mix]:
    """Return each player's safest pure strategy. At a saddle point, both are optimal."""
    row_worst = [min(row) for row in matrix]
    column_worst = [max(column) for column in zip(*matrix, strict=True)]
    best_row = row_worst.index(max(row_worst))
    best_column = column_worst.index(min(column_worst))
    rows = [float(i == best_row) for i in range(len(row_worst))]
    return rows, [float(j == best_column) for j in range(len(column_worst))]


def certify(matrix: Matrix, rows: Mix, columns: Mix) -> tuple[float, float]:
    against = [sum(map(float.__mul__, rows, map(float, c))) for c in zip(*matrix, strict=True)]
    gains = [sum(map(float.__mul__, columns, map(float, row))) for row in matrix]
    return min(against), max(gains)


class Tableau:
    def __init__(self, matrix: Sequence[Sequence[Number]], epsilon: float) -> None:
        low, high = min(map(min, matrix)), max(map(max, matrix))
        self.epsilon = epsilon
        self.width, self.height = len(matrix[0]), len(matrix)
        self.body: list[list[Number]] = [
            [*(1 + (entry - low) / (high - low) for entry in row), 1] for row in matrix
        ]
        self.costs: list[Number] = [*[-1] * self.width, 0]
        #: The labels at the top and at the side: columns first, then rows.
        self.top = list(range(self.width))
        self.side = list(range(self.width, self.width + self.height))

    def solve(self) -> tuple[Mix, Mix]:
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
        """Return a column that improves the result, or None. If `careful`, avoid cycles."""
        improving = [j for j in range(self.width) if self.costs[j] < -self.epsilon]
        order: Sequence[Number] = self.top if careful else self.costs
        return min(improving, key=order.__getitem__, default=None)

    def leaving(self, column: int) -> int | None:
        """Return the row with the smallest ratio, or None. The lowest label wins ties."""
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


def shares(weights: Sequence[Number]) -> Mix:
    total = sum(weights)
    return [float(weight / total) if total else 0.0 for weight in weights]


# ---- proper mixed strategies ---------------------------------------------------
#
# A proper mixed strategy is optimal and gains most from the opponent's mistakes. Dresher's
# procedure finds those of the row player (van Damme, *Stability and Perfection of Nash
# Equilibria*, 1991, section 3.5):
#
# 1. Keep the strategies whose worst result against the remaining columns is best.
# 2. Drop the columns against which all of these strategies yield exactly that result.
# 3. Repeat until no column remains.
#
# Each stage is a linear program on the same tableau, solved by pivoting. Removing the variables
# that would reduce the objective keeps its optimal strategies exactly. No stage relaxes
# a constraint by a small amount, because later stages would magnify it.

Column: TypeAlias = tuple[Number, ...]
Corner: TypeAlias = tuple[float, ...]

#: A coefficient nearer to zero is a rounding error.
TOLERANCE = 1e-10

#: A coefficient in this range may be a rounding error, so the program solves the matrix exactly.
DOUBTFUL = (1e-12, 1e-8)

MAX_DENOMINATOR = 10_000

ROUNDING = 1e-12

DIGITS = 14

MAX_CORNERS = 2_000


def proper_corners(matrix: Sequence[Sequence[float]]) -> tuple[Corner, ...]:
    """Return the corners of the set of proper mixed strategies, in descending order.

    All yield the same result against every column, so the caller may choose any.

    >>> proper_corners([[1, 1, 0], [1, 0, 0], [1, 1, 0]])
    ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    """
    low, high = min(map(min, matrix)), max(map(max, matrix))
    span = (high - low) or 1.0
    columns = {
        tuple(round((entry - low) / span, DIGITS) for entry in column)
        for column in zip(*matrix, strict=True)
    }
    return corners_of(tuple(sorted(columns)))


@lru_cache(maxsize=1 << 16)
def corners_of(columns: tuple[Column, ...]) -> tuple[Corner, ...]:
    height = len(columns[0])
    if height == 1:
        return ((1.0,),)
    if len(columns) == 1 and len(set(columns[0])) == 1:
        return tuple(tuple(float(i == j) for i in range(height)) for j in range(height))
    mixes = Polytope(columns)
    try:
        mixes.keep_proper()
    except Doubtful:
        mixes = Polytope([tuple(map(fraction, column)) for column in columns])
        mixes.keep_proper()
    return mixes.corners()


class Doubtful(ArithmeticError):
    """Raised if a coefficient is so small that it could be a rounding error."""


def check(costs: Sequence[Number]) -> None:
    low, high = DOUBTFUL
    if any(isinstance(cost, float) and low < abs(cost) < high for cost in costs):
        raise Doubtful


def fraction(number: Number) -> Fraction:
    """Return a simple fraction very close to a number, or the exact number if there is none."""
    exact = Fraction(number)
    plain = exact.limit_denominator(MAX_DENOMINATOR)
    return plain if abs(plain - exact) < ROUNDING else exact


class Polytope:
    """The mixed strategies that are still possible, as a simplex tableau.

    Its variables are, in this order: the probability of each row, the slack of each column, and the
    least yield. A column's slack is its yield minus the least yield.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self.height = height = len(columns[0])
        self.slacks = [height + j for j in range(len(columns))]
        self.least = height + len(columns)
        # Begin with the safest row. One of its worst columns has slack 0.
        row = max(range(height), key=lambda i: min(column[i] for column in columns))
        worst = min(range(len(columns)), key=lambda j: columns[j][row])
        others = [i for i in range(height) if i != row]
        self.outside = [*others, height + worst]
        self.inside = [row]
        #: The number 1, in the type of the entries.
        self.one: Number = columns[0][0] * 0 + 1
        self.body: list[list[Number]] = [[self.one, *[-self.one] * len(others), 0]]
        steps = [columns[worst][i] - columns[worst][row] for i in others]
        for j, column in enumerate(columns):
            if j != worst:
                own = (column[i] - column[row] for i in others)
                above = (mine - step for mine, step in zip(own, steps, strict=True))
                self.inside.append(height + j)
                self.body.append([column[row] - columns[worst][row], *above, self.one])
        self.inside.append(self.least)
        self.body.append([columns[worst][row], *steps, -self.one])

    def keep_proper(self) -> None:
        while True:
            self.maximise(self.least)
            self.fix(self.least)
            self.slacks = self.unsettled()
            if not self.slacks:
                return
            self.add_least()

    def unsettled(self) -> list[int]:
        """Return the slacks that can be above zero. Fix the others at zero."""
        positive: set[int] = set()
        for slack in self.slacks:
            if slack in positive:
                continue
            self.maximise(slack)
            if slack in self.inside and self.body[self.inside.index(slack)][0] > TOLERANCE:
                positive |= {
                    label
                    for label, row in zip(self.inside, self.body, strict=True)
                    if row[0] > TOLERANCE
                }
            else:
                self.fix(slack)
        return [slack for slack in self.slacks if slack in positive]

    def add_least(self) -> None:
        """Add a variable for the least slack, and measure all slacks from it."""
        sources = [1 + place for place, label in enumerate(self.outside) if label in self.slacks]
        for label, row in zip(self.inside, self.body, strict=True):
            row.append(sum(row[place] for place in sources) - self.one * (label in self.slacks))
        self.outside.append(self.least)

    def maximise(self, label: int) -> None:
        if label in self.outside:
            place = self.outside.index(label)
            self.pivot(self.leaving(place), place)
        while label in self.inside:
            costs = self.body[self.inside.index(label)]
            improving = [
                (other, place)
                for place, other in enumerate(self.outside)
                if costs[place + 1] > TOLERANCE
            ]
            if not improving:
                check(costs)
                return
            _, place = min(improving)
            self.pivot(self.leaving(place, label), place)

    def leaving(self, place: int, objective: int | None = None) -> int:
        ratios = (
            (row[0] / -row[place + 1], label, number)
            for number, (label, row) in enumerate(zip(self.inside, self.body, strict=True))
            if row[place + 1] < -TOLERANCE and label != objective
        )
        return min(ratios)[2]

    def fix(self, label: int) -> None:
        """Keep only the strategies that maximize the variable. Call `maximise` first."""
        if label in self.inside:
            number = self.inside.index(label)
            costs = self.body[number]
            del self.inside[number], self.body[number]
            removed = [place for place, cost in enumerate(costs[1:]) if cost < -TOLERANCE]
        else:
            removed = [place for place, other in enumerate(self.outside) if other == label]
        for place in reversed(removed):
            del self.outside[place]
            for row in self.body:
                del row[place + 1]

    def pivot(self, number: int, place: int) -> None:
        inverse = 1 / -self.body[number][place + 1]
        source: list[Number] = [entry * inverse for entry in self.body[number]]
        source[place + 1] = -inverse
        self.body[number] = source
        for target in self.body:
            factor = target[place + 1]
            if factor and target is not source:
                target[place + 1] = 0
                target[:] = [a + factor * b for a, b in zip(target, source, strict=True)]
                if -ROUNDING < target[0] < ROUNDING:
                    target[0] = 0
        self.inside[number], self.outside[place] = self.outside[place], self.inside[number]

    def corners(self) -> tuple[Corner, ...]:
        waiting, seen = [self.copy()], {frozenset(self.inside)}
        found = {self.rounded(): self.mix()}
        while waiting and len(found) < MAX_CORNERS:
            at = waiting.pop()
            for place in range(len(at.outside)):
                for number in at.all_leaving(place):
                    inside = frozenset((*at.inside, at.outside[place])) - {at.inside[number]}
                    if inside not in seen:
                        seen.add(inside)
                        then = at.copy()
                        then.pivot(number, place)
                        found.setdefault(then.rounded(), then.mix())
                        waiting.append(then)
        return tuple(found[corner] for corner in sorted(found, reverse=True))

    def all_leaving(self, place: int) -> Iterable[int]:
        ratios = {
            number: row[0] / -row[place + 1]
            for number, row in enumerate(self.body)
            if row[place + 1] < -TOLERANCE
        }
        least = min(ratios.values())
        return [number for number, ratio in ratios.items() if ratio <= least + TOLERANCE]

    def copy(self) -> Polytope:
        other = object.__new__(Polytope)
        other.height = self.height
        other.inside, other.outside = list(self.inside), list(self.outside)
        other.body = [list(row) for row in self.body]
        return other

    def mix(self) -> Corner:
        weights = [0.0] * self.height
        for label, row in zip(self.inside, self.body, strict=True):
            weights[label] = float(row[0]) if row[0] > TOLERANCE else 0.0
        return tuple(weights)

    def rounded(self) -> Corner:
        return tuple(round(weight, 9) for weight in self.mix())


# ---- choosing among equally good moves -----------------------------------------

#: Moves whose values differ by no more than this are equally good.
VALUE_TOLERANCE = 1e-9
Numbers = TypeVar("Numbers", float, "NDArray[np.float64]")

TIE = 5e-10


def tie_break_key(losing_share: Numbers, result: Numbers) -> Numbers:
    """Return a number that ranks equally good moves. The highest number wins.

    `losing_share` is the share of the opponent's replies that lose value. `result` is the mover's
    result if the move ends the game, otherwise 0. It decides only between equal shares.
    """
    return losing_share + result * 1e-9


@dataclass(frozen=True)
class PayoffMatrix(Generic[M]):
    """The value of each pair of moves for Player 1, if both play perfectly afterwards.

    >>> import number_duels as nd
    >>> game = nd.load("number-bid", numbers=3)
    >>> matrix = nd.solve(game, cache=False).matrix(game.start())
    >>> [str(move) for move in matrix.rows]
    ['1', '2', '3']
    >>> matrix.values
    ((0.0, -1.0, -1.0), (1.0, 0.0, -1.0), (1.0, 1.0, 0.0))
    """

    #: The moves of Player 1.
    rows: tuple[M, ...]
    #: The moves of Player 2.
    columns: tuple[M, ...]
    #: The values, one row per move of Player 1.
    values: tuple[tuple[float, ...], ...]

    def arrays(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return both players' payoffs as two NumPy arrays, as nashpy expects them."""
        import numpy as np

        one = np.array(self.values)
        return one, 0.0 - one
