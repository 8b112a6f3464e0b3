"""The tables as the last migration leaves them, and a game as their rows."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Integer,
    MetaData,
    Row,
    String,
    Table,
    Text,
    any_,
    literal,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection

from number_duels.core.game import Seat
from number_duels.web.db.stored_game import Event, EventKind, SeatHolder, StoredGame

Values = dict[str, object]

#: For statements alone: `migrations.py` makes the tables, with their keys and constraints.
metadata = MetaData()
games = Table(
    "games",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("settings", Text, nullable=False),
    Column("deal", Text),
    Column("name_one", Text, nullable=False),
    Column("name_two", Text, nullable=False),
    Column("who_one", String(64), nullable=False),
    Column("who_two", String(64), nullable=False),
    Column("token_one", String(64)),
    Column("token_two", String(64)),
    Column("started", String(32), nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("has_known_cards", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("previous", String(64)),
    Column("rematch", String(64)),
    # As text: it is larger than any integer of a database.
    Column("seed", Text, nullable=False),
    Column("profile_one", String(64)),
    Column("profile_two", String(64)),
    # The series so far, before this game.
    Column("wins_one", Integer, nullable=False),
    Column("wins_two", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
)
events = Table(
    "events",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("turn", Integer),
    Column("seat", Integer),
    Column("text", Text, nullable=False),
)
#: Which seats are connected to which process, where several share a database.
presence = Table(
    "presence",
    metadata,
    Column("process", BigInteger, primary_key=True, autoincrement=False),
    Column("game", String(64), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
)
#: How many spectators are connected to which process.
spectators = Table(
    "spectators",
    metadata,
    Column("process", BigInteger, primary_key=True, autoincrement=False),
    Column("game", String(64), primary_key=True),
    Column("number", Integer, nullable=False),
)
#: When a seat was last connected to any process or asked one for something.
last_seen = Table(
    "last_seen",
    metadata,
    Column("game", String(64), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)
#: One row: the clock of the database, and when by the machine's clock it was last looked at.
clock = Table(
    "clock",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("now", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("looks", BigInteger, nullable=False),
)
profiles = Table(
    "profiles",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", String(32), nullable=False),
)
#: The browsers that have a profile, each by the digest of its own token.
devices = Table(
    "devices",
    metadata,
    Column("token", String(64), primary_key=True),
    Column("profile", String(64), nullable=False),
    Column("expires_at", BigInteger, nullable=False),
)
transfer_codes = Table(
    "transfer_codes",
    metadata,
    Column("profile", String(64), primary_key=True),
    Column("code", String(64), nullable=False),
    Column("expires_at", BigInteger, nullable=False),
)
#: How the games of profiles ended; what is known of a game when it has been removed.
results = Table(
    "results",
    metadata,
    Column("profile", String(64), primary_key=True),
    Column("game", String(64), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("finished_at", BigInteger, nullable=False),
    Column("started", String(32), nullable=False),
    Column("name", String(64), nullable=False),
    Column("settings", Text, nullable=False),
    Column("name_one", Text, nullable=False),
    Column("name_two", Text, nullable=False),
    Column("opponent", String(64), nullable=False),
    Column("result", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    #: What its decisions cost, or why that is not known; neither before it is worked out.
    Column("figures", Text),
    Column("ungraded", Text),
    #: Whether its mistakes are in the book of the profile.
    Column("in_book", Boolean, nullable=False),
)
#: What profiles have learned: the events of their books, one JSON object each.
training_events = Table(
    "training_events",
    metadata,
    Column("profile", String(64), primary_key=True),
    Column("id", String(64), primary_key=True),
    Column("time", BigInteger, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("game", String(64), nullable=False),
    Column("text", Text, nullable=False),
)

#: What may change about a game once it is written down.
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
    one, two = stored.seats
    return {
        "id": stored.id,
        "name": stored.name,
        "settings": json.dumps(dict(stored.settings)),
        "deal": stored.deal,
        "seed": str(stored.seed),
        "name_one": one.name,
        "name_two": two.name,
        "who_one": one.who,
        "who_two": two.who,
        "token_one": one.token,
        "token_two": two.token,
        "started": stored.started,
        "updated_at": stored.updated_at,
        "has_known_cards": stored.has_known_cards,
        "version": stored.version,
        "over": stored.over,
        "previous": stored.previous,
        "rematch": stored.rematch,
        "profile_one": one.profile,
        "profile_two": two.profile,
        "wins_one": stored.wins[0],
        "wins_two": stored.wins[1],
        "draws": stored.draws,
    }


def event_rows(before: StoredGame, after: StoredGame) -> list[Values]:
    """The events that came since."""
    return [
        {
            "game": after.id,
            "number": number,
            "kind": event.kind.value,
            "turn": event.turn,
            "seat": None if event.seat is None else int(event.seat),
            "text": event.text,
        }
        for number, event in enumerate(after.events)
        if number >= len(before.events)
    ]


def read_game(
    row: Row[tuple[object, ...]], event_rows: Iterable[Row[tuple[object, ...]]]
) -> StoredGame:
    found = row._asdict()
    one, two = (
        SeatHolder(*(found.pop(f"{what}_{number}") for what in ("name", "who", "token", "profile")))
        for number in ("one", "two")
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


def among(
    connection: AsyncConnection | Connection, column: Column[str], values: Collection[str]
) -> ColumnElement[bool]:
    """Whether a column is one of some values."""
    if connection.dialect.name != "postgresql":
        return column.in_(values)
    # One statement for any number of values, so that the server prepares it once.
    return column == any_(literal(list(values), ARRAY(String)))
