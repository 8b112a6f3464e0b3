"""Commands forked from a process that has imported the program: that is most of their start.

`python -m tests.terminal.forking N` is that process; socket N tells it what to begin.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fcntl import ioctl
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from io import FileIO
from pathlib import Path
from select import select
from typing import Any

from tests.terminal.streams import Closing, open_streams

ROOT = Path(__file__).parents[2]
LONGEST_ORDER = 1 << 17
#: What every command imports, and what most of those at a terminal do.
PRELOADED = ("main", "parser", "commands.play", "commands.menu", "line.board")


class Forked:
    """A command in a process of its own, with as much of `subprocess.Popen` as tests use."""

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        streams: tuple[int, int, int],
        *,
        terminal: bool = False,
        largest_file: int | None = None,
        program: Sequence[str] = (),
    ) -> None:
        """Begin `duels ARGUMENTS`, or another program with these arguments."""
        self._news, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        order = json.dumps(
            {
                "arguments": arguments,
                "folder": str(folder),
                "environment": dict(environment),
                "terminal": terminal,
                "largest_file": largest_file,
                "program": program,
            }
        )
        with theirs:
            socket.send_fds(server(), [order.encode()], [theirs.fileno(), *streams])
        self.pid = int(self._news.recv(16))
        self.returncode: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, once the command has ended; TimeoutError when it does not."""
        if self.returncode is None:
            self._news.settimeout(timeout)
            self.returncode = int(self._news.recv(16))
            self._news.close()
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        if self.returncode is None:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def end(self) -> None:
        """Kill it, unless it has ended, and wait until it has."""
        self.kill()
        self.wait()


class Piped(Forked, Closing):
    """A command that is typed at, and listened to, through pipes."""

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        largest_file: int | None = None,
    ) -> None:
        (given, typed), (out, shown), (err, told) = os.pipe(), os.pipe(), os.pipe()
        streams = (given, shown, told)
        super().__init__(arguments, folder, environment, streams, largest_file=largest_file)
        for one in streams:
            os.close(one)
        self.stdin, self.stdout, self.stderr = FileIO(typed, "w"), FileIO(out), FileIO(err)

    def close(self) -> None:
        for one in (self.stdin, self.stdout, self.stderr):
            one.close()
        self.end()


@cache
def server() -> socket.socket:
    """The socket that orders go to; its process ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            cwd=ROOT,
            env={**os.environ, "LANG": "C.UTF-8"},
            start_new_session=True,  # Ctrl-C is for the tests
        )
    atexit.register(process.wait)
    atexit.register(ours.close)  # the last that is registered is the first that is done
    return ours


def serve(orders: socket.socket) -> None:
    """Fork a command for every order; returns only in such a fork, which then is the command."""
    running: dict[int, tuple[int, socket.socket]] = {}
    while True:
        ready, _, _ = select([orders.fileno(), *running], [], [])
        for ended in set(ready) & set(running):
            pid, news = running.pop(ended)
            os.close(ended)
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            with news:
                news.send(str(status).encode())
        if orders.fileno() not in ready:
            continue
        order, handles, _, _ = socket.recv_fds(orders, LONGEST_ORDER, 4)
        if not order:
            os._exit(0)
        told, *streams = handles
        news = socket.socket(fileno=told)
        if (pid := os.fork()) == 0:
            for ended, (_, other) in running.items():
                os.close(ended)
                other.close()
            news.close()
            orders.close()
            return become(json.loads(order), streams)
        for one in streams:
            os.close(one)
        running[os.pidfd_open(pid)] = (pid, news)
        news.send(str(pid).encode())


def become(order: dict[str, Any], streams: list[int]) -> None:
    """Turn this fork into what `python -m number_duels` would be."""
    if order["terminal"]:
        os.setsid()
        ioctl(streams[0], termios.TIOCSCTTY, 0)
    for number, one in enumerate(streams):
        os.dup2(one, number)
    for one in set(streams):
        os.close(one)
    if (size := order["largest_file"]) is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    os.chdir(order["folder"])
    if order["program"]:
        words = [*order["program"], *order["arguments"]]
        os.execvpe(words[0], words, order["environment"])
    os.environ.clear()
    os.environ.update(order["environment"])
    spec = find_spec("number_duels.__main__")
    assert spec is not None
    sys.modules["__main__"].__spec__ = spec  # for whatever starts this program once more
    sys.argv = [str(spec.origin), *order["arguments"]]
    sys.path[0] = order["folder"]
    sys.stdin, sys.stdout, sys.stderr = open_streams(os.environ)
    for name in ("stdin", "stdout", "stderr"):
        setattr(sys, f"__{name}__", getattr(sys, name))


if __name__ == "__main__":
    for name in PRELOADED:
        import_module(f"number_duels.terminal.{name}")
    gc.collect()
    gc.freeze()
    serve(socket.socket(fileno=int(sys.argv[1])))
    import_module("number_duels.terminal.main").main()
