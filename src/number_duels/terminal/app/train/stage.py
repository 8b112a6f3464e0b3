"""The stages of a task on the full screen."""

from __future__ import annotations

from enum import Enum, auto


class Stage(Enum):
    """What goes on."""

    WAITING = auto()
    #: Something is said, and nothing asked.
    SAID = auto()
    ASKED = auto()
    TOLD = auto()
    #: The line that punishes a mistake is on the board.
    LINE = auto()
    OVER = auto()
