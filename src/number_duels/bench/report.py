"""The report of a bench: all figures, what is behind them, and how they were found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from number_duels.arena.report import finite
from number_duels.bench.figures import GameFigures, figures_of
from number_duels.bench.header import Header
from number_duels.bench.results import Results
from number_duels.bench.stated import Comparison, comparisons
from number_duels.bench.suite import PLAYER
from number_duels.review.position import AnySolution

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
