"""What one transaction writes: changes to games, new games and results, all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, bindparam, insert, select, update

from number_duels.web.db.notify import GameNotice, announce
from number_duels.web.db.results import GameResult, result_row
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.db.tables import (
    CHANGING_COLUMNS,
    Values,
    among,
    event_rows,
    events,
    game_row,
    games,
    profiles,
    results,
)

UPDATE_IF_UNCHANGED = (
    update(games)
    .where(games.c.id == bindparam("seen_id"), games.c.version == bindparam("seen_version"))
    .values({name: bindparam(name) for name in CHANGING_COLUMNS})
)


@dataclass(frozen=True)
class WriteRequest:
    """A change to a game (as it was read and as it is to be), a new game, or both.

    A change that ends a game has the results of those who have a profile.
    """

    change: tuple[StoredGame, StoredGame] | None = None
    new: StoredGame | None = None
    results: tuple[GameResult, ...] = ()

    @property
    def changes(self) -> str | None:
        """The game that it changes."""
        return self.change[0].id if self.change else None


def write_all(connection: Connection, requests: Sequence[WriteRequest]) -> set[str]:
    """Write requests; the games that were not as they were seen, and so are left out."""
    # Before the games, as whoever forgets a profile does it.
    known = hold_profiles(connection, requests)
    stale = find_stale(connection, [each.change[0] for each in requests if each.change])
    fitting = [request for request in requests if request.changes not in stale]
    changes = [request.change for request in fitting if request.change]
    if changes:
        connection.execute(UPDATE_IF_UNCHANGED, [change_values(*change) for change in changes])
    started = [request.new for request in fitting if request.new]
    new_games = [game_row(new) for new in started]
    # A game may begin with what was played in another.
    written = [*changes, *((replace(new, events=()), new) for new in started)]
    new_events = [row for change in written for row in event_rows(*change)]
    ended = [one for request in fitting for one in request.results]
    new_results = [result_row(one) for one in ended if one.profile in known]
    for table, rows in ((games, new_games), (events, new_events), (results, new_results)):
        if rows:
            connection.execute(insert(table), rows)
    announce(connection, [GameNotice(after.id, version=after.version) for _, after in changes])
    return stale


def hold_profiles(connection: Connection, requests: Sequence[WriteRequest]) -> set[str]:
    """The profiles with results that there are; none of them goes before the commit.

    A game may have one that was forgotten while it was being made.
    """
    wanted = {one.profile for request in requests for one in request.results}
    if not wanted:
        return set()
    rows = connection.execute(
        select(profiles.c.id)
        .where(among(connection, profiles.c.id, sorted(wanted)))
        .order_by(profiles.c.id)
        .with_for_update(read=True, key_share=True)
    )
    return {row.id for row in rows}


def find_stale(connection: Connection, seen: Sequence[StoredGame]) -> set[str]:
    """The games that have changed; the others are ours alone until the commit."""
    if not seen:
        return set()
    # In one order, so that two processes never wait for each other.
    ids = sorted(stored.id for stored in seen)
    found = connection.execute(
        select(games.c.id, games.c.version)
        .where(among(connection, games.c.id, ids))
        .order_by(games.c.id)
        .with_for_update()
    )
    versions = {row.id: row.version for row in found}
    return {stored.id for stored in seen if versions.get(stored.id) != stored.version}


def change_values(before: StoredGame, after: StoredGame) -> Values:
    row = game_row(after)
    changed = {name: row[name] for name in CHANGING_COLUMNS}
    return {**changed, "seen_id": before.id, "seen_version": before.version}
