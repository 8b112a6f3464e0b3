"""What a real terminal would show of a program, cell by cell."""

from __future__ import annotations

import os
import re
import struct
import termios
import time
from fcntl import ioctl

import pyte

from tests.terminal.session import PATIENCE, Session

UNFINISHED_CODE = re.compile(rb"(\x1b(\[[<>?0-9;]*)?)?$")
OTHER_SCREEN = re.compile(rb"\x1b\[\?1049[hl]")
KEYBOARD_PROTOCOL = re.compile(rb"\x1b\[[<>][0-9]*u")
CLEAR = b"\x1b[2J\x1b[H"


class Screen:
    """What a terminal shows of a program."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.ByteStream(self.screen)
        #: The beginning of a code whose rest has not been read yet.
        self.begun = b""

    def wait_for(self, text: str) -> str:
        """Read until a text is shown."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < deadline, f"{text!r} is not in\n{self.shown}"
            self.feed(self.session.piece(1.0, 65536))
        return self.shown

    def feed(self, piece: bytes) -> None:
        """Show some output; pyte knows no second screen and no keyboard protocol."""
        output = self.begun + piece
        found = UNFINISHED_CODE.search(output)
        self.begun = found[0] if found else b""
        output = output.removesuffix(self.begun)
        self.stream.feed(OTHER_SCREEN.sub(CLEAR, KEYBOARD_PROTOCOL.sub(b"", output)))

    def settled(self) -> list[list[object]]:
        """Every cell with its colours, once nothing changes any more."""
        for piece in self.session.rest():
            self.feed(piece)
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

    def point(self, column: int, row: int) -> None:
        """Move the mouse over a cell."""
        self.press(f"\x1b[<35;{column + 1};{row + 1}M")

    def click(self, column: int, row: int) -> None:
        """Press and let go the mouse over a cell."""
        place = f"{column + 1};{row + 1}"
        self.press(f"\x1b[<0;{place}M\x1b[<0;{place}m")
