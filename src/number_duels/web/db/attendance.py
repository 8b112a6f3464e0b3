"""Who is connected to which process, and when a seat was last seen, where several share a database.

One process alone knows all this by itself, and writes nothing of it down.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sqlalchemy import BigInteger, Integer, cast, delete, func, insert, null, select, union_all
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.base import Executable

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
        seats.extend({"process": process, "game": game, "seat": int(s)} for s in here.seats)
        seen.extend(
            {"game": game, "seat": int(s), "at": at} for s, at in sorted(here.last_seen.items())
        )
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
    seats = defaultdict[str, set[Seat]](set)
    seen = defaultdict[str, dict[Seat, int]](dict)
    watching = Counter[str]()
    no_seat, nothing = cast(null(), Integer), cast(null(), BigInteger)
    # In one statement, as this is read with every change that another process makes.
    everything: Executable = union_all(
        select(presence.c.game, presence.c.seat, nothing, nothing).where(
            among(connection, presence.c.game, ids), presence.c.process != process
        ),
        select(spectators.c.game, no_seat, spectators.c.number, nothing).where(
            among(connection, spectators.c.game, ids), spectators.c.process != process
        ),
        select(last_seen.c.game, last_seen.c.seat, nothing, last_seen.c.at).where(
            among(connection, last_seen.c.game, ids)
        ),
    )
    for game, seat, number, at in await connection.execute(everything):
        if seat is None:
            watching[game] += number
        elif at is None:
            seats[game].add(Seat(seat))
        else:
            seen[game][Seat(seat)] = at
    return {game: Attendance(frozenset(seats[game]), watching[game], seen[game]) for game in ids}
