"""The clock by which games expire: the database's own.

It goes on while a server runs, and no further in one step than servers look at it: neither a
machine whose clock is wrong or is set, nor a long time without a server, makes games old.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, case, literal, literal_column, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.web.db.migrations import POSTGRES_NOW
from number_duels.web.db.tables import clock

#: What is added at most when nobody has looked for a while, as a multiple of the usual time.
MAX_INTERVALS = 2
MIN_STEP_S = 5


class StoreClock:
    """What the time is in the database, looked up now and then and reckoned in between."""

    def __init__(self, interval_s: float, machine: Clock = SYSTEM_CLOCK) -> None:
        self.machine = machine
        #: The most that passes between two looks; anything more is a jump.
        self.max_step_s = max(MIN_STEP_S, int(MAX_INTERVALS * interval_s))
        self._now = int(machine.now().timestamp())
        self._looked_at = machine.monotonic()
        #: By how much the machine's clock is ahead, for who is told a date.
        self.lag_s = 0

    def now(self) -> int:
        """The time in the database."""
        return self._now + int(min(self.machine.monotonic() - self._looked_at, self.max_step_s))

    async def advance(self, connection: AsyncConnection) -> None:
        """Let the clock go on by what has passed since anybody looked, and look."""
        wall = self.machine_time(connection)
        passed = wall - clock.c.seen
        step = case((passed < 0, 0), (passed > self.max_step_s, self.max_step_s), else_=passed)
        # Counted, so that each look writes something: it is also how we know that we can.
        changed = {"now": clock.c.now + step, "seen": wall, "looks": clock.c.looks + 1}
        await connection.execute(update(clock).values(changed))
        row = (await connection.execute(select(clock.c.now, clock.c.seen))).one()
        self._now, self._looked_at = row.now, self.machine.monotonic()
        self.lag_s = row.seen - row.now

    def machine_time(self, connection: AsyncConnection) -> ColumnElement[int]:
        """The time by the clock of the database's machine; SQLite's machine is this one.

        A clock that is not the system's goes before both.
        """
        if connection.dialect.name == "postgresql" and self.machine is SYSTEM_CLOCK:
            return literal_column(POSTGRES_NOW)
        return literal(int(self.machine.now().timestamp()))
