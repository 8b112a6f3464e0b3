"""The tables of the store, and how a game is laid out in their rows."""

from __future__ import annotations

import json
from collections.abc import Collection

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    ForeignKey,
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
from number_duels.web.db.stored_game import Chair, Draw, Ledger, Move

metadata = MetaData()

Values = dict[str, object]


def game_id() -> Column[str]:
    """The column by which everything belongs to a game."""
    return Column("game", ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)


games = Table(
    "games",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("settings", Text, nullable=False),
    Column("deal", Text),
    Column("seed", BigInteger, nullable=False),
    Column("name_one", Text, nullable=False),
    Column("name_two", Text, nullable=False),
    Column("who_one", String(64), nullable=False),
    Column("who_two", String(64), nullable=False),
    Column("token_one", String(64)),
    Column("token_two", String(64)),
    Column("started", String(32), nullable=False),
    Column("touched", BigInteger, nullable=False, index=True),
    Column("arranged", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("previous", String(64), unique=True),
    Column("rematch", String(64), unique=True),
)
moves = Table(
    "moves",
    metadata,
    game_id(),
    Column("turn", Integer, primary_key=True),
    Column("seat", Integer, CheckConstraint("seat IN (0, 1)"), primary_key=True),
    Column("move", Text, nullable=False),
)
draws = Table(
    "draws",
    metadata,
    game_id(),
    Column("number", Integer, primary_key=True),
    Column("turn", Integer, nullable=False),
    Column("seat", Integer),
    Column("event", Text, nullable=False),
)
resignations = Table(
    "resignations",
    metadata,
    game_id(),
    Column("seat", Integer, nullable=False),
)
#: Which seats are connected to which process, where several share a database. Nothing is lost
#: with it, so PostgreSQL need not log it.
people = Table(
    "people",
    metadata,
    Column("process", BigInteger, primary_key=True, autoincrement=False),
    Column("game", String(64), primary_key=True, index=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    prefixes=["UNLOGGED"],
)


#: What may change about a game once it is written down.
CHANGING = (
    "name_one",
    "name_two",
    "token_one",
    "token_two",
    "touched",
    "version",
    "over",
    "rematch",
)


def game_row(ledger: Ledger) -> Values:
    """A game as its row."""
    one, two = ledger.chairs
    return {
        "id": ledger.id,
        "name": ledger.name,
        "settings": json.dumps(dict(ledger.settings)),
        "deal": ledger.deal,
        "seed": ledger.seed,
        "name_one": one.name,
        "name_two": two.name,
        "who_one": one.who,
        "who_two": two.who,
        "token_one": one.token,
        "token_two": two.token,
        "started": ledger.started,
        "touched": ledger.touched,
        "arranged": ledger.arranged,
        "version": ledger.version,
        "over": ledger.over,
        "previous": ledger.previous,
        "rematch": ledger.rematch,
    }


def move_rows(before: Ledger, after: Ledger) -> list[Values]:
    """The choices that came since."""
    return [
        {"game": after.id, "turn": move.turn, "seat": int(move.seat), "move": move.text}
        for move in after.moves[len(before.moves) :]
    ]


def draw_rows(before: Ledger, after: Ledger) -> list[Values]:
    """The cards that were drawn since."""
    return [
        {
            "game": after.id,
            "number": number,
            "turn": draw.turn,
            "seat": None if draw.seat is None else int(draw.seat),
            "event": draw.text,
        }
        for number, draw in enumerate(after.draws)
        if number >= len(before.draws)
    ]


def read_ledger(
    row: Row[tuple[object, ...]],
    chosen: tuple[Move, ...],
    drawn: tuple[Draw, ...],
    resigned: Seat | None,
) -> Ledger:
    """A game from its rows."""
    found = dict(row._mapping)
    one = Chair(found.pop("name_one"), found.pop("who_one"), found.pop("token_one"))
    two = Chair(found.pop("name_two"), found.pop("who_two"), found.pop("token_two"))
    settings = json.loads(found.pop("settings"))
    return Ledger(
        chairs=(one, two),
        settings=settings,
        moves=chosen,
        draws=drawn,
        resigned=resigned,
        **found,
    )


def seat_or_none(number: int | None) -> Seat | None:
    """A seat from its column."""
    return None if number is None else Seat(number)


def among(
    connection: AsyncConnection, column: Column[str], values: Collection[str]
) -> ColumnElement[bool]:
    """Whether a column is one of some values."""
    if connection.dialect.name != "postgresql":
        return column.in_(values)
    # One statement however many they are, so that the server prepares it once.
    return column == any_(literal(list(values), ARRAY(String)))
