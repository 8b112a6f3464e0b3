"""What a bench shows of a player: for each game and over all, each figure with its interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from number_duels.arena.report import EventStats, Row
from number_duels.arena.results import GameResult
from number_duels.arena.schedule import OVERALL
from number_duels.arena.stats.intervals import Estimate, combined, estimate_ratio
from number_duels.arena.stats.scores import MAX_LOSS, Stratum
from number_duels.bench.answers import PositionAnswer
from number_duels.bench.results import Results
from number_duels.bench.suite import PLAYER
from number_duels.bench.usage import NO_USAGE, Usage
from number_duels.review.position import TOLERANCE
from number_duels.trainer.answers import MIXTURE, MOVE


@dataclass(frozen=True)
class Rung:
    """What was shown against one opponent; None where nothing was decided."""

    opponent: str
    #: Between -1 and 1, without luck where that tells more.
    score: Estimate
    loss: Estimate | None


@dataclass(frozen=True)
class Asked:
    """The answers of one form at single positions; no answer costs as much as the worst."""

    questions: int
    unanswered: int
    #: How many answers cost nothing.
    right: int
    #: What an answer costs; None where nothing was asked.
    cost: Estimate | None


@dataclass(frozen=True)
class GameFigures:
    """All figures of one game, or of all games with the same weight each."""

    event: str
    games: int
    decisions: int
    #: What a decision costs against perfect play; a win turned into a loss costs 2.
    loss: Estimate | None
    #: The share kept of all that could have been thrown away, in percent.
    accuracy: Estimate | None
    score: Estimate
    rungs: tuple[Rung, ...]
    moves: Asked
    mixtures: Asked
    blunders: int
    #: Games given away, and answers refused, by kind; those at positions count as well.
    forfeits: Mapping[str, int]
    refused: Mapping[str, int]
    usage: Usage


def figures_of(results: Results) -> tuple[GameFigures, ...]:
    """All games together, then each of them; a single game stands alone."""
    events = results.header.events
    found = [figures(results, {event: game}) for event, game in events.items()]
    return (figures(results, events, found), *found) if len(found) > 1 else tuple(found)


def figures(
    results: Results, events: Mapping[str, str], parts: Sequence[GameFigures] = ()
) -> GameFigures:
    """The figures of some events, which are given with the names of their games."""
    games = [one for one in results.games.values() if one.event in events]
    answers = [one for one in results.answers.values() if one.spot.game in events.values()]
    stats = EventStats(OVERALL, games, {}, {})
    row = stats.row(PLAYER, results.header.player, {}, anchor=False)
    sides = [side for game in games for side in game.sides if side.name == PLAYER]
    faults = Counter(fault.kind for one in answers for fault in one.faults)
    return GameFigures(
        event=OVERALL if parts else next(iter(events)),
        games=len(games),
        decisions=sum(side.cost.decisions for side in sides),
        loss=with_ends(row.loss_per_decision, row.loss_per_decision_interval, row),
        accuracy=with_ends(row.accuracy, row.accuracy_interval, row),
        score=row.corrected or row.score,
        rungs=tuple(rungs(stats, results.header.ladder)),
        moves=asked(answers, MOVE, [part.moves for part in parts]),
        mixtures=asked(answers, MIXTURE, [part.mixtures for part in parts]),
        blunders=row.blunders,
        forfeits=dict(row.forfeits),
        refused=dict(Counter(row.refused) + faults),
        usage=usage(results, games, answers),
    )


def with_ends(mean: float | None, ends: tuple[float, float] | None, row: Row) -> Estimate | None:
    return None if mean is None or ends is None else Estimate(mean, *ends, row.games // 2)


def rungs(stats: EventStats, ladder: Iterable[str]) -> Iterable[Rung]:
    """What was shown against each rung, all games with the same weight."""
    met = stats.met(PLAYER)
    for opponent in ladder:
        strata = [Stratum(1.0, one.units) for one in met if one.opponent == opponent]
        if strata:
            score = equally([stratum.best() for stratum in strata])
            losses = [stratum.loss_per_decision() for stratum in strata]
            known = [loss for loss in losses if loss is not None]
            assert score is not None
            yield Rung(opponent, score, equally(known))


def equally(parts: Sequence[Estimate]) -> Estimate | None:
    return combined([(1 / len(parts), part) for part in parts]) if parts else None


def asked(answers: Iterable[PositionAnswer], form: str, parts: Sequence[Asked]) -> Asked:
    own = [one for one in answers if one.form == form]
    costs = [part.cost for part in parts if part.cost is not None]
    return Asked(
        questions=len(own),
        unanswered=sum(not one.weights for one in own),
        right=sum(bool(one.weights) and one.grade.cost <= TOLERANCE for one in own),
        cost=equally(costs) if parts else cost_of(own),
    )


def cost_of(answers: Sequence[PositionAnswer]) -> Estimate | None:
    """What an answer costs, with the positions as what varies."""
    if not answers:
        return None
    costs = [one.grade.cost for one in answers]
    mistake = sum(one.grade.worst for one in answers) / len(answers)
    return estimate_ratio(costs, [1.0] * len(costs), mistake, MAX_LOSS)


def usage(
    results: Results, games: Iterable[GameResult], answers: Iterable[PositionAnswer]
) -> Usage:
    found = [results.usage[game.fixture].usage for game in games if game.fixture in results.usage]
    return sum((*found, *(one.usage for one in answers)), start=NO_USAGE)
