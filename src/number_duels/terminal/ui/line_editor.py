"""Line editing and a history of one's answers, where Python has readline."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from number_duels.terminal.errors import Interrupted

if TYPE_CHECKING:
    from types import ModuleType

#: Codes take no room on the screen; readline has to be told which they are.
CODES = re.compile(r"(\x1b\[[0-9;]*m)")


class LineEditor:
    """Reads lines that can be edited; the arrow keys bring earlier ones back.

    Only what is read here enters the history, so a secret, which is read elsewhere, never does.
    """

    def __init__(self, readline: ModuleType) -> None:
        self.readline = readline
        readline.set_auto_history(False)
        if "libedit" not in (readline.__doc__ or ""):
            # Tab would offer file names; the codes of a pasted text would stand in a session's log.
            readline.parse_and_bind("set disable-completion on")
            readline.parse_and_bind("set enable-bracketed-paste off")

    def read(self, question: str) -> str:
        """One line without its end; closed input interrupts."""
        sys.stdout.flush()
        try:
            reply = input(CODES.sub("\001\\1\002", question))
        except EOFError:
            sys.stdout.write("\n")
            raise Interrupted from None
        if reply.strip():
            self.readline.add_history(reply)
        return reply


def line_editor() -> LineEditor | None:
    """The editor, for a keyboard and a screen that are the program's own; None without readline."""
    if not sys.stdout.isatty():
        return None
    try:
        import readline
    except ImportError:
        return None
    return LineEditor(readline)
