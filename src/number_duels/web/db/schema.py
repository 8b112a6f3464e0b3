"""The database tables, and functions that create them and turn games into rows."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from time import time
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Row,
    Select,
    String,
    Table,
    Text,
    any_,
    func,
    insert,
    inspect,
    literal,
    literal_column,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import TypeEngine

from number_duels.core.game import Seat
from number_duels.web.db.stored_game import Event, EventKind, SeatHolder, StoredGame
from number_duels.web.errors import SchemaTooNew

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")
Values = dict[str, object]

#: A database with another version is refused.
VERSION = 1
#: The key of the lock for creating tables. Any number that nothing else uses would do.
ADVISORY_LOCK_KEY = 0x6475656C73
POSTGRES_NOW = "CAST(extract(epoch FROM clock_timestamp()) AS BIGINT)"
ID, TEXT, DATE, TIME, NUMBER, YES_NO = (
    String(64),
    Text(),
    String(32),
    BigInteger(),
    Integer(),
    Boolean(),
)


def key(kind: TypeEngine[T], *names: str) -> list[Column[T]]:
    return [Column(name, kind, primary_key=True, autoincrement=False) for name in names]


def needed(kind: TypeEngine[T], *names: str) -> list[Column[T]]:
    return [Column(name, kind, nullable=False) for name in names]


def optional(kind: TypeEngine[T], *names: str) -> list[Column[T]]:
    return [Column(name, kind) for name in names]


metadata = MetaData()
schema_version = Table("schema_version", metadata, *key(NUMBER, "version"))
games = Table(
    "games",
    metadata,
    *key(ID, "id"),
    *needed(ID, "name", "who_one", "who_two"),
    # A seed does not fit into a database integer.
    *needed(TEXT, "settings", "name_one", "name_two", "seed"),
    *needed(DATE, "started"),
    *needed(TIME, "updated_at"),
    *needed(YES_NO, "has_known_cards", "over"),
    *needed(NUMBER, "version", "wins_one", "wins_two", "draws"),
    *optional(TEXT, "deal"),
    *optional(ID, "token_one", "token_two", "profile_one", "profile_two"),
    Column("previous", ID, unique=True),
    Column("rematch", ID, unique=True),
)
events = Table(
    "events",
    metadata,
    Column("game", ID, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    *key(NUMBER, "number"),
    Column(
        "kind",
        String(16),
        CheckConstraint("kind IN ('move', 'draw', 'resignation')"),
        nullable=False,
    ),
    Column("turn", Integer),
    Column("seat", Integer, CheckConstraint("seat IN (0, 1)")),
    *needed(TEXT, "text"),
)
#: One row with the database's clock, and the machine's time when the clock was last read.
clock = Table("clock", metadata, *key(NUMBER, "id"), *needed(TIME, "now", "seen", "looks"))
profiles = Table(
    "profiles", metadata, *key(ID, "id"), *needed(TEXT, "name"), *needed(DATE, "created")
)
#: The browsers of profiles. `token` is the digest of the browser's token.
devices = Table(
    "devices",
    metadata,
    *key(ID, "token"),
    Column(
        "profile", ID, ForeignKey("profiles.id", ondelete="CASCADE"), nullable=False, index=True
    ),
    Column("expires_at", BigInteger, nullable=False, index=True),
)
transfer_codes = Table(
    "transfer_codes",
    metadata,
    Column("profile", ID, ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
    Column("code", ID, nullable=False, unique=True),
    *needed(TIME, "expires_at"),
)
#: Results of profiles' games, written with the move that ends a game. They outlive the game, so
#: they have no foreign keys.
results = Table(
    "results",
    metadata,
    *key(ID, "profile", "game"),
    Column("seat", Integer, CheckConstraint("seat IN (0, 1)"), primary_key=True),
    Column("finished_at", BigInteger, nullable=False, index=True),
    *needed(DATE, "started"),
    *needed(ID, "name", "opponent"),
    *needed(TEXT, "settings", "name_one", "name_two", "reason"),
    *needed(String(16), "result"),
    # The cost of the decisions, or why it is unknown. Both are null before grading.
    *optional(TEXT, "figures", "ungraded"),
    *needed(YES_NO, "in_book"),
)
training_events = Table(
    "training_events",
    metadata,
    Column("profile", ID, ForeignKey("profiles.id", ondelete="CASCADE"), primary_key=True),
    *key(ID, "id"),
    *needed(TIME, "time"),
    Column(
        "kind", String(16), CheckConstraint("kind IN ('add', 'answer', 'remove')"), nullable=False
    ),
    *needed(ID, "game"),
    *needed(TEXT, "text"),
    Index("training_events_of_profile", "profile", "time"),
)


def partial_index(
    name: str, where: ColumnElement[bool], *columns: Column[object], unique: bool = False
) -> None:
    Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


# These indexes find games to remove, and a profile's games, without reading all games.
partial_index("games_unfinished", ~games.c.over, games.c.updated_at)
partial_index("games_finished", games.c.over == true(), games.c.updated_at)
partial_index("games_profile_one", games.c.profile_one.is_not(None), games.c.profile_one)
partial_index("games_profile_two", games.c.profile_two.is_not(None), games.c.profile_two)
# Even concurrent processes can add only one move per seat and turn, and one resignation per game.
partial_index(
    "events_one_choice",
    events.c.kind == literal_column("'move'"),
    events.c.game,
    events.c.turn,
    events.c.seat,
    unique=True,
)
partial_index(
    "events_one_resignation",
    events.c.kind == literal_column("'resignation'"),
    events.c.game,
    unique=True,
)
Index("results_of_profile", results.c.profile, results.c.finished_at)
partial_index(
    "results_waiting",
    results.c.figures.is_(None) & results.c.ungraded.is_(None),
    results.c.finished_at,
)


#: Losing these tables does no harm, so PostgreSQL need not log them. With SQLite, the only process
#: knows all connections.
shared_metadata = MetaData()
UNLOGGED = ["UNLOGGED"]
WATCHING = -1
presence = Table(
    "presence",
    shared_metadata,
    *key(TIME, "process"),
    Column("game", ID, primary_key=True, index=True),
    *key(NUMBER, "seat"),
    *needed(NUMBER, "number"),
    prefixes=UNLOGGED,
)
last_seen = Table(
    "last_seen",
    shared_metadata,
    *key(ID, "game"),
    *key(NUMBER, "seat"),
    *needed(TIME, "at"),
    prefixes=UNLOGGED,
)


def create_tables(connection: Connection) -> None:
    shared = connection.dialect.name == "postgresql"
    if shared:
        # On SQLite, the transaction itself keeps other writers out.
        connection.execute(select(func.pg_advisory_xact_lock(ADVISORY_LOCK_KEY)))
    present = inspect(connection)
    if present.has_table(schema_version.name):
        version = connection.execute(select(func.max(schema_version.c.version))).scalar()
        if version != VERSION:
            raise SchemaTooNew(
                "The database was made by a newer version of Number Duels (its tables have version"
                f" {version}, but this program supports version {VERSION}); update Number Duels"
            )
        return
    if present.has_table(games.name):
        raise SchemaTooNew(
            "The database was made by an unreleased version of Number Duels, or by another"
            " program; choose another database with --database"
        )
    metadata.create_all(connection)
    if shared:
        shared_metadata.create_all(connection)
    now = literal_column(POSTGRES_NOW) if shared else literal(int(time()))
    connection.execute(insert(clock).values(id=1, now=now, seen=now, looks=0))
    connection.execute(insert(schema_version).values(version=VERSION))


NUMBERS = "one", "two"
CHANGING_COLUMNS = (
    "name_one",
    "name_two",
    "token_one",
    "token_two",
    "updated_at",
    "version",
    "over",
    "rematch",
    "profile_one",
    "profile_two",
)


def game_row(stored: StoredGame) -> Values:
    row = {**vars(stored), "settings": json.dumps(dict(stored.settings)), "seed": str(stored.seed)}
    del row["seats"], row["events"], row["wins"]
    for number, holder, wins in zip(NUMBERS, stored.seats, stored.wins, strict=True):
        row |= {f"{what}_{number}": value for what, value in vars(holder).items()}
        row[f"wins_{number}"] = wins
    return row


def event_rows(before: StoredGame, after: StoredGame) -> list[Values]:
    return [
        {"game": after.id, "number": number, **vars(event)}
        for number, event in enumerate(after.events)
        if number >= len(before.events)
    ]


def read_game(
    row: Row[tuple[object, ...]], event_rows: Iterable[Row[tuple[object, ...]]]
) -> StoredGame:
    found = row._asdict()
    one, two = (
        SeatHolder(*(found.pop(f"{what}_{number}") for what in ("name", "who", "token", "profile")))
        for number in NUMBERS
    )
    wins = found.pop("wins_one"), found.pop("wins_two")
    settings, seed = json.loads(found.pop("settings")), int(found.pop("seed"))
    happened = tuple(
        Event(EventKind(e.kind), None if e.seat is None else Seat(e.seat), e.turn, e.text)
        for e in event_rows
    )
    return StoredGame(
        seats=(one, two), settings=settings, seed=seed, wins=wins, events=happened, **found
    )


async def read_games(
    connection: AsyncConnection, wanted: Select[tuple[object, ...]]
) -> list[StoredGame]:
    rows = (await connection.execute(wanted)).all()
    happened = defaultdict[str, list[Row[tuple[object, ...]]]](list)
    mine = among(connection, events.c.game, [row.id for row in rows])
    for row in await connection.execute(
        select(events).where(mine).order_by(events.c.game, events.c.number)
    ):
        happened[row.game].append(row)
    return [read_game(row, happened[row.id]) for row in rows]


async def count_rows(connection: AsyncConnection, table: Table, *which: ColumnElement[bool]) -> int:
    counted = select(func.count()).select_from(table).where(*which)
    return (await connection.execute(counted)).scalar() or 0


def among(
    connection: AsyncConnection | Connection, column: Column[str], values: Collection[str]
) -> ColumnElement[bool]:
    if connection.dialect.name != "postgresql":
        return column.in_(values)
    # The statement is the same for any number of values, so the server prepares it only once.
    return column == any_(literal(list(values), ARRAY(String)))
