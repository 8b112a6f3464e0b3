"""Servers forked from a process that has imported what they need: that is most of their start."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from subprocess import TimeoutExpired

from tests.web import limited
from tests.web.serving import Server

FORKS = get_context("forkserver")
# What takes long to import, and this module, which the new process begins with.
FORKS.set_forkserver_preload(["number_duels.web.server", "asyncpg", "numpy", __name__])


def serve(
    arguments: Sequence[str], environment: Mapping[str, str], output: Connection, log: Path
) -> None:
    """Be the command, in a process of its own."""
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(output.fileno(), 1)
    os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT), 2)
    sys.exit(limited.serve(arguments))


class ForkedProcess:
    """A process that was forked elsewhere, with as much of `subprocess.Popen` as tests use."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str], log: Path) -> None:
        reading, writing = FORKS.Pipe(duplex=False)
        self._process = FORKS.Process(target=serve, args=(arguments, environment, writing, log))
        self._process.start()
        writing.close()
        assert self._process.pid is not None
        self.pid = self._process.pid
        self.stdout = os.fdopen(os.dup(reading.fileno()))
        reading.close()

    def send_signal(self, sig: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, sig)

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise TimeoutExpired(f"process {self.pid}", timeout or 0)
        return status


class ForkedServer(Server):
    """A server that starts in a moment; its command is always the usual one."""

    def new_process(self, options: list[str], environment: Mapping[str, str]) -> ForkedProcess:
        return ForkedProcess(options, environment, self.log_file)
