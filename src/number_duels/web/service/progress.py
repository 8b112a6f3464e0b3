"""How far a process is with its work, told through memory that it shares with the server."""

from __future__ import annotations

from ctypes import c_double


class Progress:
    """What is told in this process; nowhere to begin with, as nobody may be waiting."""

    def __init__(self) -> None:
        self.shared: c_double | None = None

    def report(self, share: float) -> None:
        """So much is done; it never goes back, as work may come in several parts."""
        if self.shared is not None:
            self.shared.value = max(self.shared.value, share)


progress = Progress()
