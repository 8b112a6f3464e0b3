"""What a real terminal would show of a program, cell by cell."""

from __future__ import annotations

import os
import struct
import termios
import time
from fcntl import ioctl

import pyte

from tests.terminal.session import PATIENCE, Session


class Screen:
    """What a terminal shows of a program."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.ByteStream(self.screen)

    def wait_for(self, text: str) -> str:
        """Read until a text is shown."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            assert time.monotonic() < deadline, f"{text!r} is not in\n{self.shown}"
            self.feed(self.session.piece(1.0, 65536))
        return self.shown

    def feed(self, piece: bytes) -> None:
        """Show some output; pyte takes what asks for a keyboard protocol for text."""
        self.stream.feed(piece.replace(b"\x1b[>25u", b""))

    def settled(self, quiet: float = 0.3) -> list[list[object]]:
        """Every cell with its colours, once nothing changes any more."""
        while piece := self.session.piece(quiet, 65536):
            self.feed(piece)
        rows, columns = range(self.screen.lines), range(self.screen.columns)
        return [[self.screen.buffer[row][column] for column in columns] for row in rows]

    def resize(self, columns: int, rows: int) -> None:
        """Another size, for the program and for what it is shown on."""
        size = struct.pack("HHHH", rows, columns, 0, 0)
        self.screen.resize(rows, columns)
        ioctl(self.session.terminal, termios.TIOCSWINSZ, size)

    @property
    def shown(self) -> str:
        return "\n".join(self.screen.display)

    def press(self, keys: str) -> None:
        os.write(self.session.terminal, keys.encode())
