"""Results of profiles' games, kept even after the games are removed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Row, delete, func, select, update

from number_duels.core.game import Seat
from number_duels.web.db.schema import Values, count_rows, games, results

if TYPE_CHECKING:
    from number_duels.web.db.repository import GameRepository

MAX_RESULTS_PER_BATCH = 1000


@dataclass(frozen=True)
class GameResult:
    profile: str
    game: str
    seat: Seat
    finished_at: int
    started: str
    name: str
    settings: Mapping[str, int | str]
    names: tuple[str, str]
    opponent: str
    result: str
    reason: str
    #: The cost of the decisions as JSON. None before grading.
    figures: str | None = None
    ungraded: str | None = None
    in_book: bool = False
    kept: bool = True


@dataclass(frozen=True)
class WaitingGame:
    game: str
    profile: str
    #: The game's name, and its settings as JSON. Games with equal rules share a solution.
    rules: tuple[str, str]


def result_row(one: GameResult) -> Values:
    row = {**vars(one), "settings": json.dumps(dict(one.settings))}
    row["name_one"], row["name_two"] = row.pop("names")
    del row["kept"]
    return row


def read_result(row: Row[tuple[object, ...]]) -> GameResult:
    found = row._asdict()
    names = found.pop("name_one"), found.pop("name_two")
    settings, seat = json.loads(found.pop("settings")), Seat(found.pop("seat"))
    return GameResult(settings=settings, seat=seat, names=names, **found)


class ResultRepository:
    def __init__(self, store: GameRepository) -> None:
        self.store = store

    async def newest(self, profile: str, most: int) -> list[GameResult]:
        wanted = (
            select(results, games.c.id.is_not(None).label("kept"))
            .outerjoin(games, games.c.id == results.c.game)
            .where(results.c.profile == profile)
            # If two games ended in the same second, the one that started later comes first.
            .order_by(results.c.finished_at.desc(), results.c.started.desc(), results.c.game)
            .limit(most)
        )
        return [read_result(row) for row in await self.store.rows(wanted)]

    async def ungraded_games(self, most: int) -> list[WaitingGame]:
        """Return up to `most` games that wait to be graded, the newest of each profile first."""
        waiting = results.c.figures.is_(None) & results.c.ungraded.is_(None)
        newest = results.c.finished_at.desc(), results.c.game
        turn = func.row_number().over(partition_by=results.c.profile, order_by=newest)
        wanted = (
            select(results.c.game, results.c.profile, results.c.name, results.c.settings)
            .where(waiting)
            .order_by(turn, *newest)
            .limit(most)
        )
        return [
            WaitingGame(row.game, row.profile, (row.name, row.settings))
            for row in await self.store.rows(wanted)
        ]

    async def set_figures(self, game: str, figures: Mapping[Seat, str]) -> None:
        mine = update(results).where(results.c.game == game)
        await self.store.execute(
            *(mine.where(results.c.seat == s).values(figures=text) for s, text in figures.items())
        )

    async def set_ungraded(self, game: str, reason: str) -> None:
        mine = results.c.game == game
        await self.store.execute(update(results).where(mine).values(ungraded=reason))

    async def remove_beyond(self, most: int) -> None:
        while True:
            async with self.store.transaction() as connection:
                excess = await count_rows(connection, results) - most
                excess = min(excess, MAX_RESULTS_PER_BATCH)
                if excess <= 0:
                    return
                oldest = select(results.c.finished_at).order_by(results.c.finished_at)
                last = oldest.offset(excess - 1).limit(1).scalar_subquery()
                await connection.execute(delete(results).where(results.c.finished_at <= last))
