"""The steps by which a database comes to its present shape; each is taken once.

A small table says which steps were taken. They are taken in one transaction
under a lock, so that several processes may start at once on an empty database.
A step is SQL that never changes again: a new database takes the same steps as
one that has been in use since the first. This is written by hand because a step
is a few statements: Alembic would add a folder of scripts and an environment of
its own to run a handful of them.
"""

from __future__ import annotations

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

from number_duels.web.errors import SchemaTooNew

#: The key of the advisory lock; any number that nobody else in the database uses.
ADVISORY_LOCK_KEY = 0x6475656C73
schema_steps = Table(
    "schema_steps",
    MetaData(),
    Column("step", Integer, primary_key=True, autoincrement=False),
    Column("taken", BigInteger, nullable=False),
)

#: A database from before steps were counted has these already.
FIRST_TABLES = (
    """
CREATE TABLE IF NOT EXISTS games (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    name VARCHAR(64) NOT NULL,
    settings TEXT NOT NULL,
    deal TEXT,
    seed BIGINT NOT NULL,
    name_one TEXT NOT NULL,
    name_two TEXT NOT NULL,
    who_one VARCHAR(64) NOT NULL,
    who_two VARCHAR(64) NOT NULL,
    token_one VARCHAR(64),
    token_two VARCHAR(64),
    started VARCHAR(32) NOT NULL,
    touched BIGINT NOT NULL,
    arranged BOOLEAN NOT NULL,
    version INTEGER NOT NULL,
    over BOOLEAN NOT NULL,
    previous VARCHAR(64),
    rematch VARCHAR(64),
    UNIQUE (previous),
    UNIQUE (rematch))""",
    "CREATE INDEX IF NOT EXISTS ix_games_touched ON games (touched)",
    """
CREATE TABLE IF NOT EXISTS moves (
    game VARCHAR(64) NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    turn INTEGER NOT NULL,
    seat INTEGER NOT NULL CHECK (seat IN (0, 1)),
    move TEXT NOT NULL,
    PRIMARY KEY (game, turn, seat))""",
    """
CREATE TABLE IF NOT EXISTS draws (
    game VARCHAR(64) NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    seat INTEGER,
    event TEXT NOT NULL,
    PRIMARY KEY (game, number))""",
    """
CREATE TABLE IF NOT EXISTS resignations (
    game VARCHAR(64) NOT NULL PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL)""",
)
#: Who is connected to which process; nothing is lost with it, so PostgreSQL need not log it.
PEOPLE = (
    """
CREATE UNLOGGED TABLE IF NOT EXISTS people (
    process BIGINT NOT NULL,
    game VARCHAR(64) NOT NULL,
    seat INTEGER NOT NULL,
    PRIMARY KEY (process, game, seat))""",
    "CREATE INDEX IF NOT EXISTS ix_people_game ON people (game)",
)
#: To find the abandoned games without reading all that were ever finished.
UNFINISHED_INDEX = "CREATE INDEX IF NOT EXISTS games_unfinished ON games (touched) WHERE "
#: One list of events; the older tables go, so that a process that would still write to them fails.
EVENTS = (
    """
CREATE TABLE events (
    game VARCHAR(64) NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    kind VARCHAR(16) NOT NULL CHECK (kind IN ('move', 'draw', 'resignation')),
    turn INTEGER,
    seat INTEGER CHECK (seat IN (0, 1)),
    text TEXT NOT NULL,
    PRIMARY KEY (game, number))""",
    """
INSERT INTO events (game, number, kind, turn, seat, text)
SELECT game, ROW_NUMBER() OVER (PARTITION BY game ORDER BY late, turn, place, n) - 1,
    kind, turn, seat, text
FROM (
    SELECT game, 'draw' AS kind, turn, seat, event AS text, 0 AS late, 0 AS place, number AS n
    FROM draws
    UNION ALL SELECT game, 'move', turn, seat, move, 0, 1, seat FROM moves
    UNION ALL SELECT game, 'resignation', CAST(NULL AS INTEGER), seat, '', 1, 0, 0
    FROM resignations) AS happened""",
    "CREATE UNIQUE INDEX events_one_choice ON events (game, turn, seat) WHERE kind = 'move'",
    "CREATE UNIQUE INDEX events_one_resignation ON events (game) WHERE kind = 'resignation'",
    "DROP TABLE moves",
    "DROP TABLE draws",
    "DROP TABLE resignations",
    "ALTER TABLE games RENAME COLUMN touched TO updated_at",
    "ALTER TABLE games RENAME COLUMN arranged TO has_known_cards",
)
PRESENCE = (
    "DROP TABLE people",
    """
CREATE UNLOGGED TABLE presence (
    process BIGINT NOT NULL,
    game VARCHAR(64) NOT NULL,
    seat INTEGER NOT NULL,
    PRIMARY KEY (process, game, seat))""",
    "CREATE INDEX presence_game ON presence (game)",
)

