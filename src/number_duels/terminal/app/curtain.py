"""Moments in which the table waits: the curtain between two people, and pauses to see something."""

from __future__ import annotations

from collections.abc import Callable

from textual.timer import Timer
from textual.widget import Widget


class Waiting:
    """One thing to be done later: when time is up, or when a key is pressed."""

    def __init__(self, widget: Widget) -> None:
        self.widget = widget
        self.timer: Timer | None = None
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
        self.timer = self.widget.set_timer(seconds, self.finish)

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
            self.timer.stop()
        self.timer = self.then = None
        self.for_enter = False
