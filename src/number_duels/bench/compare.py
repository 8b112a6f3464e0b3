"""Compare two benches, if possible pair by pair and position by position, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import fmean

from number_duels.arena.results import GameResult
from number_duels.arena.schedule import OVERALL
from number_duels.arena.stats.intervals import (
    TAIL,
    VIRTUAL_MISTAKES,
    VIRTUAL_UNITS,
    Estimate,
    student_quantile,
    variance,
)
from number_duels.arena.stats.scores import Unit, unit_of, usual_mistake
from number_duels.bench.answers import PositionAnswer
from number_duels.bench.results import Results
from number_duels.bench.suite import PLAYER
from number_duels.trainer.exercise import MIXED, MOVE

#: The names of the figures. Scores are not corrected for luck, unlike in a report.
COST, SCORE, STATED, LOSS = "cost of a move", "score as played", "exploitable", "cost in games"
FIGURES = (COST, SCORE, STATED, LOSS)
MOST = 2.0

#: What each unit contributes to a figure, by name. A unit is a pair of games or a position. The
#: name of a pair includes its seeds, so equal names mean equal cards.
Units = Mapping[str, float]


@dataclass(frozen=True)
class Sample:
    """One player's units, and an extra variance for mistakes that have not occurred yet."""

    units: Units
    unseen: float


@dataclass(frozen=True)
class Difference:
    """The difference between two players in one measure: the first minus the second."""

    event: str
    figure: str
    one: float
    two: float
    error: float
    freedom: float
    paired: int

    @property
    def estimate(self) -> Estimate:
        mean = self.one - self.two
        half = student_quantile(1 - TAIL, max(1, int(self.freedom))) * sqrt(self.error)
        low, high = max(-MOST, mean - half), min(MOST, mean + half)
        return Estimate(mean, low, high, self.paired)

    @property
    def is_clear(self) -> bool:
        return not self.estimate.low <= 0 <= self.estimate.high


@dataclass(frozen=True)
class GameUnits:
    #: Pairs of games by opponent, then by name.
    pairs: Mapping[str, Mapping[str, Unit]]
    #: Answers by form, then by the id of the question.
    answers: Mapping[str, Mapping[str, PositionAnswer]]


def differences(one: Results, two: Results) -> list[Difference]:
    """Compare two benches in each game that both have, then in all these games together.

    Raise ValueError if they share no game, or if a game has too few answers or results.
    """
    games = {event: name for event, name in one.header.events.items() if event in two.header.events}
    ladder = [who for who in one.header.ladder if who in two.header.ladder]
    if not games:
        raise ValueError("The two benches have no game in common with the same settings.")
    found: list[Difference] = []
    for event, game in games.items():
        sides = [units_of(side, event, game, ladder) for side in (one, two)]
        for side, units in zip((one, two), sides, strict=True):
            if min(map(len, (units.answers[MOVE], *units.pairs.values()))) < 2:
                raise ValueError(
                    f"{side.header.player} has too few answers or games in {event}; finish this"
                    " bench, or run it again with more --pairs and --positions."
                )
        found += compared(event, *sides)
    return found + (overall(found) if len(games) > 1 else [])


def compared(event: str, one: GameUnits, two: GameUnits) -> list[Difference]:
    pairs = [(one.pairs[who], two.pairs[who]) for who in one.pairs]
    parts = {
        COST: [difference(cost_sample(one.answers[MOVE]), cost_sample(two.answers[MOVE]))],
        SCORE: [difference(*map(score_sample, both)) for both in pairs],
        LOSS: [difference(*map(loss_sample, both)) for both in pairs],
    }
    stated = one.answers[MIXED], two.answers[MIXED]
    if min(map(len, stated)) > 1:
        parts[STATED] = [difference(*map(cost_sample, stated))]
    return [mean_of(event, figure, parts[figure]) for figure in FIGURES if figure in parts]


def overall(found: Sequence[Difference]) -> list[Difference]:
    own = {figure: [part for part in found if part.figure == figure] for figure in FIGURES}
    return [mean_of(OVERALL, figure, parts) for figure, parts in own.items() if parts]


def difference(one: Sample, two: Sample) -> Difference:
    """Return the difference of two means. If both have the same units, compare unit by unit."""
    means = fmean(one.units.values()), fmean(two.units.values())
    if one.units.keys() == two.units.keys():
        gaps = [one.units[name] - two.units[name] for name in one.units]
        error = (variance(gaps) + one.unseen + two.unseen) / len(gaps)
        return Difference("", "", *means, error, len(gaps) - 1, len(gaps))
    errors = [
        ((variance(list(side.units.values())) + side.unseen) / len(side.units), len(side.units) - 1)
        for side in (one, two)
    ]
    return Difference("", "", *means, *added(errors), 0)


