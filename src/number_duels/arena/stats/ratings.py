"""Bradley-Terry ratings on the Elo scale, with 95% intervals.

Ratings maximize the likelihood of the results. Anchors are players with known, fixed ratings. One
virtual draw per player keeps every rating finite, but the end of an interval can be infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from math import fsum, inf, log, sqrt, tanh
from statistics import fmean
from typing import NamedTuple

from number_duels.arena.schedule import OVERALL, event_name
from number_duels.arena.stats.intervals import TAIL, VIRTUAL_UNITS, student_quantile
from number_duels.core.game import AnyGame
from number_duels.core.player import Forfeit
from number_duels.players.calibration import exact_scores, shipped
from number_duels.players.registry import policy_of
from number_duels.solvers import Unsolvable
from number_duels.solvers.best_response import best_response

ELO = 400 / log(10)
#: Exact scores of anchors stay this far from 0 and 1, a difference of 1200 points.
SCORE_MARGIN = 0.001
#: The weight of the prior: one virtual drawn unit per player.
PRIOR_UNITS = 1.0
#: The weight of the prior for intervals, enough to keep other players' ratings finite.
INTERVAL_PRIOR_UNITS = 0.01
#: An end farther from the rating than this, in natural units (about 2100 points), is infinite.
MAX_DISTANCE = 12.0
#: The weight that keeps the mean of a group without anchors at 0.
MEAN_PULL_UNITS = 1e6


@dataclass(frozen=True)
class PairScores:
    """The results of `one` against `two`, from -1 to 1. Each is the mean of a pair of games."""

    one: str
    two: str
    units: Sequence[float]


@dataclass(frozen=True)
class Rating:
    """A rating on the Elo scale with its 95% interval, whose ends may be infinite."""

    rating: float
    low: float
    high: float
    games: int


def anchor_ratings(
    scores: Mapping[tuple[str, str], float], zero: str = "random"
) -> dict[str, float]:
    """Return the ratings that best fit exact results, with `zero` rated 0.

    `scores` maps `(one, two)` to the expected result of `one` as Player 1. Raise ValueError if
    `(two, one)` is missing, or if no results link a player with `zero`.

    >>> found = anchor_ratings({("good", "random"): 0.9, ("random", "good"): -0.7})
    >>> {name: round(rating) for name, rating in found.items()}
    {'good': 382, 'random': 0}
    """
    links = []
    for (one, two), result in scores.items():
        if (two, one) not in scores:
            raise ValueError(f"The result of {two} as Player 1 against {one} is missing; add it.")
        if one < two:
            share = 0.5 + (result - scores[two, one]) / 4
            links.append(Link(one, two, 1.0, min(1 - SCORE_MARGIN, max(SCORE_MARGIN, share))))
    names = sorted({name for pair in scores for name in pair})
    if zero not in names or len(groups(names, links)) != 1:
        raise ValueError(
            f"Results must link every anchor with {zero}, directly or through other players."
        )
    found = Model(links).fit({zero: 0.0}, [name for name in names if name != zero])
    return {name: found[name] * ELO for name in names}


def ratings(pairings: Sequence[PairScores], anchors: Mapping[str, float]) -> dict[str, Rating]:
    """Return the rating of every player in the pairings. Anchors keep their ratings.

    If a group of players met no anchor, its mean rating is 0, and it cannot be compared with other
    groups. A player without games is rated 0, with an infinite interval.
    """
    for pairing in pairings:
        if pairing.one == pairing.two:
            raise ValueError(f"{pairing.one} cannot be rated from games against itself.")
    names = list(dict.fromkeys(name for one in pairings for name in (one.one, one.two)))
    played = [pairing for pairing in pairings if pairing.units]
    free = [name for name in names if name not in anchors]
    found: dict[str, Rating] = {}
    for group in groups(free, [Link(one.one, one.two, 1.0, 0.5) for one in played]):
        inside = [one for one in played if one.one in group or one.two in group]
        if inside:
            found.update(Group(tuple(group), tuple(inside), anchors).ratings())
        else:
            found[group[0]] = Rating(0.0, -inf, inf, 0)
    for name in anchors.keys() & set(names):
        rating = anchors[name]
        found[name] = Rating(rating, rating, rating, 2 * count_units(name, played))
    return {name: found[name] for name in names}


class Link(NamedTuple):
    """The combined results of `one` against `two`: their weight, and the mean score of `one`."""

    one: str
    two: str
    weight: float
    share: float


@dataclass(frozen=True)
class Group:
    players: tuple[str, ...]
    pairings: tuple[PairScores, ...]
    anchors: Mapping[str, float]

    def ratings(self) -> Iterator[tuple[str, Rating]]:
        best = self.model(dict.fromkeys(self.players, PRIOR_UNITS)).fit(self.fixed, self.players)
        for name in self.players:
            count = self.counts[name]
            ends = [best[name], *self.ends(name, best, VIRTUAL_UNITS)]
            if count > 1:
                ends += self.ends(name, best, 0)
            yield name, Rating(best[name] * ELO, min(ends) * ELO, max(ends) * ELO, 2 * count)

    @cached_property
    def fixed(self) -> dict[str, float]:
        """Return the ratings of the anchors that these players met, in natural units."""
        met = {name for pairing in self.pairings for name in (pairing.one, pairing.two)}
        return {name: rating / ELO for name, rating in self.anchors.items() if name in met}

    @cached_property
    def counts(self) -> dict[str, int]:
        return {name: count_units(name, self.pairings) for name in self.players}

    def model(self, virtual: Mapping[str, float]) -> Model:
        links = []
        for pairing in self.pairings:
            real, more = len(pairing.units), 0.0
            for name in {pairing.one, pairing.two}.intersection(self.players):
                more += virtual[name] * real / self.counts[name]
            # After a correction for luck, a mean can be outside the range that ratings can explain.
            points = min(real, max(0.0, fsum(map(share_of, pairing.units))))
            share = (points + more / 2) / (real + more)
            links.append(Link(pairing.one, pairing.two, real + more, share))
        return Model(links, () if self.fixed else self.players)

    def ends(self, name: str, best: Mapping[str, float], virtual: int) -> tuple[float, float]:
        """Return both ends of a player's interval, with `virtual` drawn units in its score."""
        count = self.counts[name]
        model = self.model(dict.fromkeys(self.players, INTERVAL_PRIOR_UNITS) | {name: virtual})
        # With virtual units, the spread needs no correction for the degree of freedom.
        freedom = count + virtual - 1
        # Without virtual units there may be no maximum, so the rating with the prior is used.
        centre = model.fit(self.fixed, self.players, best) if virtual else dict(best)
        spread = self.spread(name, model, centre, virtual) * (1 if virtual else count / freedom)
        reach = student_quantile(1 - TAIL, freedom) * sqrt(spread)
        others = [player for player in self.players if player != name]

        def surplus(rating: float) -> float:
            centre.update(model.fit({**self.fixed, name: rating}, others, centre))
            return model.slope(centre)[name]

        start = centre[name]
        low = crossing(lambda rating: surplus(rating) - reach, start, -MAX_DISTANCE)
        return low, crossing(lambda rating: -surplus(rating) - reach, start, MAX_DISTANCE)

    def spread(self, name: str, model: Model, at: Mapping[str, float], virtual: int) -> float:
        """Return the variance of a player's surplus: its points minus the expected points."""
        others = [player for player in self.players if player != name]
        *matrix, _ = model.curvature(at, [*others, name])
        # The effect of other players' surpluses on this player's, when the others are fitted.
        pull = [-row.pop() for row in matrix]
        effects = {name: 1.0} | dict(zip(others, solve_linear(matrix, pull), strict=True))
        total = 0.0
        for pairing in self.pairings:
            expected = expect(at[pairing.one] - at[pairing.two])
            squares = fsum((share_of(unit) - expected) ** 2 for unit in pairing.units)
            if name in (pairing.one, pairing.two):
                more = virtual * len(pairing.units) / self.counts[name]
                squares += more * (expected**2 + (1 - expected) ** 2) / 2
            total += (effects.get(pairing.one, 0.0) - effects.get(pairing.two, 0.0)) ** 2 * squares
        return total


