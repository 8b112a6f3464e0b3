"""The steps by which a database comes to its present shape; each is taken once.

A small table says which steps were taken. They are taken in one transaction
under a lock, so that several processes may start at once on an empty database.
A step only adds: processes of the version before go on working beside it. This
is written by hand because a step is a few lines of SQLAlchemy: Alembic would
add a folder of scripts and an environment of its own to run two of them.
"""

from __future__ import annotations

from collections.abc import Callable
from time import time

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    MetaData,
    Table,
    func,
    insert,
    select,
)

from number_duels.web.db.tables import draws, games, metadata, moves, people, resignations
from number_duels.web.errors import Newer

#: The name of the lock; any number that nobody else in the database uses.
LOCK = 0x6475656C73
taken = Table(
    "schema_steps",
    MetaData(),
    Column("step", Integer, primary_key=True, autoincrement=False),
    Column("taken", BigInteger, nullable=False),
)


def first_tables(connection: Connection) -> None:
    """Games, moves, draws and resignations; a database from before steps were counted has them."""
    metadata.create_all(connection, tables=[games, moves, draws, resignations])


def who_is_there(connection: Connection) -> None:
    """Who is connected to which process; SQLite serves one, which knows by itself."""
    if connection.dialect.name == "postgresql":
        metadata.create_all(connection, tables=[people])


def abandoned_games(connection: Connection) -> None:
    """To find the abandoned games without reading all that were ever finished."""
    unfinished = "NOT over" if connection.dialect.name == "postgresql" else "over = 0"
    connection.exec_driver_sql(
        f"CREATE INDEX IF NOT EXISTS games_unfinished ON games (touched) WHERE {unfinished}"
    )


STEPS: tuple[Callable[[Connection], None], ...] = (first_tables, who_is_there, abandoned_games)


def migrate(connection: Connection) -> None:
    """Take the steps that were not taken; Newer if there are more than we know."""
    if connection.dialect.name == "postgresql":
        # On SQLite the transaction is the only one that writes from its beginning.
        connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
    taken.create(connection, checkfirst=True)
    done = connection.execute(select(func.max(taken.c.step))).scalar() or 0
    if done > len(STEPS):
        raise Newer(
            f"The database was made by a newer Number Duels (step {done}, and this one knows"
            f" {len(STEPS)}); update this one"
        )
    for number, step in enumerate(STEPS[done:], done + 1):
        step(connection)
        connection.execute(insert(taken).values(step=number, taken=int(time())))
