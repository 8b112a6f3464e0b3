"""Who is connected to which process, and when a seat was last seen, where several share a database.

One process alone knows all this by itself, and writes nothing of it down.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sqlalchemy import delete, func, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from number_duels.core.game import Seat
from number_duels.web.db.tables import Values, among, last_seen, presence, spectators


@dataclass(frozen=True)
class Attendance:
    """Who looks at a game: the seats that are connected, and how many spectators."""

    seats: frozenset[Seat] = frozenset()
    watching: int = 0
    #: When a seat was last connected or asked for something, by the clock of the database.
    last_seen: Mapping[Seat, int] = field(default_factory=dict)


async def write_attendance(
    connection: AsyncConnection, process: int, found: Mapping[str, Attendance]
) -> None:
    """Replace what a process has said of some games."""
    ids = list(found)
    seats: list[Values] = []
    watchers: list[Values] = []
    seen: list[Values] = []
    # In one order, so that two processes never wait for each other.
    for game, here in sorted(found.items()):
        seats += [{"process": process, "game": game, "seat": int(seat)} for seat in here.seats]
        seen += [
            {"game": game, "seat": int(s), "at": at} for s, at in sorted(here.last_seen.items())
        ]
        if here.watching:
            watchers.append({"process": process, "game": game, "number": here.watching})
    for table, rows in ((presence, seats), (spectators, watchers)):
        mine = table.c.process == process
        await connection.execute(delete(table).where(mine, among(connection, table.c.game, ids)))
        if rows:
            await connection.execute(insert(table), rows)
    if seen:
        insertion = upsert(last_seen)
        later = func.greatest(last_seen.c.at, insertion.excluded.at)
        await connection.execute(
            insertion.on_conflict_do_update(index_elements=["game", "seat"], set_={"at": later}),
            seen,
        )


async def read_attendance(
    connection: AsyncConnection, process: int, ids: Collection[str]
) -> dict[str, Attendance]:
    """Who is connected to other processes than one, and when each seat was last seen."""
    there = defaultdict[str, set[Seat]](set)
    seen = defaultdict[str, dict[Seat, int]](dict)
    for row in await connection.execute(
        select(presence).where(
            among(connection, presence.c.game, ids), presence.c.process != process
        )
    ):
        there[row.game].add(Seat(row.seat))
    for row in await connection.execute(
        select(last_seen).where(among(connection, last_seen.c.game, ids))
    ):
        seen[row.game][Seat(row.seat)] = row.at
    watching = await connection.execute(
        select(spectators.c.game, func.sum(spectators.c.number).label("number"))
        .where(among(connection, spectators.c.game, ids), spectators.c.process != process)
        .group_by(spectators.c.game)
    )
    counts = {row.game: int(row.number) for row in watching}
    return {
        game: Attendance(frozenset(there[game]), counts.get(game, 0), seen[game]) for game in ids
    }
