"""How a command ends when it does not end well: one sentence and an exit status."""

from __future__ import annotations

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130


class CommandError(Exception):
    """A sentence for the user; the command ends with the status."""

    def __init__(self, message: str, status: int = FAILED) -> None:
        super().__init__(message)
        self.status = status


class Interrupted(Exception):
    """The input was closed, or Ctrl-C was pressed, before the end."""
