"""What an arena shows: for every player and game, how well it did and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from math import fsum, isfinite, sqrt
from statistics import fmean
from typing import TypeAlias

from number_duels.arena.game_result import GameResult, Side
from number_duels.arena.grading import Blunder
from number_duels.arena.stats.intervals import Estimate, estimate, fewer_games
from number_duels.arena.stats.luck import corrected
from number_duels.arena.stats.pairs import Unit, units_by_pairing
from number_duels.arena.stats.ratings import PairScores, Rating, ratings
from number_duels.review.tally import Carelessness, Tally

#: The name under which all games are taken together.
OVERALL = "all games"
#: An event and its two players.
Place: TypeAlias = tuple[str, str, str]
#: How many blunders of each player are listed.
MAX_BLUNDERS = 3


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


@dataclass(frozen=True)
class Meeting:
    """Two players at one game, from the first one's side."""

    event: str
    one: str
    two: str
    score: Estimate
    corrected: Estimate | None
    verdict: str | None = None


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


@dataclass
class EventStats:
    """The games of one event, pair by pair, and what follows from them."""

    event: str
    results: list[GameResult]
    #: The exact ratings of built-in players, by who.
    anchors: Mapping[str, float]
    units: dict[Place, list[Unit]] = field(init=False)
    corrected: dict[Place, list[float] | None] = field(init=False)

    def __post_init__(self) -> None:
        self.units = units_by_pairing(self.results)
        self.corrected = {place: corrected(units) for place, units in self.units.items()}

    def rows(self) -> Iterable[Row]:
        people = {side.name: side.who for result in self.results for side in result.sides}
        known = {name: self.anchors[who] for name, who in people.items() if who in self.anchors}
        pairings = [
            PairScores(*place[1:], self.corrected[place] or [unit.result for unit in units])
            for place, units in self.units.items()
        ]
        found = ratings(pairings, known) if known else {}
        rows = [self.row(name, people[name], found.get(name), name in known) for name in people]
        return sorted(
            rows, key=lambda row: (-(row.rating.rating if row.rating else 0.0), -row.score.mean)
        )

    def row(self, name: str, who: str, rating: Rating | None, anchor: bool) -> Row:
        sides = [side for result in self.results for side in result.sides if side.name == name]
        score, without, fewer = self.scores(name)
        solved = all(result.luck is not None for result in self.results)
        # A player that never decided anything has not shown what its decisions cost.
        solved = solved and any(side.cost.decisions for side in sides)
        per_game, per_decision, accuracy = losses(sides) if solved else (None, None, None)
        return Row(
            event=self.event,
            name=name,
            who=who,
            games=len(sides),
            score=score,
            corrected=without,
            fewer=fewer,
            loss_per_game=per_game,
            loss_per_decision=per_decision,
            accuracy=accuracy,
            carelessness=sum((s.tally for s in sides), Tally()).carelessness if solved else None,
            blunders=sum(len(side.cost.blunders) for side in sides),
            forfeits=dict(Counter(side.forfeit for side in sides if side.forfeit)),
            refused=dict(Counter(fault.kind for side in sides for fault in side.faults)),
            rating=rating,
            anchor=anchor,
        )

    def scores(self, name: str) -> tuple[Estimate, Estimate | None, float | None]:
        """A player's score, the same without luck, and how many games that saves."""
        played: list[list[float]] = []
        lucky: list[list[float]] = []
        for place, units in self.units.items():
            if name in place[1:]:
                sign = 1 if place[1] == name else -1
                played.append([sign * unit.result for unit in units])
                lucky.append([sign * result for result in self.corrected[place] or ()])
        plain, without = pooled(played), pooled(lucky)
        if len(without) < len(plain) or not plain:
            return estimate(plain), None, None
        # Equal results say nothing of how much they could have varied.
        fewer = fewer_games(plain, without) if len(set(plain)) > 1 else None
        spent = max(0, sum(map(bool, played)) - 1)
        return estimate(plain, spent=spent), estimate(without, None, spent=spent), fewer


def pooled(groups: Sequence[Sequence[float]]) -> list[float]:
    """The units of several pairings, with their common mean and the spread that each has in itself.

    That one opponent is stronger than another is no chance: it adds nothing to the doubt.

    >>> [round(unit, 3) for unit in pooled([[0.5, 0.7], [-0.7, -0.5]])]
    [-0.122, 0.122, -0.122, 0.122]
    """
    units = [unit for group in groups for unit in group]
    means = [fmean(group) if group else 0.0 for group in groups]
    free = len(units) - sum(1 for group in groups if group)
    if len(groups) < 2 or not free:
        return units
    middle, wider = fmean(units), sqrt((len(units) - 1) / free)
    return [
        middle + wider * (unit - mean)
        for group, mean in zip(groups, means, strict=True)
        for unit in group
    ]


def losses(sides: Sequence[Side]) -> tuple[float, float, float]:
    """The average loss of a game and of a decision, and the accuracy."""
    loss, worst = fsum(s.cost.loss for s in sides), fsum(s.cost.worst for s in sides)
    decisions = sum(side.cost.decisions for side in sides)
    accuracy = 100 * (1 - loss / worst) if worst > 0 else 100.0
    return loss / max(1, len(sides)), loss / max(1, decisions), accuracy


def report(
    results: Sequence[GameResult],
    anchors: Mapping[str, Mapping[str, float]],
    verdicts: Mapping[tuple[str, str, str], str] | None = None,
) -> Report:
    """The report of some games; anchors are exact ratings by event and by who.

    Under `OVERALL` the anchors hold the ratings for all games taken together.
    """
    events = list(dict.fromkeys(result.event for result in results))
    stats = [
        EventStats(event, [one for one in results if one.event == event], anchors.get(event, {}))
        for event in events
    ]
    whole = (
        [EventStats(OVERALL, list(results), anchors.get(OVERALL, {}))] if len(events) > 1 else []
    )
    meetings = []
    for stat in stats:
        for place, units in stat.units.items():
            plain, without = [unit.result for unit in units], stat.corrected[place]
            better = None if without is None else estimate(without, None)
            said = (verdicts or {}).get(place)
            meetings.append(Meeting(*place, estimate(plain), better, said))
    counted = 2 * sum(len(units) for stat in stats for units in stat.units.values())
    return Report(
        games=len(results),
        rows=tuple(row for stat in (*whole, *stats) for row in stat.rows()),
        meetings=tuple(meetings),
        mistakes=tuple(mistakes(results)),
        waiting=len(results) - counted,
    )


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
