"""Moments in which the table waits: the curtain between two people, and pauses to see something."""

from __future__ import annotations

from collections.abc import Callable

from textual.worker import Worker

from number_duels.terminal.app.table_layout import TableLayout

#: The workers that only wait.
PAUSE_GROUP = "pause"


class Waiting:
    """One thing to be done later: when time is up, or when a key is pressed."""

    def __init__(self, table: TableLayout) -> None:
        self.table = table
        self.timer: Worker[None] | None = None
        self.then: Callable[[], None] | None = None
        #: Only Enter ends it.
        self.for_enter = False

    @property
    def active(self) -> bool:
        return self.then is not None

    def until_enter(self, then: Callable[[], None]) -> None:
        """The curtain: whoever sits down next says so."""
        self.cancel()
        self.then, self.for_enter = then, True

    def pause(self, seconds: float, then: Callable[[], None]) -> None:
        """A moment to see what happened; any key ends it sooner."""
        self.cancel()
        if seconds <= 0:
            then()
            return
        self.then, self.for_enter = then, False
        self.timer = self.table.run_worker(self.ring(seconds), group=PAUSE_GROUP)

    async def ring(self, seconds: float) -> None:
        await self.table.duels.clock.sleep(seconds)
        self.timer = None  # which is this worker, and has nothing left to cancel
        self.finish()

    def key(self, name: str) -> bool:
        """A key was pressed; True: it was for what waits here."""
        if not self.active or (self.for_enter and name != "enter"):
            return False
        self.finish()
        return True

    def finish(self) -> None:
        then = self.then
        self.cancel()
        if then:
            then()

    def cancel(self) -> None:
        if self.timer:
            self.timer.cancel()
        self.timer = self.then = None
        self.for_enter = False