#: A seed has 128 bits, which no integer of a database holds.
LONG_SEEDS = (
    "ALTER TABLE games ADD COLUMN long_seed TEXT NOT NULL DEFAULT ''",
    "UPDATE games SET long_seed = CAST(seed AS TEXT)",
    "ALTER TABLE games DROP COLUMN seed",
    "ALTER TABLE games RENAME COLUMN long_seed TO seed",
)
#: The clock by which games expire. It begins where the games' times are.
CLOCK = (
    """
CREATE TABLE clock (
    id INTEGER NOT NULL PRIMARY KEY,
    now BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    looks BIGINT NOT NULL)""",
    "INSERT INTO clock (id, now, seen, looks) SELECT 1, t, t, 0 FROM (SELECT {now} AS t) AS here",
)
#: To find the finished games that are to be removed.
FINISHED_INDEX = "CREATE INDEX games_finished ON games (updated_at) WHERE "
#: People without accounts: a profile, the browsers that have it, and how its games ended. What ends
#: a game writes its results, so these refer to nothing that may be gone by then.
PROFILES = (
    """
CREATE TABLE profiles (
    id VARCHAR(64) NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    created VARCHAR(32) NOT NULL)""",
    """
CREATE TABLE devices (
    token VARCHAR(64) NOT NULL PRIMARY KEY,
    profile VARCHAR(64) NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL)""",
    "CREATE INDEX devices_profile ON devices (profile)",
    "CREATE INDEX devices_expires_at ON devices (expires_at)",
    """
CREATE TABLE transfer_codes (
    profile VARCHAR(64) NOT NULL PRIMARY KEY REFERENCES profiles (id) ON DELETE CASCADE,
    code VARCHAR(64) NOT NULL,
    expires_at BIGINT NOT NULL,
    UNIQUE (code))""",
    """
CREATE TABLE results (
    profile VARCHAR(64) NOT NULL,
    game VARCHAR(64) NOT NULL,
    seat INTEGER NOT NULL CHECK (seat IN (0, 1)),
    finished_at BIGINT NOT NULL,
    started VARCHAR(32) NOT NULL,
    name VARCHAR(64) NOT NULL,
    settings TEXT NOT NULL,
    name_one TEXT NOT NULL,
    name_two TEXT NOT NULL,
    opponent VARCHAR(64) NOT NULL,
    result VARCHAR(16) NOT NULL,
    reason TEXT NOT NULL,
    figures TEXT,
    ungraded TEXT,
    PRIMARY KEY (profile, game, seat))""",
    "CREATE INDEX results_of_profile ON results (profile, finished_at)",
    "CREATE INDEX results_finished_at ON results (finished_at)",
    """
CREATE INDEX results_waiting ON results (finished_at)
    WHERE figures IS NULL AND ungraded IS NULL""",
    "ALTER TABLE games ADD COLUMN profile_one VARCHAR(64)",
    "ALTER TABLE games ADD COLUMN profile_two VARCHAR(64)",
    "CREATE INDEX games_profile_one ON games (profile_one) WHERE profile_one IS NOT NULL",
    "CREATE INDEX games_profile_two ON games (profile_two) WHERE profile_two IS NOT NULL",
)
#: The score of a series, which is told although its games are removed one day.
SERIES = tuple(
    f"ALTER TABLE games ADD COLUMN {name} INTEGER NOT NULL DEFAULT 0"
    for name in ("wins_one", "wins_two", "draws")
)
#: Like `presence`: spectators, and since when a seat that is not connected is away.
ATTENDANCE = (
    """
CREATE UNLOGGED TABLE spectators (
    process BIGINT NOT NULL,
    game VARCHAR(64) NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (process, game))""",
    "CREATE INDEX spectators_game ON spectators (game)",
    """
CREATE UNLOGGED TABLE last_seen (
    game VARCHAR(64) NOT NULL,
    seat INTEGER NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (game, seat))""",
)
#: What a profile has learned, as its book tells it; and whose mistakes the book has taken in.
TRAINING = (
    """
CREATE TABLE training_events (
    profile VARCHAR(64) NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
    id VARCHAR(64) NOT NULL,
    time BIGINT NOT NULL,
    kind VARCHAR(16) NOT NULL CHECK (kind IN ('add', 'answer', 'remove')),
    game VARCHAR(64) NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (profile, id))""",
    "CREATE INDEX training_events_of_profile ON training_events (profile, time)",
    "CREATE INDEX training_events_time ON training_events (time)",
    "ALTER TABLE results ADD COLUMN in_book BOOLEAN NOT NULL DEFAULT FALSE",
)
SQLITE_NOW = "CAST(strftime('%s', 'now') AS INTEGER)"
POSTGRES_NOW = "CAST(extract(epoch FROM clock_timestamp()) AS BIGINT)"

