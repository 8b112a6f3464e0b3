"""The command in a real pseudo-terminal, typed at and listened to."""

from __future__ import annotations

import os
import select
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from fcntl import ioctl
from pathlib import Path

from tests.patience import PATIENCE_S
from tests.terminal.forking import Forked
from tests.terminal.streams import Closing

#: The calls of Linux in which a program waits for input, by their numbers on each machine.
WAITING_CALLS = {
    "x86_64": {"read": 0, "poll": 7, "select": 23, "pselect6": 270, "ppoll": 271},
    "aarch64": {"read": 63, "pselect6": 72, "ppoll": 73},
}


def let_it_wait(pid: int) -> None:
    """Wait until a program that has put its question waits for the answer.

    A signal in between is seen by Python only when the next line arrives.
    """
    calls = map(str, WAITING_CALLS[os.uname().machine].values())
    waiting, now = set(calls), Path("/proc", str(pid), "syscall")
    wait_until(lambda: now.read_text().split()[0] in waiting, "the program waits for an answer")


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Look at another process until something is so."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, f"in vain: {what}"
        time.sleep(0.005)


class Session(Closing):
    """The `duels` command at a terminal of its own."""

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str] | None = None,
        columns: int = 80,
        program: Sequence[str] = (),
        *,
        rows: int = 24,
    ) -> None:
        surroundings = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **(environment or {}),
        }
        self.terminal, theirs = os.openpty()
        ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        streams = (theirs, theirs, theirs)
        self.process = Forked(
            arguments, folder, surroundings, streams, terminal=True, program=program
        )
        self.pid = self.process.pid
        os.close(theirs)

    def close(self) -> None:
        os.close(self.terminal)
        self.process.end()

    def hear(self, expected: str) -> str:
        """As many bytes as are expected, or what came before the end."""
        wanted = len(expected.encode())
        heard = b""
        while len(heard) < wanted:
            piece = self.piece(PATIENCE_S, wanted - len(heard))
            if not piece:
                break
            heard += piece
        return heard.decode()

    def hear_until_quiet(self, quiet: float = 0.4) -> str:
        """Everything up to the next pause."""
        heard = b""
        while piece := self.piece(quiet if heard else PATIENCE_S, 65536):
            heard += piece
        return heard.decode()

    def piece(self, patience: float, size: int) -> bytes:
        """What is there to read; nothing when the program has ended or is silent."""
        ready, _, _ = select.select([self.terminal], [], [], patience)
        try:
            return os.read(self.terminal, size) if ready else b""
        except OSError:
            return b""

    def type(self, line: str) -> None:
        """A line, and Enter."""
        os.write(self.terminal, f"{line}\n".encode())

    def type_ahead(self, line: str) -> None:
        """Type a line that nobody reads yet; return once it has come through the terminal."""
        self.type(line)
        keyboard = os.open(f"/proc/{self.process.pid}/fd/0", os.O_RDONLY | os.O_NOCTTY)
        try:
            wait_until(
                lambda: any(ioctl(keyboard, termios.FIONREAD, bytes(4))), "what is typed arrives"
            )
        finally:
            os.close(keyboard)

    def press(self, key: bytes) -> None:
        """A key that interrupts, once the program waits for an answer."""
        let_it_wait(self.pid)
        os.write(self.terminal, key)

    @property
    def echoes(self) -> bool:
        """Whether the terminal shows what is typed."""
        return bool(termios.tcgetattr(self.terminal)[3] & termios.ECHO)

    def status(self) -> int:
        """The exit status of the program, once it has ended."""
        return self.process.wait(PATIENCE_S)
