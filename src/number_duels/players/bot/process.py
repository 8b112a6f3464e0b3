"""Run a bot as a separate process, and exchange lines with it.

The bot is not trusted, so every wait has a deadline, and every read has a size limit.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import astuple, fields, is_dataclass
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import Seat
from number_duels.core.input_files import finite, no_number
from number_duels.core.player import Forfeit
from number_duels.core.text import printable
from number_duels.players.external import CRASHED, LATE, UNREADABLE, Limits

SUPERVISOR = Path(__file__).with_name("supervisor.py")
#: A program that writes more than this without being asked is stopped.
MAX_UNASKED_BYTES = 1024 * 1024
MAX_STDERR_BYTES = 4096
EXIT_GRACE_S = 1.0
#: A signal that arrives just before poll() is handled only after it, so each poll() is short.
MAX_POLL_S = 0.5
READ_SIZE = 64 * 1024
#: The environment variables that a program gets. Keys and passwords have other names.
PASSED_ENV = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "TMPDIR", "LANG", "LANGUAGE"),
    *("LC_*", "XDG_*_HOME", "PYTHON*", "VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH"),
    *("DYLD_*", "JAVA_HOME", "NODE_PATH", "OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES"),
    "NUMBER_DUELS_*",
)


class BotProcess:
    """A running program and its buffered output. Call `stop` at the end."""

    def __init__(
        self, words: Sequence[str], limits: Limits | None = None, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        limits = limits or Limits()
        numbers = ",".join(map(str, astuple(limits.resources)))
        python = sys.executable or "python3"
        self.clock = clock
        self.starter = os.getpid()
        self.process = Popen(
            [python, "-I", "-S", str(SUPERVISOR), str(self.starter), numbers, *words],
            env=environment(limits.pass_env),
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
        self.stdout_buffer = bytearray()
        self.stderr_tail = bytearray()

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line, and read output at the same time, so that the two sides cannot deadlock."""
        left = memoryview(line)
        while left:
            ready = self.wait_ready(deadline, self.input, late="it did not read its input")
            if self.input not in ready:
                continue
            try:
                left = left[os.write(self.input, left) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self.exit_forfeit("it closed its standard input") from None

    def receive(self, deadline: float) -> bytes:
        buffer = self.stdout_buffer
        while (end := buffer.find(b"\n")) < 0 and len(buffer) <= MAX_LINE_BYTES:
            if self.output not in self.open:
                raise self.exit_forfeit("it closed its standard output")
            self.wait_ready(deadline, late="it said nothing")
        if not 0 <= end <= MAX_LINE_BYTES:
            raise Forfeit(UNREADABLE, f"it wrote a line longer than {MAX_LINE_BYTES // 1024} KiB")
        line = bytes(buffer[:end])
        del buffer[: end + 1]
        return line

    def discard(self) -> str | None:
        """Discard the output that the program wrote unasked, and return its first line."""
        buffer = self.stdout_buffer
        first, size = bytes(buffer[:READ_SIZE]), len(buffer)
        buffer.clear()
        while self.open and size <= MAX_UNASKED_BYTES and self.read_ready(self.poll(0)):
            first, size = first or bytes(buffer[:READ_SIZE]), size + len(buffer)
            buffer.clear()
        if size > MAX_UNASKED_BYTES:
            raise Forfeit(UNREADABLE, "it writes too much to standard output without being asked")
        return shown(first.partition(b"\n")[0]) if first else None

    def wait_ready(self, deadline: float, *writing: int, late: str) -> set[int]:
        """Wait for a pipe, read any output, and return the pipes that are ready.

        After the deadline, raise Forfeit. Its reason starts with `late`.
        """
        seconds = deadline - self.clock.monotonic()
        if seconds <= 0:
            raise Forfeit(LATE, f"{late} in time")
        ready = self.poll(seconds, *writing)
        self.read_ready(ready)
        return ready

    def poll(self, seconds: float, *writing: int) -> set[int]:
        """Return the pipes that are ready to read or write, after at most `seconds`."""
        poll = select.poll()
        full = {self.output} if len(self.stdout_buffer) > MAX_LINE_BYTES else set[int]()
        for pipe in self.open - full:
            poll.register(pipe, select.POLLIN)
        for pipe in writing:
            poll.register(pipe, select.POLLOUT)
        # rounded up, to avoid a busy loop in the last millisecond
        milliseconds = int(min(seconds, MAX_POLL_S) * 1000) + 1 if seconds else 0
        return {pipe for pipe, _ in poll.poll(milliseconds)}

    def read_ready(self, ready: set[int]) -> bool:
        """Read once from each ready pipe. Return whether standard output had any data."""
        before = len(self.stdout_buffer)
        for pipe in ready & self.open:
            try:
                piece = os.read(pipe, READ_SIZE)
            except BlockingIOError:
                continue
            if not piece:
                self.open.discard(pipe)
            elif pipe == self.output:
                self.stdout_buffer += piece
            else:
                self.stderr_tail = (self.stderr_tail + piece)[-MAX_STDERR_BYTES:]
        return len(self.stdout_buffer) > before

    def has_exited(self, seconds: float = 0.0) -> bool:
        try:
            self.process.wait(seconds)
        except TimeoutExpired:
            return False
        return True

    def exit_forfeit(self, what: str) -> Forfeit:
        status = self.wait_for_exit(EXIT_GRACE_S)
        if status is None:
            return Forfeit(CRASHED, f"{what}, but kept running")
        said = self.last_stderr_line
        return Forfeit(
            CRASHED, f"it exited with {in_words(status)}" + (f": {said}" if said else "")
        )

    @property
    def last_stderr_line(self) -> str:
        lines = self.stderr_tail.strip().splitlines()
        return shown(bytes(lines[-1])) if lines else ""

    def wait_for_exit(self, seconds: float) -> int | None:
        """Return the exit status, or None if the program still runs after `seconds`."""
        deadline = self.clock.monotonic() + seconds
        while self.open and (left := deadline - self.clock.monotonic()) > 0:
            self.stdout_buffer.clear()
            self.read_ready(self.poll(left))
        try:
            return self.process.wait(max(0.0, deadline - self.clock.monotonic()))
        except TimeoutExpired:
            return None

    def stop(self, grace_s: float = 0.0) -> bool:
        """Stop the program after `grace_s` seconds. Return whether it exited by itself."""
        mine = os.getpid() == self.starter  # a forked process only closes what it inherited
        if self.process.stdin:
            self.process.stdin.close()
        alone = not mine or self.wait_for_exit(grace_s) is not None
        if not alone:
            self.process.terminate()
            if self.wait_for_exit(10 * EXIT_GRACE_S) is None:
                self.process.kill()
                # This wait has a limit, because a signal handler may have interrupted another wait.
                self.has_exited(EXIT_GRACE_S)
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        self.open.clear()
        return alone


def environment(also: Sequence[str] = ()) -> dict[str, str]:
    passed = (*PASSED_ENV, *also)
    return {
        name: value
        for name, value in os.environ.items()
        if any(fnmatchcase(name, pattern) for pattern in passed)
    }


def in_words(status: int) -> str:
    """Describe an exit status, with the name of the signal if a signal ended the program.

    >>> in_words(3), in_words(139)
    ('status 3', 'status 139 (SIGSEGV)')
    """
    number = -status if status < 0 else status - 128
    known = {one.value: one.name for one in signal.Signals}
    return f"status {status} ({known[number]})" if number in known else f"status {status}"


PROTOCOL = 1
MAX_LINE_BYTES = 64 * 1024
MAX_SHOWN_CHARS = 160
NOT_JSON = "is not JSON"


def as_json(thing: object) -> object:
    """Convert any view of a game to JSON.

    >>> from number_duels import load
    >>> as_json(load("number-knot", numbers=3).start())
    {'line': [1, 2, 3], 'life': [10, 10], 'mover': 1}
    """
    if isinstance(thing, Enum):  # seats are 1 and 2, as in records
        return thing + 1 if isinstance(thing, Seat) else as_json(thing.value)
    if thing is None or isinstance(thing, bool | int | float | str):
        return thing
    if isinstance(thing, Mapping):
        return {str(key): as_json(value) for key, value in thing.items()}
    if isinstance(thing, tuple | list):
        return [as_json(one) for one in thing]
    if isinstance(thing, set | frozenset):
        return [as_json(one) for one in sorted(thing)]
    return parts(thing) if is_dataclass(thing) else str(thing)


def parts(thing: object) -> object:
    """Convert a dataclass to JSON: a plain value if it defines `__str__`, otherwise an object."""
    names = [field.name for field in fields(thing)]  # type: ignore[arg-type]  # is_dataclass said so
    if type(thing).__str__ is object.__str__:
        return {name: as_json(getattr(thing, name)) for name in names}
    return as_json(getattr(thing, names[0])) if len(names) == 1 else str(thing)


def encode(message: Mapping[str, object]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> dict[str, object]:
    try:
        found = json.loads(line.decode(), parse_constant=no_number, parse_float=finite)
    except UnicodeDecodeError:
        raise ValueError("its line is not valid UTF-8") from None
    except RecursionError:
        raise ValueError("its JSON is nested too deeply") from None
    except ValueError:
        raise ValueError(f"{shown(line)!r} {NOT_JSON}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{shown(line)!r} is not a JSON object")
    return found


def shown(line: bytes) -> str:
    return printable(line.decode(errors="replace").strip(), MAX_SHOWN_CHARS)
