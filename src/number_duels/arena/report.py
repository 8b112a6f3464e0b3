"""The arena report: every player's scores, losses and ratings, with confidence intervals."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import isfinite
from statistics import fmean
from typing import NamedTuple, TypeAlias

from number_duels import __version__
from number_duels.arena.grading import Blunder
from number_duels.arena.results import GameResult
from number_duels.arena.schedule import OVERALL
from number_duels.arena.stats.intervals import ONE_SIDED_TAIL, Estimate, combined, estimate
from number_duels.arena.stats.ratings import ELO, PairScores, Rating, expect, ratings
from number_duels.arena.stats.scores import (
    Stratum,
    Unit,
    balanced,
    over_strata,
    saving,
    units_by_pairing,
)
from number_duels.review.tally import Carelessness

STOPPED = "stopped early: the score is slightly too extreme"


@dataclass(frozen=True)
class Exploited:
    """How much the best counter-strategy wins per game against a player.

    If `exact` is false, `gain` is a lower bound with 95% confidence, from the games played.
    """

    gain: float
    exact: bool


@dataclass(frozen=True)
class Misfit:
    opponent: str
    observed: float
    expected: float
    #: Whether the expected score is outside the 95% interval of the observed score.
    flagged: bool


@dataclass(frozen=True)
class Row:
    """One player's statistics in one game or in all games. A win is 1, a draw 0, a loss -1."""

    event: str
    name: str
    who: str
    games: int
    score: Estimate
    #: The score without luck, or None if a game is not solved.
    corrected: Estimate | None
    #: How many times fewer games `corrected` needs than `score` for an interval of the same width.
    fewer: float | None
    loss_per_game: float | None
    loss_per_decision: float | None
    accuracy: float | None
    #: The winning chance lost per decision that matters, as in a review.
    carelessness: Carelessness | None
    blunders: int
    forfeits: Mapping[str, int]
    refused: Mapping[str, int]
    rating: Rating | None
    anchor: bool
    loss_per_game_interval: tuple[float, float] | None
    loss_per_decision_interval: tuple[float, float] | None
    accuracy_interval: tuple[float, float] | None
    exploitability: Exploited | None
    misfits: tuple[Misfit, ...]
    #: The opponent on whom the whole rating depends, or None if there are several.
    only_opponent: str | None
    #: Whether any pairing has too few pairs to correct its interval for luck.
    plain_interval: bool
    caveat: str | None


Place: TypeAlias = tuple[str, str, str]


class Met(NamedTuple):
    """The pairs of games that a player has played against one opponent in one event."""

    event: str
    opponent: str
    units: list[Unit]


@dataclass
class EventStats:
    event: str
    results: list[GameResult]
    #: Exact ratings and exact exploitabilities, by `who`.
    anchors: Mapping[str, float]
    exploitability: Mapping[str, float]
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
        groups: dict[tuple[str, str], list[list[float]]] = {}
        for (_, one, two), units in self.units.items():
            groups.setdefault((one, two), []).append(Stratum(1.0, units).best_results())
        return [PairScores(*players, balanced(group)) for players, group in groups.items()]

    def row(self, name: str, who: str, rated: Mapping[str, Rating], anchor: bool) -> Row:
        sides = [side for result in self.results for side in result.sides if side.name == name]
        met = self.met(name)
        strata = strata_of(met)
        solved = all(result.luck is not None for result in self.results)
        # Without decisions, losses and accuracy are unknown.
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
        found = []
        for (event, one, two), units in self.units.items():
            if name == one:
                found.append(Met(event, two, units))
            elif name == two:
                found.append(Met(event, one, [unit.turned for unit in units]))
        return found


def strata_of(met: Sequence[Met]) -> list[Stratum]:
    """Return weighted strata. All games have equal weight, and so do the opponents in each game."""
    opponents = Counter(one.event for one in met)
    return [Stratum(1 / len(opponents) / opponents[one.event], one.units) for one in met]


def carelessness(strata: Sequence[Stratum]) -> Carelessness | None:
    """Return the mean winning chance that a player lost per decision that matters."""
    lost = over_strata(strata, Stratum.loss_per_choice)
    if lost is None:
        return None
    return Carelessness(lost.mean / 2, (lost.low / 2, lost.high / 2))


def seen_exploited(met: Sequence[Met]) -> Exploited | None:
    """Return a lower bound for the gain of the best counter-strategy, based on the games played."""
    opponents = Counter(one.event for one in met)
    lows: dict[str, float] = {}
    for event, _, units in met:
        # The best of several opponents counts, so each needs a smaller tail (Bonferroni).
        gain = -Stratum(1.0, units).best(ONE_SIDED_TAIL / opponents[event]).high
        lows[event] = max(0.0, gain, lows.get(event, 0.0))
    return Exploited(fmean(lows.values()), exact=False) if lows else None


def misfits(own: Rating, met: Sequence[Met], rated: Mapping[str, Rating]) -> tuple[Misfit, ...]:
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


MAX_BLUNDERS = 3


@dataclass(frozen=True)
class Meeting:
    event: str
    one: str
    two: str
    score: Estimate
    corrected: Estimate | None
    verdict: str | None = None
    caveat: str | None = None


