"""Proper mixtures of a matrix game: optimal, and gaining most from the other side's mistakes.

Dresher's procedure, for the side that chooses the row (van Damme, *Stability and
Perfection of Nash Equilibria*, 1991, section 3.5). Among the mixtures that are left,
keep those with the largest least yield over the columns that are left; drop the columns
that yield exactly that against all of them; repeat until no column is left.

It is one linear program after another on the same tableau. Each is solved by pivoting, and
its optimal mixtures are cut out exactly: the variables whose coefficients say that they
would cost something are removed. No threshold is ever loosened by a slack, which later
stages would magnify.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from number_duels.solvers.matrix_games import Number

Column: TypeAlias = tuple[Number, ...]
Corner: TypeAlias = tuple[float, ...]

#: Coefficients nearer to zero than this are rounding.
TOLERANCE = 1e-10

#: Between these nobody can tell whether a coefficient is rounding: it is done again exactly.
DOUBTFUL = (1e-12, 1e-8)

#: The largest denominator of what is taken for a fraction rather than for any number.
MAX_DENOMINATOR = 10_000

#: A variable nearer to zero than this is zero.
ROUNDING = 1e-12

#: Entries are compared to this many digits.
DIGITS = 14

#: The most corners that are listed; more are left out, and the first ones are kept.
MAX_CORNERS = 2_000


def proper_corners(matrix: Sequence[Sequence[float]]) -> tuple[Corner, ...]:
    """The corners of the set of proper mixtures of the rows, lexicographically largest first.

    They are the same against every column, so whatever else is wanted decides between them.

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
    """The corners for columns between 0 and 1; matrices that differ are few, so they are kept."""
    height = len(columns[0])
    if height == 1:
        return ((1.0,),)
    if len(columns) == 1 and len(set(columns[0])) == 1:
        return tuple(tuple(float(i == j) for i in range(height)) for j in range(height))
    tableau = Tableau(columns)
    try:
        tableau.keep_proper()
    except Doubtful:
        tableau = Tableau([tuple(map(fraction, column)) for column in columns])
        tableau.keep_proper()
    return tableau.corners()


class Doubtful(ArithmeticError):
    """A coefficient that may or may not be rounding."""


def check(costs: Sequence[Number]) -> None:
    """Refuse coefficients of which nobody can tell whether they are rounding."""
    low, high = DOUBTFUL
    if any(isinstance(cost, float) and low < abs(cost) < high for cost in costs):
        raise Doubtful


def fraction(number: Number) -> Fraction:
    """The fraction that a number was rounded from, if that is a plain one; else the number."""
    exact = Fraction(number)
    plain = exact.limit_denominator(MAX_DENOMINATOR)
    return plain if abs(plain - exact) < ROUNDING else exact


class Tableau:
    """A polytope of mixtures, each basic variable written in terms of those that are zero.

    Variables are the rows' probabilities, numbered from 0; then, for each column, by how much
    it yields more than the least; then the least yield itself.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self.height = height = len(columns[0])
        #: The slacks of the columns that no stage has settled.
        self.slacks = [height + j for j in range(len(columns))]
        self.least = height + len(columns)
        # Begin with the safest row alone; one of its worst columns has no slack.
        row = max(range(height), key=lambda i: min(column[i] for column in columns))
        worst = min(range(len(columns)), key=lambda j: columns[j][row])
        others = [i for i in range(height) if i != row]
        self.outside = [*others, height + worst]
        self.inside = [row]
        #: One, as a number of the kind that is used: an integer would become a float.
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
        """Cut down to the mixtures that are left when no column is."""
        while True:
            self.maximise(self.least)
            self.fix(self.least)
            self.slacks = self.unsettled()
            if not self.slacks:
                return
            self.add_least()

    def unsettled(self) -> list[int]:
        """The slacks that some mixture keeps above zero; the others are settled and removed."""
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
        """A new variable: the least of the slacks; from now on they count what is above it."""
        sources = [1 + place for place, label in enumerate(self.outside) if label in self.slacks]
        for label, row in zip(self.inside, self.body, strict=True):
            row.append(sum(row[place] for place in sources) - self.one * (label in self.slacks))
        self.outside.append(self.least)

    def maximise(self, label: int) -> None:
        """Pivot until a variable is as large as it can be, by the rule that cannot cycle."""
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
        """The row that is used up first; among equals the lowest label."""
        ratios = (
            (row[0] / -row[place + 1], label, number)
            for number, (label, row) in enumerate(zip(self.inside, self.body, strict=True))
            if row[place + 1] < -TOLERANCE and label != objective
        )
        return min(ratios)[2]

    def fix(self, label: int) -> None:
        """Keep only what has a variable at its largest value, where `maximise` has left it."""
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
        """Exchange a basic variable and one outside."""
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
        """Every corner of what is left, found by walking along its edges."""
        waiting, seen = [self.copy()], {frozenset(self.inside)}
        found = {self.rounded(): self.mixture()}
        while waiting and len(found) < MAX_CORNERS:
            at = waiting.pop()
            for place in range(len(at.outside)):
                for number in at.all_leaving(place):
                    inside = frozenset((*at.inside, at.outside[place])) - {at.inside[number]}
                    if inside not in seen:
                        seen.add(inside)
                        then = at.copy()
                        then.pivot(number, place)
                        found.setdefault(then.rounded(), then.mixture())
                        waiting.append(then)
        return tuple(found[corner] for corner in sorted(found, reverse=True))

    def all_leaving(self, place: int) -> Iterable[int]:
        """All rows that are used up first."""
        ratios = {
            number: row[0] / -row[place + 1]
            for number, row in enumerate(self.body)
            if row[place + 1] < -TOLERANCE
        }
        least = min(ratios.values())
        return [number for number, ratio in ratios.items() if ratio <= least + TOLERANCE]

    def copy(self) -> Tableau:
        other = object.__new__(Tableau)
        other.height = self.height
        other.inside, other.outside = list(self.inside), list(self.outside)
        other.body = [list(row) for row in self.body]
        return other

    def mixture(self) -> Corner:
        weights = [0.0] * self.height
        for label, row in zip(self.inside, self.body, strict=True):
            weights[label] = float(row[0]) if row[0] > TOLERANCE else 0.0
        return tuple(weights)

    def rounded(self) -> Corner:
        return tuple(round(weight, 9) for weight in self.mixture())
