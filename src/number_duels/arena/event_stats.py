"""What follows from the games of one event, or of all of them, for every player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import NamedTuple, TypeAlias

from number_duels.arena.game_result import GameResult
from number_duels.arena.row import STOPPED, Exploited, Misfit, Row
from number_duels.arena.stats.intervals import ONE_SIDED_TAIL, Estimate, combined, estimate
from number_duels.arena.stats.pairs import Unit, units_by_pairing
from number_duels.arena.stats.ratings import ELO, PairScores, Rating, expect, ratings
from number_duels.arena.stats.scores import Stratum, balanced, over_strata, saving
from number_duels.review.tally import Carelessness

#: An event and its two players.
Place: TypeAlias = tuple[str, str, str]


class Met(NamedTuple):
    """The pairs against one opponent at one game, from one player's side."""

    event: str
    opponent: str
    units: list[Unit]


@dataclass
class EventStats:
    """The games of one event, pair by pair, and what follows from them."""

    event: str
    results: list[GameResult]
    #: The exact ratings of built-in players, and what best replies gain on them, by who.
    anchors: Mapping[str, float]
    exploitability: Mapping[str, float]
    #: The pairings that were stopped early.
    stopped: Collection[Place] = ()
    units: dict[Place, list[Unit]] = field(init=False)

    def __post_init__(self) -> None:
        self.units = units_by_pairing(self.results)

    def rows(self) -> list[Row]:
        people = {side.name: side.who for result in self.results for side in result.sides}
        known = {name: self.anchors[who] for name, who in people.items() if who in self.anchors}
        found = ratings(self.rated_pairings(), known) if known else {}
        rows = [self.row(name, people[name], found, name in known) for name in people]
        return sorted(
            rows, key=lambda row: (-(row.rating.rating if row.rating else 0.0), -row.score.mean)
        )

    def rated_pairings(self) -> list[PairScores]:
        """What ratings are made from: every two players once, all games with the same weight."""
        groups: dict[tuple[str, str], list[list[float]]] = {}
        for (_, one, two), units in self.units.items():
            groups.setdefault((one, two), []).append(Stratum(1.0, units).best_results())
        return [PairScores(*players, balanced(group)) for players, group in groups.items()]

    def row(self, name: str, who: str, rated: Mapping[str, Rating], anchor: bool) -> Row:
        sides = [side for result in self.results for side in result.sides if side.name == name]
        met = self.met(name)
        strata = strata_of(met)
        solved = all(result.luck is not None for result in self.results)
        # A player that never decided anything has not shown what its decisions cost.
        decided = strata if solved and any(side.cost.decisions for side in sides) else []
        per_game = over_strata(decided, Stratum.loss_per_game)
        per_decision = over_strata(decided, Stratum.loss_per_decision)
        accuracy = over_strata(decided, Stratum.accuracy)
        exact = self.exploitability.get(who)
        fit = () if anchor or name not in rated else misfits(rated[name], met, rated)
        return Row(
            event=self.event,
            name=name,
            who=who,
            games=len(sides),
            score=over_strata(strata, Stratum.plain) or estimate([]),
            corrected=over_strata(strata, Stratum.corrected) if solved else None,
            fewer=saving(strata),
            loss_per_game=mean_of(per_game),
            loss_per_decision=mean_of(per_decision),
            accuracy=mean_of(accuracy),
            carelessness=carelessness(decided),
            blunders=sum(len(side.cost.blunders) for side in sides),
            forfeits=dict(Counter(side.forfeit for side in sides if side.forfeit)),
            refused=dict(Counter(fault.kind for side in sides for fault in side.faults)),
            rating=rated.get(name),
            anchor=anchor,
            loss_per_game_interval=ends(per_game),
            loss_per_decision_interval=ends(per_decision),
            accuracy_interval=ends(accuracy),
            exploitability=seen_exploited(met) if exact is None else Exploited(exact, exact=True),
            misfits=fit,
            only_opponent=fit[0].opponent if len(fit) == 1 else None,
            plain_interval=any(one.has_plain_interval for one in strata),
            caveat=STOPPED if any(name in place[1:] for place in self.stopped) else None,
        )

    def met(self, name: str) -> list[Met]:
        """A player's pairings, from its own side."""
        found = []
        for (event, one, two), units in self.units.items():
            if name == one:
                found.append(Met(event, two, units))
            elif name == two:
                found.append(Met(event, one, [unit.turned for unit in units]))
        return found


def strata_of(met: Sequence[Met]) -> list[Stratum]:
    """The same weight for every game, and for every opponent at it."""
    opponents = Counter(one.event for one in met)
    return [Stratum(1 / len(opponents) / opponents[one.event], one.units) for one in met]


def carelessness(strata: Sequence[Stratum]) -> Carelessness | None:
    """The chances thrown away: half of what is lost for each decision that is not obvious."""
    lost = over_strata(strata, Stratum.loss_per_choice)
    if lost is None:
        return None
    return Carelessness(lost.mean / 2, (lost.low / 2, lost.high / 2))


def seen_exploited(met: Sequence[Met]) -> Exploited | None:
    """The least that best replies gain, by what opponents gained: the mean over the games."""
    opponents = Counter(one.event for one in met)
    lows: dict[str, float] = {}
    for event, _, units in met:
        # The best of several opponents is taken: each must be surer than one alone.
        gain = -Stratum(1.0, units).best(ONE_SIDED_TAIL / opponents[event]).high
        # Perfect play gains nothing or more on anybody.
        lows[event] = max(0.0, gain, lows.get(event, 0.0))
    return Exploited(fmean(lows.values()), exact=False) if lows else None


def misfits(own: Rating, met: Sequence[Met], rated: Mapping[str, Rating]) -> tuple[Misfit, ...]:
    """How far what was scored against each opponent is from what the ratings expect."""
    found = []
    for opponent in dict.fromkeys(one.opponent for one in met):
        parts = [Stratum(1.0, one.units).best() for one in met if one.opponent == opponent]
        score = combined([(1 / len(parts), part) for part in parts])
        expected = expect((own.rating - rated[opponent].rating) / ELO)
        outside = not score.low <= 2 * expected - 1 <= score.high
        found.append(Misfit(opponent, (1 + score.mean) / 2, expected, outside))
    return tuple(found)


def mean_of(estimate: Estimate | None) -> float | None:
    return None if estimate is None else estimate.mean


def ends(estimate: Estimate | None) -> tuple[float, float] | None:
    return None if estimate is None else (estimate.low, estimate.high)
