"""The report of a bench: all figures, what is behind them, and how they were found."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from number_duels.arena.report import EventStats, Row, finite
from number_duels.arena.results import GameResult
from number_duels.arena.schedule import OVERALL
from number_duels.arena.stats.intervals import Estimate, combined, estimate_ratio
from number_duels.arena.stats.scores import MAX_LOSS, Stratum
from number_duels.bench.answers import NO_USAGE, PositionAnswer, Usage
from number_duels.bench.results import Header, Results
from number_duels.bench.suite import PLAYER
from number_duels.core.game import Seat
from number_duels.core.notation import read
from number_duels.games import load
from number_duels.review.position import TOLERANCE, AnySolution
from number_duels.trainer.exercise import MIXTURE, MOVE


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


# ---- mixtures stated, and moves played -------------------------------------------


#: A game, what the future depends on in it, and a seat.
Place = tuple[str, Hashable, Seat]


@dataclass(frozen=True)
class Comparison:
    """One position: what was stated, what was played there, and what perfect play does."""

    answer: PositionAnswer
    stated: Mapping[str, float]
    #: How often each move was played there, in games and where it was asked for its best move.
    played: Mapping[str, int]
    perfect: Mapping[str, float]

    @property
    def distance(self) -> float | None:
        """Half of all differences between shares stated and played, 0 to 1; None: never there."""
        total = sum(self.played.values())
        if not total or not self.stated:
            return None
        moves = {*self.stated, *self.played}
        return (
            sum(
                abs(self.stated.get(move, 0.0) - self.played.get(move, 0) / total) for move in moves
            )
            / 2
        )


def comparisons(results: Results, solutions: Mapping[str, AnySolution]) -> list[Comparison]:
    """All positions at which a mixture was stated; solutions are by the names of games."""
    played = played_at(results)
    found = []
    for answer in results.answers.values():
        spot = answer.spot.open()
        place = spot.game.name, spot.game.key(spot.state), spot.seat
        if answer.form == MIXTURE:
            odds = solutions[spot.game.name].strategy(spot.state, spot.seat)
            perfect = {str(move): share for move, share in odds.items() if share > 0}
            own = dict(sorted(played.get(place, Counter()).items()))
            found.append(Comparison(answer, answer.weights, own, perfect))
    return sorted(found, key=lambda one: -sum(one.played.values()))


def played_at(results: Results) -> Mapping[Place, Counter[str]]:
    """By position, what the player played there."""
    found: dict[Place, Counter[str]] = defaultdict(Counter)
    for place, move in decisions(results):
        found[place][move] += 1
    return found


def decisions(results: Results) -> Iterator[tuple[Place, str]]:
    games = {name: load(name, **own) for name, own in results.header.settings.items()}
    for result in results.games.values():
        record, game = result.record, games[result.record.game]
        (seat,) = (s for s in Seat if record.players[s].name == PLAYER)
        for step in read(game, game.start(deal=record.deal), record.moves):
            if seat in step.moves:
                yield (game.name, game.key(step.before), seat), str(step.moves[seat])
    for answer in results.answers.values():
        if answer.form == MOVE and answer.weights:
            spot = answer.spot.open()
            place = spot.game.name, spot.game.key(spot.state), spot.seat
            yield place, next(iter(answer.weights))


# ---- the report ------------------------------------------------------------------


#: How many blunders are listed with their texts.
MAX_BLUNDERS = 30


@dataclass(frozen=True)
class Blunder:
    """A decisive mistake in a game, with what the player said to it."""

    fixture: str
    seat: int
    turn: int
    move: str
    loss: float
    better: tuple[str, ...]
    moves: str
    #: The player's own words; empty where none were kept.
    words: str


@dataclass(frozen=True)
class BenchReport:
    header: Header
    #: All games together first, where there are several.
    figures: tuple[GameFigures, ...]
    stated: tuple[Comparison, ...]
    blunders: tuple[Blunder, ...]
    #: When the first and the last game began.
    first: str
    last: str
    #: What the seeds follow from besides the seed; empty while it is a secret, or is none.
    salt: str
    #: How many games of the suite, of how many, are in the report.
    played: int
    planned: int

    @property
    def total(self) -> GameFigures:
        return self.figures[0]

    def as_object(self) -> dict[str, object]:
        found = asdict(self)
        found["stated"] = [
            {
                "position": one.answer.spot.to_json(),
                "stated": dict(one.stated),
                "played": dict(one.played),
                "perfect": dict(one.perfect),
                "distance": one.distance,
                "exploitability": one.answer.grade.cost,
                "reader": one.answer.grade.reader,
            }
            for one in self.stated
        ]
        return finite(found)  # type: ignore[return-value]  # an object stays one


def report_of(results: Results, solutions: Mapping[str, AnySolution]) -> BenchReport:
    """The report of what is in a file; solutions are by the names of games."""
    header = results.header
    began = sorted(game.record.started for game in results.games.values() if game.record.started)
    rungs = len(header.ladder)
    return BenchReport(
        header=header,
        figures=figures_of(results),
        stated=tuple(comparisons(results, solutions)),
        blunders=tuple(blunders(results)[:MAX_BLUNDERS]),
        first=began[0] if began else "",
        last=began[-1] if began else "",
        salt=results.salt,
        played=len(results.games),
        planned=2 * header.pairs * rungs * len(header.settings),
    )


def blunders(results: Results) -> list[Blunder]:
    """All decisive mistakes of the player, the worst first, those with words before others."""
    found = []
    for game in results.games.values():
        kept = results.usage.get(game.fixture)
        for seat, side in enumerate(game.sides, 1):
            if side.name != PLAYER:
                continue
            found += [
                Blunder(
                    game.fixture,
                    seat,
                    one.turn,
                    one.move,
                    one.loss,
                    one.best,
                    game.record.moves,
                    kept.said.get(one.turn, "") if kept else "",
                )
                for one in side.cost.blunders
            ]
    return sorted(found, key=lambda one: (-one.loss, not one.words))
