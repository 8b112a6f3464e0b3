"""What an arena shows: for every player and game, how well it did and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite

from number_duels.arena.event_stats import EventStats, Place
from number_duels.arena.game_result import GameResult
from number_duels.arena.grading import Blunder
from number_duels.arena.row import OVERALL, STOPPED, Row
from number_duels.arena.stats.intervals import Estimate
from number_duels.arena.stats.scores import Stratum

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
