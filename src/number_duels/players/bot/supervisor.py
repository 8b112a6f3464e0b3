"""Run one bot, and kill all its processes when it ends.

Call it as `python -I -S supervisor.py STARTER LIMITS COMMAND…`. STARTER is the parent's process id.
LIMITS has three numbers, separated by commas: memory in MiB, additional processes, and open files.
0 means no limit. The exit status is the bot's. To start fast, this file imports only the standard
library.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
import time
from contextlib import suppress

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
CANNOT_START = 127
#: A request to end, the exit of a child, and the exit of the thread that started this process.
SIGNALS = {signal.SIGTERM, signal.SIGCHLD, signal.SIGUSR1}
#: After this time, the supervisor gives up on a bot that forks faster than it can kill.
KILL_TIMEOUT_S = 5.0


def prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def start(words: list[str], limits: list[int], before: set[signal.Signals]) -> int:
    """Start the bot in its own session, and return its process id."""
    supervisor = os.getpid()
    bot = os.fork()
    if bot:
        return bot
    try:
        os.setsid()
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != supervisor:
            os._exit(CANNOT_START)
        for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores these
            signal.signal(ignored, signal.SIG_DFL)
        limit_resources(*limits)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.execvp(words[0], words)
    except OSError as error:
        os.write(2, f"{words[0]} cannot be started: {error.strerror}\n".encode())
    os._exit(CANNOT_START)


def limit_resources(memory_mib: int, processes: int, open_files: int) -> None:
    """Limit the resources of this process and its children. Keep limits that are already lower."""
    # Linux counts writable memory, but not address space that a runtime only reserves. Other
    # systems count less, or nothing.
    lower(resource.RLIMIT_DATA, memory_mib * 1024 * 1024)
    # The system counts all threads of the user, including those that already run.
    threads = user_threads() if processes else 0
    lower(resource.RLIMIT_NPROC, threads and threads + processes)
    lower(resource.RLIMIT_NOFILE, open_files)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def lower(which: int, most: int) -> None:
    now = resource.getrlimit(which)[1]
    if most and (now == resource.RLIM_INFINITY or most < now):
        resource.setrlimit(which, (most, most))


def user_threads() -> int:
    found, user = 0, os.getuid()
    for pid in processes():
        with suppress(OSError):
            tasks = os.stat(f"/proc/{pid}/task")  # noqa: PTH116  # as in `read`
            found += tasks.st_nlink - 2 if tasks.st_uid == user else 0
    return found


def watch(bot: int, starter: int) -> int | None:
    """Wait for the bot to exit. Return its exit status, or None if it must be killed."""
    while os.getppid() == starter:
        heard = signal.sigwait(SIGNALS)
        if heard == signal.SIGTERM:
            return None
        while heard == signal.SIGCHLD:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == bot:
                return os.waitstatus_to_exitcode(status)
            if not pid:
                break
    return None


def kill_descendants(bot: int, over: bool) -> None:
    if not over:
        with suppress(OSError):  # its session may not exist yet
            os.killpg(bot, signal.SIGKILL)
    until = time.monotonic() + KILL_TIMEOUT_S
    while time.monotonic() < until:
        for child in children():  # on Linux, orphans become children of this process
            with suppress(PermissionError):
                os.kill(child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0)  # a longer sleep would never catch a child that keeps forking and exiting


def children() -> list[int]:
    me = os.getpid()
    try:
        return list(map(int, read(f"/proc/{me}/task/{me}/children").split()))
    except OSError:  # a kernel without that file
        return [pid for pid in processes() if parent(pid) == me]


def processes() -> list[int]:
    try:
        return [int(folder.name) for folder in os.scandir("/proc") if folder.name.isdigit()]
    except OSError:
        return []


def parent(pid: int) -> int | None:
    with suppress(OSError):
        return int(read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[1])
    return None


def read(path: str) -> bytes:
    # Importing pathlib takes long.
    with open(path, "rb") as file:  # noqa: PTH123
        return file.read()


def main() -> int:
    starter, words = int(sys.argv[1]), sys.argv[3:]
    limits = [int(limit) for limit in sys.argv[2].split(",")]
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if ignored, exit statuses are lost
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    prctl(PR_SET_PDEATHSIG, signal.SIGUSR1)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    bot = start(words, limits, {signal.Signals(one) for one in before})
    nowhere = os.open(os.devnull, os.O_RDWR)
    for pipe in (0, 1, 2):  # only the bot holds the pipes, so they close when it exits
        os.dup2(nowhere, pipe)
    status = watch(bot, starter)
    kill_descendants(bot, over=status is not None)
    return 128 + signal.SIGKILL if status is None else status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main())
