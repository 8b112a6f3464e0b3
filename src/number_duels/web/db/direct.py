"""SQLite in the caller's own thread, with the methods of an asynchronous engine that we use.

A browser has no threads for aiosqlite.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, CursorResult, Engine, Executable

P = ParamSpec("P")
R = TypeVar("R")


class DirectConnection:
    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.dialect = connection.dialect

    async def execution_options(self, **options: bool | str) -> None:
        self.connection.execution_options(**options)

    async def execute(
        self, statement: Executable, rows: Sequence[Mapping[str, object]] = ()
    ) -> CursorResult[Any]:  # as SQLAlchemy types it
        return self.connection.execute(statement, rows or None)

    async def run_sync(
        self, function: Callable[Concatenate[Connection, P], R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        return function(self.connection, *args, **kwargs)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[None]:
        with self.connection.begin():
            yield


class DirectEngine:
    def __init__(self, engine: Engine) -> None:
        self.sync_engine = engine
        self.dialect, self.driver, self.url = engine.dialect, engine.driver, engine.url

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[DirectConnection]:
        with self.sync_engine.connect() as connection:
            yield DirectConnection(connection)

    async def dispose(self) -> None:
        self.sync_engine.dispose()