def mean_of(event: str, figure: str, parts: Sequence[Difference]) -> Difference:
    count = len(parts)
    error, freedom = added([(part.error / count**2, part.freedom) for part in parts])
    one, two = fmean(part.one for part in parts), fmean(part.two for part in parts)
    return Difference(event, figure, one, two, error, freedom, sum(p.paired for p in parts))


def added(errors: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Add independent variances and their degrees of freedom (Welch and Satterthwaite)."""
    whole = fsum(error for error, _ in errors)
    if not whole:
        return 0.0, min(freedom for _, freedom in errors)
    return whole, whole**2 / fsum(error**2 / max(1, freedom) for error, freedom in errors)


def units_of(results: Results, event: str, game: str, ladder: Iterable[str]) -> GameUnits:
    return GameUnits(
        {who: pairs_of(results, event, who) for who in ladder},
        {form: answers_of(results, game, form) for form in (MOVE, MIXED)},
    )


def pairs_of(results: Results, event: str, opponent: str) -> dict[str, Unit]:
    games: dict[int, dict[bool, GameResult]] = {}
    for game in results.games.values():
        if game.event == event and game.pairing[1] == opponent:
            swapped = game.record.players[0].name != game.pairing[0]
            games.setdefault(game.pair, {})[swapped] = game
    whole = {n: (pair[False], pair[True]) for n, pair in sorted(games.items()) if len(pair) == 2}
    return {f"{n} {a.record.seed} {b.record.seed}": unit_of(a, b) for n, (a, b) in whole.items()}


def loss_sample(pairs: Mapping[str, Unit]) -> Sample:
    own = {name: unit.decisions[0] for name, unit in pairs.items()}
    bottom = max(1.0, fsum(one.total for one in own.values()) / len(own))
    rate = fsum(one.loss for one in own.values()) / bottom / len(own)
    mistake = usual_mistake(own.values())
    units = {name: rate + (one.loss - rate * one.total) / bottom for name, one in own.items()}
    return Sample(units, VIRTUAL_MISTAKES / len(own) * (mistake / bottom) ** 2)


def score_sample(pairs: Mapping[str, Unit]) -> Sample:
    units = {name: unit.result for name, unit in pairs.items()}
    return Sample(units, VIRTUAL_UNITS / len(units))


def answers_of(results: Results, game: str, form: str) -> dict[str, PositionAnswer]:
    own = results.answers.items()
    return {name: one for name, one in own if one.spot.game == game and one.form == form}


def cost_sample(answers: Mapping[str, PositionAnswer]) -> Sample:
    mistake = fmean(one.grade.worst for one in answers.values())
    units = {name: one.grade.cost for name, one in answers.items()}
    return Sample(units, VIRTUAL_MISTAKES / len(units) * mistake**2 / 2)


def conclusion(found: Sequence[Difference], *sides: tuple[str, Results]) -> str:
    """Say in one sentence whose moves cost less, and whether the difference is clear."""
    (one, _), (two, _) = sides
    forfeits = " and ".join(f"{forfeited(results)} by {who}" for who, results in sides)
    last = [part for part in found if part.figure == COST][-1]
    where = "over all games" if last.event == OVERALL else f"at {last.event}"
    gap = last.estimate
    mean, low, high = (50 * part for part in (gap.mean, gap.low, gap.high))
    ends = f"{low:+.1f} to {high:+.1f}"
    if not last.is_clear:
        return (
            f"There is no clear difference between {one} and {two} {where}:"
            f" the cost per move of {one} minus that of {two} is {mean:+.1f}% (interval {ends}),"
            f" with {forfeits}."
        )
    better, worse = (one, two) if gap.mean < 0 else (two, one)
    return (
        f"{better} plays better than {worse}: its moves cost {abs(mean):.1f}% less of the"
        f" winning chance {where} (interval for {one} minus {two}: {ends}), with {forfeits}."
    )


def forfeited(results: Results) -> str:
    games = results.games.values()
    given_up = [side for game in games for side in game.sides if side.name == PLAYER]
    return f"{sum(bool(side.forfeit) for side in given_up)} of {len(games):,} games forfeited"
