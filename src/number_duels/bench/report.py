"""The bench report: all results, stated mixed strategies and blunders."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from number_duels.arena.report import EventStats, Row, figure, finite
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
from number_duels.players.calibration import error_rates
from number_duels.review.position import TOLERANCE, AnySolution
from number_duels.trainer.exercise import MIXED, MOVE


@dataclass(frozen=True)
class Rung:
    """The results against one opponent. `loss` is None if the player made no decision."""

    opponent: str
    #: From -1 to 1, corrected for luck if there are enough pairs.
    score: Estimate
    loss: Estimate | None


@dataclass(frozen=True)
class Asked:
    """Statistics of all answers in one form. A missing answer costs as much as a forfeit."""

    questions: int
    unanswered: int
    right: int
    cost: Estimate | None
    #: The exact mean cost of the built-in players' moves at the same positions.
    baselines: Mapping[str, float]


@dataclass(frozen=True)
class GameFigures:
    """All results of one game, or of all games with equal weights."""

    event: str
    #: Moves at the fixed positions. Players are ranked by their mean cost.
    moves: Asked
    games: int
    decisions: int
    #: The loss per decision in games. It depends on the opponents, because moves in a lost position
    #: cost nothing.
    loss: Estimate | None
    accuracy: Estimate | None
    score: Estimate
    rungs: tuple[Rung, ...]
    mixed: Asked
    blunders: int
    forfeits: Mapping[str, int]
    refused: Mapping[str, int]
    usage: Usage


def figures_of(results: Results) -> tuple[GameFigures, ...]:
    """Return the results of each game, after those of all games if there are several."""
    events = results.header.events
    found = [figures(results, {event: game}) for event, game in events.items()]
    return (figures(results, events, found), *found) if len(found) > 1 else tuple(found)


def figures(
    results: Results, events: Mapping[str, str], parts: Sequence[GameFigures] = ()
) -> GameFigures:
    games = [one for one in results.games.values() if one.event in events]
    answers = [one for one in results.answers.values() if one.spot.game in events.values()]
    stats = EventStats(OVERALL, games, {}, {})
    row = stats.row(PLAYER, results.header.player, {}, anchor=False)
    sides = [side for game in games for side in game.sides if side.name == PLAYER]
    faults = Counter(fault.kind for one in answers for fault in one.faults)
    return GameFigures(
        event=OVERALL if parts else next(iter(events)),
        moves=asked(answers, MOVE, [part.moves for part in parts]),
        games=len(games),
        decisions=sum(side.cost.decisions for side in sides),
        loss=with_ends(row.loss_per_decision, row.loss_per_decision_interval, row),
        accuracy=with_ends(row.accuracy, row.accuracy_interval, row),
        score=row.corrected or row.score,
        rungs=tuple(rungs(stats, results.header.ladder)),
        mixed=asked(answers, MIXED, [part.mixed for part in parts]),
        blunders=row.blunders,
        forfeits=dict(row.forfeits),
        refused=dict(Counter(row.refused) + faults),
        usage=usage(results, games, answers),
    )


def with_ends(mean: float | None, ends: tuple[float, float] | None, row: Row) -> Estimate | None:
    return None if mean is None or ends is None else Estimate(mean, *ends, row.games // 2)


def rungs(stats: EventStats, ladder: Iterable[str]) -> Iterable[Rung]:
    met = stats.met(PLAYER)
    for opponent in ladder:
        strata = [Stratum(1.0, one.units) for one in met if one.opponent == opponent]
        if strata:
            score = equally([stratum.best() for stratum in strata])
            losses = [stratum.loss_per_decision() for stratum in strata]
            known = [loss for loss in losses if loss is not None]
            assert score is not None
            yield Rung(opponent, score, equally(known) if len(known) == len(losses) else None)


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
        baselines=baselines(own, [part.baselines for part in parts if part.baselines]),
    )


def baselines(
    answers: Sequence[PositionAnswer], parts: Sequence[Mapping[str, float]]
) -> dict[str, float]:
    # Only the random moves of a built-in player cost anything.
    if parts:
        return {who: fmean(part[who] for part in parts) for who in parts[0]}
    if not answers or answers[0].form != MOVE:
        return {}
    random = fmean(one.grade.random for one in answers)
    game = load(answers[0].spot.game, **answers[0].spot.settings)
    return {who: rate * random for who, rate in error_rates(game).items()}


def cost_of(answers: Sequence[PositionAnswer]) -> Estimate | None:
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


Place = tuple[str, Hashable, Seat]


@dataclass(frozen=True)
class Comparison:
    answer: PositionAnswer
    stated: Mapping[str, float]
    #: How often each move was played there, in games or as an answer.
    played: Mapping[str, int]
    perfect: Mapping[str, float]

    @property
    def distance(self) -> float | None:
        """Return the distance between stated and played frequencies, from 0 to 1, or None."""
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
    played = played_at(results)
    found = []
    for answer in results.answers.values():
        spot = answer.spot.open()
        place = spot.game.name, spot.game.key(spot.state), spot.seat
        if answer.form == MIXED:
            odds = solutions[spot.game.name].strategy(spot.state, spot.seat)
            perfect = {str(move): share for move, share in odds.items() if share > 0}
            own = dict(sorted(played.get(place, Counter()).items()))
            found.append(Comparison(answer, answer.weights, own, perfect))
    return sorted(found, key=lambda one: -sum(one.played.values()))


def played_at(results: Results) -> Mapping[Place, Counter[str]]:
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


MAX_BLUNDERS = 30


@dataclass(frozen=True)
class Blunder:
    fixture: str
    seat: int
    turn: int
    move: str
    loss: float
    better: tuple[str, ...]
    moves: str
    words: str


@dataclass(frozen=True, repr=False)
class BenchReport:
    header: Header
    #: If there are several games, the first entry is for all games together.
    figures: tuple[GameFigures, ...]
    stated: tuple[Comparison, ...]
    blunders: tuple[Blunder, ...]
    first: str
    last: str
    #: The salt in the seeds, or empty while it is secret or if there is none.
    salt: str
    played: int
    planned: int

    def __repr__(self) -> str:
        return f"<BenchReport of {self.header.player}: {self.played} of {self.planned} games>"

    @property
    def total(self) -> GameFigures:
        return self.figures[0]

    def table(self) -> list[dict[str, object]]:
        """Return one row per event, for a data frame.

        Losses are from 0 to 2, results from -1 to 1.
        """
        return [
            {
                "event": one.event,
                **figure("loss", one.moves.cost),
                **figure("result_without_luck", one.score),
                "games": one.games,
                "forfeits": sum(one.forfeits.values()),
                **{f"loss of {who}": cost for who, cost in one.moves.baselines.items()},
            }
            for one in self.figures
        ]

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
    """Return the player's blunders, costliest first."""
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