@dataclass(frozen=True)
class Model:
    """The likelihood of ratings, given the results between players.

    The mean rating of the players in `loose` is kept at 0.
    """

    links: Sequence[Link]
    loose: Sequence[str] = ()

    def fit(
        self,
        fixed: Mapping[str, float],
        free: Sequence[str],
        start: Mapping[str, float] | None = None,
    ) -> dict[str, float]:
        """Return the maximum-likelihood ratings in natural units. `fixed` ratings do not change."""
        at = {**dict.fromkeys(free, 0.0), **(start or {}), **fixed}
        for _ in range(500 if free else 0):
            slope = self.slope(at)
            steps = solve_linear(self.curvature(at, free), [slope[name] for name in free])
            largest = max(map(abs, steps))
            for name, step in zip(free, steps, strict=True):
                # Longer steps can overshoot where the likelihood is flat.
                at[name] += step / max(1.0, largest)
            if largest < 1e-9:
                break
        return at

    def slope(self, at: Mapping[str, float]) -> dict[str, float]:
        """Return each player's points minus the points expected from the ratings."""
        pull = -MEAN_PULL_UNITS * sum(at[name] for name in self.loose)
        slope = {name: pull if name in self.loose else 0.0 for name in at}
        for one, two, weight, share in self.links:
            surplus = weight * (share - expect(at[one] - at[two]))
            slope[one] += surplus
            slope[two] -= surplus
        return slope

    def curvature(self, at: Mapping[str, float], names: Sequence[str]) -> list[list[float]]:
        """Return the negative second derivatives of the log-likelihood, in the order of `names`."""
        number = {name: index for index, name in enumerate(names)}
        held = MEAN_PULL_UNITS if self.loose else 0.0
        matrix = [[held] * len(names) for _ in names]
        for one, two, weight, _ in self.links:
            expected = expect(at[one] - at[two])
            bend = weight * expected * (1 - expected)
            for name, other in ((one, two), (two, one)):
                if name in number:
                    matrix[number[name]][number[name]] += bend
                    if other in number:
                        matrix[number[name]][number[other]] -= bend
        return matrix


