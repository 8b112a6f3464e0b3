"""What an arena shows: for every player and game, how well it did and how sure that is."""

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

#: What stands beside a score that was not played for a fixed number of games.
STOPPED = "stopped early: a little too extreme"


@dataclass(frozen=True)
class Exploited:
    """What the best reply gains on a player, a game; 0 is perfect play.

    Where it is not exact, the best reply gains at least this: what an opponent gained,
    by the lower end of a one-sided 95% interval.
    """

    gain: float
    exact: bool


@dataclass(frozen=True)
class Misfit:
    """What a player scored against an opponent, and what its rating expects: shares of points."""

    opponent: str
    observed: float
    expected: float
    #: Whether the difference is more than chance: the expected score is outside the interval.
    flagged: bool


@dataclass(frozen=True)
class Row:
    """One player at one game, or at all of them. Results and losses: win 1, draw 0, loss -1."""

    event: str
    name: str
    who: str
    games: int
    score: Estimate
    #: The same without the luck that is known; None where a game is not solved.
    corrected: Estimate | None
    #: How many times fewer games the corrected score needs for the same interval; None: unknown.
    fewer: float | None
    loss_per_game: float | None
    loss_per_decision: float | None
    accuracy: float | None
    #: The chances thrown away for each decision that is not obvious, as in a review.
    carelessness: Carelessness | None
    blunders: int
    #: Games given away, and answers refused, by kind.
    forfeits: Mapping[str, int]
    refused: Mapping[str, int]
    rating: Rating | None
    #: Whether the rating was computed exactly instead of played for.
    anchor: bool
    #: 95% intervals; the pairs of games are what varies.
    loss_per_game_interval: tuple[float, float] | None
    loss_per_decision_interval: tuple[float, float] | None
    accuracy_interval: tuple[float, float] | None
    exploitability: Exploited | None
    #: How the rating fits each opponent; empty without a rating, and for exact ones.
    misfits: tuple[Misfit, ...]
    #: The opponent on whom the rating rests, if it is one alone.
    only_opponent: str | None
    #: Whether pairs are so few or so alike that the corrected score has the plain interval.
    plain_interval: bool
    #: What must be said beside the score; None: nothing.
    caveat: str | None


# ---- how one event went ----------------------------------------------------------


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


# ---- the report ------------------------------------------------------------------


#: How many blunders of each player are listed.
MAX_BLUNDERS = 3


@dataclass(frozen=True)
class Meeting:
    """Two players at one game, from the first one's side."""

    event: str
    one: str
    two: str
    score: Estimate
    corrected: Estimate | None
    verdict: str | None = None
    #: What must be said beside the score; None: nothing.
    caveat: str | None = None


@dataclass(frozen=True)
class Mistake:
    """A blunder, and the game it is in."""

    event: str
    name: str
    fixture: str
    moves: str
    blunder: Blunder


@dataclass(frozen=True)
class Report:
    games: int
    rows: tuple[Row, ...]
    meetings: tuple[Meeting, ...]
    mistakes: tuple[Mistake, ...]
    #: Games whose partner in the pair has not been played.
    waiting: int = 0

    def as_object(self) -> dict[str, object]:
        return finite(asdict(self))  # type: ignore[return-value]  # an object stays one

    @property
    def events(self) -> list[str]:
        """The games that were played, and all of them together if there are several."""
        return list(dict.fromkeys(row.event for row in self.rows))


def finite(value: object) -> object:
    """A value that JSON can hold."""
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
    """The report of some games; anchors are exact ratings by event and by who.

    `exploitability` has, in the same way, what best replies gain. Under `OVERALL` both hold
    the figures for all games taken together.
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
    """The worst blunders of every player at every event."""
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


# ---- where the games come from ---------------------------------------------------


@dataclass(frozen=True)
class Provenance:
    """What was played, when, and by which program it is reported on."""

    #: By name, the word of each player.
    players: Mapping[str, str]
    #: By event, the settings of its game.
    settings: Mapping[str, Mapping[str, int | str]]
    #: When the first and the last of the games began.
    first: str
    last: str
    #: Of programs and libraries that have a say in the figures.
    versions: Mapping[str, str]
    #: In a salted arena that is complete.
    salt: str | None
    #: The arena's own seed, and pairs; None where nobody says: a results file need not.
    seed: int | None = None
    pairs: int | None = None

    def as_object(self) -> dict[str, object]:
        """As JSON, without what the file of the games does not hold."""
        found = asdict(self)
        return {name: found[name] for name in found if name not in ("seed", "pairs")}


def provenance(results: Sequence[GameResult]) -> Provenance:
    """What the games themselves tell."""
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