@dataclass(frozen=True)
class Mistake:
    event: str
    name: str
    fixture: str
    moves: str
    blunder: Blunder


@dataclass(frozen=True, repr=False)
class Report:
    games: int
    rows: tuple[Row, ...]
    meetings: tuple[Meeting, ...]
    mistakes: tuple[Mistake, ...]
    #: How many games do not count, because the other game of the pair is missing.
    waiting: int = 0

    def __repr__(self) -> str:
        players = {row.name for row in self.rows}
        return f"<Report of {self.games} games between {', '.join(sorted(players))}>"

    def as_object(self) -> dict[str, object]:
        return finite(asdict(self))  # type: ignore[return-value]  # an object stays one

    def table(self) -> list[dict[str, object]]:
        """Return one row per event and player, for a data frame. Losses are from 0 to 2."""
        return [
            {
                "event": row.event,
                "player": row.name,
                "who": row.who,
                "games": row.games,
                **figure("result", row.score),
                **figure("result_without_luck", row.corrected),
                "loss_per_decision": row.loss_per_decision,
                "loss_per_game": row.loss_per_game,
                "accuracy": row.accuracy,
                "rating": row.rating.rating if row.rating else None,
                "exploitability": exactly.gain if exactly and exactly.exact else None,
                "forfeits": sum(row.forfeits.values()),
            }
            for row in self.rows
            for exactly in (row.exploitability,)
        ]

    @property
    def events(self) -> list[str]:
        return list(dict.fromkeys(row.event for row in self.rows))


def figure(name: str, found: Estimate | None) -> dict[str, float | None]:
    ends = (found.mean, found.low, found.high) if found else (None, None, None)
    return dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))


def finite(value: object) -> object:
    """Replace NaN and infinite numbers with None, because JSON has neither."""
    if isinstance(value, dict):
        return {name: finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [finite(part) for part in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def report(
    results: Sequence[GameResult],
    anchors: Mapping[str, Mapping[str, float]],
    verdicts: Mapping[Place, str] | None = None,
    exploitability: Mapping[str, Mapping[str, float]] | None = None,
) -> Report:
    """Compute the report of an arena.

    `anchors` has exact ratings, by event and `who`. `exploitability` has the same form. The event
    `OVERALL` stands for all games together.
    """
    said, gains = verdicts or {}, exploitability or {}
    events = list(dict.fromkeys(result.event for result in results))

    def stats_of(event: str, of_event: Iterable[GameResult]) -> EventStats:
        stopped = [place for place in said if event in (OVERALL, place[0])]
        exact = anchors.get(event, {}), gains.get(event, {})
        return EventStats(event, list(of_event), *exact, stopped)

    stats = [stats_of(event, (one for one in results if one.event == event)) for event in events]
    whole = [stats_of(OVERALL, results)] if len(events) > 1 else []
    counted = 2 * sum(len(units) for stat in stats for units in stat.units.values())
    return Report(
        games=len(results),
        rows=tuple(row for stat in (*whole, *stats) for row in stat.rows()),
        meetings=tuple(meeting for stat in stats for meeting in meetings(stat, said)),
        mistakes=tuple(mistakes(results)),
        waiting=len(results) - counted,
    )


def meetings(stats: EventStats, verdicts: Mapping[Place, str]) -> Iterable[Meeting]:
    for place, units in stats.units.items():
        said, pairing = verdicts.get(place), Stratum(1.0, units)
        scores = pairing.plain(), pairing.corrected()
        yield Meeting(*place, *scores, said, STOPPED if said else None)


def mistakes(results: Iterable[GameResult]) -> list[Mistake]:
    found: dict[tuple[str, str], list[Mistake]] = {}
    for result in results:
        for side in result.sides:
            found.setdefault((result.event, side.name), []).extend(
                Mistake(result.event, side.name, result.fixture, result.record.moves, blunder)
                for blunder in side.cost.blunders
            )
    worst = []
    for own in found.values():
        worst += sorted(own, key=lambda one: -one.blunder.loss)[:MAX_BLUNDERS]
    return worst


@dataclass(frozen=True)
class Provenance:
    #: The word for each player, by name.
    players: Mapping[str, str]
    settings: Mapping[str, Mapping[str, int | str]]
    first: str
    last: str
    versions: Mapping[str, str]
    salt: str | None
    seed: int | None = None
    pairs: int | None = None

    def as_object(self) -> dict[str, object]:
        """Return a JSON object without the seed and the number of pairs."""
        found = asdict(self)
        return {name: found[name] for name in found if name not in ("seed", "pairs")}


def provenance(results: Sequence[GameResult]) -> Provenance:
    began = sorted(result.record.started for result in results if result.record.started)
    origin = next((result.origin for result in results if result.origin), None)
    return Provenance(
        players={side.name: side.who for result in results for side in result.sides},
        settings={result.event: result.record.settings for result in results},
        first=began[0] if began else "",
        last=began[-1] if began else "",
        versions=versions(),
        salt=origin.salt if origin else None,
        seed=origin.seed if origin else None,
    )


def versions() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    found = {"number-duels": __version__, "Python": platform.python_version()}
    for library in ("numpy", "numba"):
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found