def groups(names: Sequence[str], links: Sequence[Link]) -> list[list[str]]:
    """Split the names into groups that are linked, directly or through other names."""
    leader = {name: name for name in names}
    for link in links:
        if link.one in leader and link.two in leader:
            old, new = leader[link.two], leader[link.one]
            leader = {name: new if its == old else its for name, its in leader.items()}
    leaders = dict.fromkeys(leader.values())
    return [[name for name in names if leader[name] == its] for its in leaders]


def count_units(name: str, pairings: Sequence[PairScores]) -> int:
    return sum(len(one.units) for one in pairings if name in (one.one, one.two))


def share_of(unit: float) -> float:
    return (1 + unit) / 2


def expect(difference: float) -> float:
    """Return the expected score, from 0 to 1, for a rating difference in natural units."""
    return (1 + tanh(difference / 2)) / 2


def crossing(rises: Callable[[float], float], start: float, farthest: float) -> float:
    """Return the point between `start` and `start + farthest` where `rises` reaches 0.

    If it does not, return infinity with the sign of `farthest`.
    """
    near, far = 0.0, farthest
    if rises(start + far) < 0:
        return inf if far > 0 else -inf
    while abs(far - near) > 5e-4:
        middle = (near + far) / 2
        near, far = (near, middle) if rises(start + middle) >= 0 else (middle, far)
    return start + far


def solve_linear(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for index, pivot in enumerate(rows):
        for row in rows[index + 1 :]:
            factor = row[index] / pivot[index]
            for column in range(index, len(row)):
                row[column] -= factor * pivot[column]
    solution = [0.0] * len(rows)
    for index in reversed(range(len(rows))):
        known = sum(rows[index][later] * solution[later] for later in range(index + 1, len(rows)))
        solution[index] = (rows[index][-1] - known) / rows[index][index]
    return solution


def anchors_of(
    games: Iterable[AnyGame], progress: Callable[[float], None] | None = None
) -> dict[str, dict[str, float]]:
    found: dict[str, dict[tuple[str, str], float]] = {}
    whole = True
    for game in games:
        try:
            found[event_name(game)] = exact_scores(game, progress)
        except Unsolvable:
            whole = False  # without this game, there is no rating for all games together
    rated = {event: anchor_ratings(scores) for event, scores in found.items()}
    if whole and len(found) > 1:
        tables = list(found.values())
        mean = {pair: fmean(table[pair] for table in tables) for pair in tables[0]}
        rated[OVERALL] = anchor_ratings(mean)
    return rated


def exploitabilities_of(
    games: Iterable[AnyGame],
    policies: Collection[str] = (),
    progress: Callable[[float], None] | None = None,
) -> dict[str, dict[str, float]]:
    """Return how much the best counter-strategy wins against each player, by event and `who`.

    The figures of built-in players come from the package. Those of the trained players in
    `policies` are computed here, with the players' own code.
    """
    found: dict[str, dict[str, float]] = {}
    for game in games:
        figures = shipped(game)
        gains = dict(figures["exploitability"]) if figures else {"perfect": 0.0}
        for who in policies:
            # If the game is too large or the policy fails, only a lower bound is known.
            with suppress(ValueError, Forfeit):
                answer = best_response(game, policy_of(who, game), progress=progress)
                gains[who] = answer.exploitability
        found[event_name(game)] = gains
    tables = list(found.values())
    if len(tables) > 1:
        known = [who for who in tables[0] if all(who in table for table in tables)]
        found[OVERALL] = {who: fmean(table[who] for table in tables) for who in known}
    return found
