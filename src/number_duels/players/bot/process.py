"""A program at the other end of three pipes, which may do anything.

Nothing here waits longer than it was told to, and nothing that is heard fills the memory.
What cannot be mended is a Forfeit.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired

from number_duels.core.player import Forfeit
from number_duels.players.bot.protocol import LONGEST, clip
from number_duels.players.external import CRASHED, LATE, UNREADABLE

KEEPER = Path(__file__).with_name("supervisor.py")
#: Who says more than this unasked is not listened to any longer.
FLOOD = 1024 * 1024
#: How much of standard error is kept for messages.
LAST_WORDS = 4096
#: Seconds in which an end that has begun is seen through.
SETTLING = 1.0
#: The system waits no longer than this at a time.
LONG = 3600.0
PIECE = 64 * 1024


class Program:
    """A running program and what it has said; `stop` is always called in the end."""

    def __init__(self, words: Sequence[str]) -> None:
        python = sys.executable or "python3"
        self.starter = os.getpid()
        self.process = Popen(
            [python, "-I", "-S", str(KEEPER), str(self.starter), *words],
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            bufsize=0,
            start_new_session=True,
        )
        assert self.process.stdin
        assert self.process.stdout
        assert self.process.stderr
        self.input = self.process.stdin.fileno()
        self.output = self.process.stdout.fileno()
        self.errors = self.process.stderr.fileno()
        for pipe in (self.input, self.output, self.errors):
            os.set_blocking(pipe, False)
        self.open = {self.output, self.errors}
        self.heard = bytearray()
        self.last_words = bytearray()

    # ---- speaking and listening --------------------------------------------------

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line, reading meanwhile, so that neither side waits for the other."""
        left = memoryview(line)
        while left:
            if self.input not in self.wait(deadline, self.input, late="it does not read its input"):
                continue
            try:
                left = left[os.write(self.input, left) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self.gone("it closed its standard input") from None

    def receive(self, deadline: float) -> bytes:
        """The next line, without its end."""
        while (end := self.heard.find(b"\n")) < 0 and len(self.heard) <= LONGEST:
            if self.output not in self.open:
                raise self.gone("it closed its standard output")
            self.wait(deadline, late="it said nothing")
        if not 0 <= end <= LONGEST:
            raise Forfeit(UNREADABLE, f"it wrote a line longer than {LONGEST // 1024} KiB")
        line = bytes(self.heard[:end])
        del self.heard[: end + 1]
        return line

    def discard(self) -> str | None:
        """Forget what was said unasked; its first line, or None when there was nothing."""
        first, size = bytes(self.heard[:PIECE]), len(self.heard)
        self.heard.clear()
        while self.open and size <= FLOOD and self.hear(self.poll(0)):
            first, size = first or bytes(self.heard[:PIECE]), size + len(self.heard)
            self.heard.clear()
        if size > FLOOD:
            raise Forfeit(UNREADABLE, "it floods its standard output, unasked")
        return clip(first.decode(errors="replace").partition("\n")[0]) if first else None

    def wait(self, deadline: float, *writing: int, late: str) -> set[int]:
        """Wait until a pipe is ready, and hear what there is to hear."""
        seconds = deadline - time.monotonic()
        if seconds <= 0:
            raise Forfeit(LATE, f"{late} in the time that it had")
        ready = self.poll(seconds, *writing)
        self.hear(ready)
        return ready

    def poll(self, seconds: float, *writing: int) -> set[int]:
        """The pipes that can be used now; a full ear is not listened with."""
        poll = select.poll()
        full = {self.output} if len(self.heard) > LONGEST else set[int]()
        for pipe in self.open - full:
            poll.register(pipe, select.POLLIN)
        for pipe in writing:
            poll.register(pipe, select.POLLOUT)
        # Rounded up, so that the last millisecond is not spent in a busy loop.
        patience = int(min(seconds, LONG) * 1000) + 1 if seconds else 0
        return {pipe for pipe, _ in poll.poll(patience)}

    def hear(self, ready: set[int]) -> bool:
        """Read a piece from each pipe that has one; whether there was anything on the output."""
        before = len(self.heard)
        for pipe in ready & self.open:
            try:
                piece = os.read(pipe, PIECE)
            except BlockingIOError:
                continue
            if not piece:
                self.open.discard(pipe)
            elif pipe == self.output:
                self.heard += piece
            else:
                self.last_words = (self.last_words + piece)[-LAST_WORDS:]
        return len(self.heard) > before

    # ---- the end -----------------------------------------------------------------

    def ended(self, seconds: float = 0.0) -> bool:
        """Whether the program is gone already, or is so after a moment."""
        try:
            self.process.wait(seconds)
        except TimeoutExpired:
            return False
        return True

    def gone(self, what: str) -> Forfeit:
        """Why there will be no more answers."""
        status = self.settle(SETTLING)
        if status is None:
            return Forfeit(CRASHED, f"{what}, and went on")
        said = self.complaint
        return Forfeit(CRASHED, f"it ended with {in_words(status)}" + (f": {said}" if said else ""))

    @property
    def complaint(self) -> str:
        """The last line that the program wrote to standard error."""
        lines = self.last_words.decode(errors="replace").strip().splitlines()
        return clip(lines[-1]) if lines else ""

    def settle(self, seconds: float) -> int | None:
        """Listen until the program has ended; its status, or None when it has not."""
        deadline = time.monotonic() + seconds
        while self.open and (left := deadline - time.monotonic()) > 0:
            self.heard.clear()
            self.hear(self.poll(left))
        try:
            return self.process.wait(max(0.0, deadline - time.monotonic()))
        except TimeoutExpired:
            return None

    def stop(self, patience: float = 0.0) -> bool:
        """End the program, after it was given time to end; whether it did that by itself."""
        mine = os.getpid() == self.starter  # a forked process only closes what it inherited
        if self.process.stdin:
            self.process.stdin.close()
        alone = not mine or self.settle(patience) is not None
        if not alone:
            self.process.terminate()
            if self.settle(10 * SETTLING) is None:
                self.process.kill()
                self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        self.open.clear()
        return alone


def in_words(status: int) -> str:
    """An exit status as people know it.

    >>> in_words(3), in_words(139)
    ('status 3', 'status 139 (SIGSEGV)')
    """
    number = -status if status < 0 else status - 128
    known = {one.value: one.name for one in signal.Signals}
    return f"status {status} ({known[number]})" if number in known else f"status {status}"