Step = tuple[str, ...]


def bounded(now: str, over: str) -> Step:
    """The step that puts bounds to how long games are kept."""
    made = (statement.format(now=now) for statement in CLOCK)
    return (*LONG_SEEDS, *made, FINISHED_INDEX + over)


#: The statements of each step. SQLite serves one process, which knows who is connected.
STEPS: dict[str, tuple[Step, ...]] = {
    "sqlite": (
        FIRST_TABLES,
        (),
        (UNFINISHED_INDEX + "over = 0",),
        EVENTS,
        bounded(SQLITE_NOW, "over = 1"),
        PROFILES,
        SERIES,
        TRAINING,
    ),
    "postgresql": (
        FIRST_TABLES,
        PEOPLE,
        (UNFINISHED_INDEX + "NOT over",),
        EVENTS + PRESENCE,
        bounded(POSTGRES_NOW, "over"),
        PROFILES,
        SERIES + ATTENDANCE,
        TRAINING,
    ),
}


def migrate(connection: Connection) -> None:
    """Take the steps that were not taken; SchemaTooNew if there are more than we know."""
    if connection.dialect.name == "postgresql":
        # On SQLite the transaction is the only one that writes from its beginning.
        connection.execute(select(func.pg_advisory_xact_lock(ADVISORY_LOCK_KEY)))
    schema_steps.create(connection, checkfirst=True)
    steps = STEPS[connection.dialect.name]
    done = connection.execute(select(func.max(schema_steps.c.step))).scalar() or 0
    if done > len(steps):
        raise SchemaTooNew(
            f"The database was made by a newer Number Duels (step {done}, and this one knows"
            f" {len(steps)}); update this one"
        )
    for number, statements in enumerate(steps[done:], done + 1):
        for statement in statements:
            connection.exec_driver_sql(statement)
        connection.execute(insert(schema_steps).values(step=number, taken=int(time())))
