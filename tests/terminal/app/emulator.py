"""What a real terminal would show of a program, cell by cell."""

from __future__ import annotations

import os
import re
import struct
import termios
import time
from collections.abc import Callable
from fcntl import ioctl

import pyte

from number_duels.terminal.app.page import UNSEEN_SECONDS
from tests.patience import PATIENCE_S
from tests.terminal.session import Session

#: A screen that stands still for this long has been seen, and takes an Enter.
SEEN_SECONDS = UNSEEN_SECONDS + 0.1

UNFINISHED_CODE = re.compile(rb"(\x1b(\[[<>?0-9;$]*)?)?$")
OTHER_SCREEN = re.compile(rb"\x1b\[\?1049[hl]")
CLEAR = b"\x1b[2J\x1b[H"
#: A program asks whether it may mark where a frame begins and ends, and then does.
MAY_MARK_FRAMES, IT_MAY = b"\x1b[?2026$p", "\x1b[?2026;2$y"
FRAME_MARK = re.compile(rb"\x1b\[\?2026([hl])")
#: What pyte does not know, a keyboard protocol besides these.
UNKNOWN_CODES = re.compile(rb"\x1b\[([<>][0-9]*u|\?2026(\$p|[hl]))")


class Screen:
    """What a terminal shows of a program."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.ByteStream(self.screen)
        #: The beginning of a code whose rest has not been read yet.
        self.begun = b""
        #: Whether some of a frame has not been read yet: below its rows are those of the last one.
        self.in_frame = False

    def wait_for(self, text: str) -> str:
        """Read until a text is shown."""
        return self.wait_until(lambda shown: text in shown)

    def wait_until(self, enough: Callable[[str], bool]) -> str:
        """Read until the screen is as it should be; only whole frames are looked at."""
        deadline = time.monotonic() + PATIENCE_S
        while self.in_frame or not enough(self.shown):
            assert time.monotonic() < deadline, f"there is only\n{self.shown}"
            self.feed(self.session.piece(1.0, 65536))
        return self.shown

    def feed(self, piece: bytes) -> None:
        """Show some output; pyte knows no second screen."""
        output = self.begun + piece
        found = UNFINISHED_CODE.search(output)
        self.begun = found[0] if found else b""
        output = output.removesuffix(self.begun)
        if MAY_MARK_FRAMES in output:
            self.press(IT_MAY)
        if marks := FRAME_MARK.findall(output):
            self.in_frame = marks[-1] == b"h"
        self.stream.feed(OTHER_SCREEN.sub(CLEAR, UNKNOWN_CODES.sub(b"", output)))

    @property
    def cells(self) -> list[list[object]]:
        """Every cell with its colours."""
        rows, columns = range(self.screen.lines), range(self.screen.columns)
        return [[self.screen.buffer[row][column] for column in columns] for row in rows]

    def resize(self, columns: int, rows: int) -> None:
        """Another size, for the program and for what it is shown on, which is empty at first."""
        size = struct.pack("HHHH", rows, columns, 0, 0)
        self.screen.resize(rows, columns)
        self.screen.erase_in_display(2)
        ioctl(self.session.terminal, termios.TIOCSWINSZ, size)

    @property
    def shown(self) -> str:
        return "\n".join(self.screen.display)

    def press(self, keys: str) -> None:
        os.write(self.session.terminal, keys.encode())

    def enter(self, keys: str = "") -> None:
        """Press keys and Enter at a screen that has stood still for a moment."""
        while piece := self.session.piece(SEEN_SECONDS, 65536):
            self.feed(piece)
        self.press(f"{keys}\r")

    def point(self, column: int, row: int) -> None:
        """Move the mouse over a cell."""
        self.press(f"\x1b[<35;{column + 1};{row + 1}M")

    def click(self, column: int, row: int) -> None:
        """Press and let go the mouse over a cell."""
        place = f"{column + 1};{row + 1}"
        self.press(f"\x1b[<0;{place}M\x1b[<0;{place}m")
