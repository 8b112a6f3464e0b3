"""How the games of profiles ended: what is left of a game when it has been removed."""

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

#: How many results are removed in one transaction.
MAX_RESULTS_PER_BATCH = 1000


@dataclass(frozen=True)
class GameResult:
    """How a game ended for the profile in one of its seats."""

    profile: str
    game: str
    seat: Seat
    finished_at: int
    started: str
    name: str
    settings: Mapping[str, int | str]
    names: tuple[str, str]
    #: Who sat in the other seat: `human`, or a word for a computer.
    opponent: str
    result: str
    reason: str
    #: What its decisions cost, as JSON, or why that is not known; neither: not worked out yet.
    figures: str | None = None
    ungraded: str | None = None
    #: Whether its mistakes are in the book of the profile.
    in_book: bool = False
    #: Whether the game itself is still there.
    kept: bool = True


@dataclass(frozen=True)
class WaitingGame:
    """A game whose decisions are to be graded, for one of its profiles."""

    game: str
    profile: str
    #: What its solution depends on: the name of the game, and its settings as JSON.
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
    """The results of one database."""

    def __init__(self, store: GameRepository) -> None:
        self.store = store

    async def newest(self, profile: str, most: int) -> list[GameResult]:
        """The last results of a profile, the newest first."""
        wanted = (
            select(results, games.c.id.is_not(None).label("kept"))
            .outerjoin(games, games.c.id == results.c.game)
            .where(results.c.profile == profile)
            .order_by(results.c.finished_at.desc(), results.c.game)
            .limit(most)
        )
        return [read_result(row) for row in await self.store.rows(wanted)]

    async def ungraded_games(self, most: int) -> list[WaitingGame]:
        """Games to grade: the newest of each profile, then the second of each, and so on."""
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
        """Keep what the decisions of each seat of a game cost."""
        mine = update(results).where(results.c.game == game)
        await self.store.execute(
            *(mine.where(results.c.seat == s).values(figures=text) for s, text in figures.items())
        )

    async def set_ungraded(self, game: str, reason: str) -> None:
        """Keep why it is not known what the decisions of a game cost."""
        mine = results.c.game == game
        await self.store.execute(update(results).where(mine).values(ungraded=reason))

    async def remove_beyond(self, most: int) -> None:
        """Remove the oldest of too many results."""
        while True:
            async with self.store.transaction() as connection:
                excess = await count_rows(connection, results) - most
                excess = min(excess, MAX_RESULTS_PER_BATCH)
                if excess <= 0:
                    return
                oldest = select(results.c.finished_at).order_by(results.c.finished_at)
                last = oldest.offset(excess - 1).limit(1).scalar_subquery()
                await connection.execute(delete(results).where(results.c.finished_at <= last))
