"""Database URLs, engines and driver errors."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, cast

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    DisconnectionError,
    IntegrityError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.pool import ConnectionPoolEntry

from number_duels.web.config import Config
from number_duels.web.db.direct import DirectEngine
from number_duels.web.errors import DatabaseUnavailable

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

#: Errors in our statements or data. They mean that the database does answer.
STATEMENT_ERRORS = (DataError, IntegrityError, ProgrammingError)
#: With these settings, PostgreSQL drops a client within a minute after it has vanished.
SERVER_SETTINGS = {
    "application_name": "number-duels",
    "idle_in_transaction_session_timeout": "30s",
    "tcp_keepalives_idle": "20",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
}


@contextmanager
def translate_driver_errors() -> Iterator[None]:
    """Turn driver errors into DatabaseUnavailable, unless our own statement or data is wrong."""
    try:
        yield
    except STATEMENT_ERRORS:
        raise
    except (OSError, SQLAlchemyError) as error:
        raise DatabaseUnavailable(describe_failure(error)) from error
    except Exception as error:
        # SQLAlchemy does not wrap the driver's errors while connecting.
        if type(error).__module__.split(".")[0] == "asyncpg":
            raise DatabaseUnavailable(str(error)) from error
        raise


def driver_url(text: str) -> URL:
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        url = URL.create("unknown")
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
    known = url.drivername in drivers and (url.port is None or 0 < url.port < 65536)
    if not known or (url.drivername == "sqlite" and not url.database):
        raise ValueError("The database must be sqlite:///FILE or postgresql://USER@HOST/NAME.")
    # Providers' URLs often say `sslmode`, which is libpq's name for `ssl`.
    if "sslmode" in url.query:
        mode = str(url.query["sslmode"])
        url = url.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})
    unknown = set(url.query) - {"host", "port", "ssl"} if url.drivername == "postgresql" else set()
    if unknown:
        names = ", ".join(sorted(unknown))
        raise ValueError(f"The database URL has unsupported parameters; remove {names}.")
    return url.set(drivername=drivers[url.drivername])


def create_file(url: URL) -> Path:
    """Return the path of an SQLite file. If needed, create it, readable only by its owner."""
    path = Path(str(url.database))
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists():
        # If aiosqlite opens another kind of file, its thread may outlive the event loop and fail.
        execute_pragma(path, "schema_version")
        return path
    with TemporaryDirectory(dir=path.parent, prefix=".new-") as folder:
        new = Path(folder, path.name)
        new.touch(mode=0o600)
        execute_pragma(new, "journal_mode=WAL")
        with suppress(FileExistsError):
            path.hardlink_to(new)
    return path


def execute_pragma(path: Path, pragma: str) -> None:
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error as error:
        raise OSError(str(error)) from error


def make_engine(url: URL, config: Config) -> AsyncEngine:
    if url.drivername == "sqlite+pysqlite":
        return direct_engine(url)
    if url.get_backend_name() == "sqlite":
        return sqlite_engine(url)
    return postgres_engine(url, config)


def postgres_engine(url: URL, config: Config) -> AsyncEngine:
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine(
        url,
        hide_parameters=True,
        # One more connection listens for notices.
        pool_size=config.connections + 1,
        max_overflow=0,
        pool_timeout=config.database_time,
        connect_args={
            "timeout": config.database_time,
            "command_timeout": config.database_time,
            "server_settings": SERVER_SETTINGS,
        },
    )

    @event.listens_for(engine.sync_engine, "checkout")
    def usable(connection: DBAPIConnection, _: object, __: object) -> None:
        # The driver knows when the server has closed the connection, so a ping is not needed.
        if connection.driver_connection.is_closed():
            raise DisconnectionError

    return engine


def sqlite_engine(url: URL) -> AsyncEngine:
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine(url, hide_parameters=True)
    create_file(url)
    make_safe(engine.sync_engine)
    return engine


def direct_engine(url: URL) -> AsyncEngine:
    engine = create_engine(url, hide_parameters=True)
    # The file is complete after every commit, so that it can be copied.
    make_safe(engine, journal="MEMORY")
    return cast("AsyncEngine", DirectEngine(engine))


def make_safe(engine: Engine, journal: str = "WAL") -> None:
    """Make SQLite wait for the disk at every commit, and begin transactions explicitly."""

    @event.listens_for(engine, "connect")
    def prepare(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        connection.isolation_level = None  # we send BEGIN ourselves, below
        cursor = connection.cursor()
        for pragma in (
            "busy_timeout=10000",
            f"journal_mode={journal}",
            "synchronous=FULL",  # an accepted move survives a power cut
            "foreign_keys=ON",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def describe_failure(error: BaseException) -> str:
    found = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    reason = getattr(found, "strerror", None) or str(found) or type(found).__name__
    # SQLAlchemy puts the class of the driver's error before the message.
    plain = re.sub(r"^<class '[^']*'>: ", "", str(reason))
    return " ".join(plain.split()).rstrip(".")
