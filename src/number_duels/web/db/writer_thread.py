"""The thread that writes to an embedded database.

A transaction is one job of it. The asynchronous driver would send each of some fifteen
steps to a thread and back, which takes longer than all that they do.
"""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy import URL, create_engine

from number_duels.web.db.engine import make_safe
from number_duels.web.db.transactions import WriteRequest, write_all


class WriterThread:
    """One thread with a connection of its own."""

    def __init__(self, url: URL) -> None:
        self._engine = create_engine(url.set(drivername="sqlite"), hide_parameters=True)
        make_safe(self._engine)
        self._thread = ThreadPoolExecutor(1, "duels-writer")

    async def commit(self, requests: Sequence[WriteRequest]) -> set[str]:
        """Write requests in one transaction; the games that were not as they were seen."""
        return await get_running_loop().run_in_executor(self._thread, self._commit, requests)

    def _commit(self, requests: Sequence[WriteRequest]) -> set[str]:
        with self._engine.connect() as found:
            connection = found.execution_options(writes=True)
            with connection.begin():
                return write_all(connection, requests)

    async def close(self) -> None:
        """Close the connection, and end."""
        await get_running_loop().run_in_executor(self._thread, self._engine.dispose)
        self._thread.shutdown()
