"""SQLite in the caller's own thread, with the asynchronous interface of the other engines.

A browser has no threads for aiosqlite.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection, CursorResult, Engine, Executable

P = ParamSpec("P")
R = TypeVar("R")


class DirectConnection:
    def __init__(self, connection: Connection) -> None:
        self.sync_connection = connection
        self.dialect = connection.dialect

    async def execution_options(self, **options: object) -> DirectConnection:
        self.sync_connection.execution_options(**options)  # type: ignore[call-overload] # options of any name
        return self

    async def execute(
        self, statement: Executable, *parameters: object
    ) -> CursorResult[tuple[object, ...]]:
        return self.sync_connection.execute(statement, *parameters)

    async def run_sync(
        self, function: Callable[Concatenate[Connection, P], R], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        return function(self.sync_connection, *args, **kwargs)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[None]:
        with self.sync_connection.begin():
            yield


class DirectEngine:
    def __init__(self, engine: Engine) -> None:
        self.sync_engine = engine
        self.dialect, self.url = engine.dialect, engine.url

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[DirectConnection]:
        with self.sync_engine.connect() as connection:
            yield DirectConnection(connection)

    async def dispose(self) -> None:
        self.sync_engine.dispose()
