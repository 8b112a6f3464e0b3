"""The servers that `serving.py` loads, on databases of their own, and how hard they work."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.web.limited import as_variable
from tests.web.postgres import OPTIONS, running_cluster
from tests.web.serving import COMMAND

SERVE = [*COMMAND, "--port", "0", "--database"]
#: What is compared: the kind of database, and how many processes are on it.
SETUPS = {"sqlite": 1, "postgres": 1, "postgres-2": 2}
#: One address plays for everybody here, so a client's limits are lifted.
LIMITS: dict[str, object] = {"strictness": "off"}


def memory(pid: int) -> float:
    """What a process holds in memory, in kB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return float(status.partition("VmRSS:")[2].split()[0])


def cpu(pids: Iterable[int]) -> float:
    """How long processes have worked, in seconds, with those of their children that ended."""
    found = 0
    for pid in pids:
        with suppress(FileNotFoundError):
            ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[11:15]
            found += sum(map(int, ticks))
    return found / os.sysconf("SC_CLK_TCK")


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@dataclass
class Work:
    """How long the servers and the database have worked since this was made."""

    servers: list[int]
    database: int | None
    began: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        self.began = self.now()

    def now(self) -> tuple[float, float]:
        """Seconds of the servers, and of the database."""
        backends = [self.database, *children(self.database)] if self.database else []
        return cpu(self.servers), cpu(backends)

    def done(self) -> tuple[float, float]:
        """Seconds since."""
        now = self.now()
        return now[0] - self.began[0], now[1] - self.began[1]


@dataclass
class Servers:
    """Servers that run, and where."""

    name: str
    servers: list[int]
    ports: list[int]
    database: int | None


@contextmanager
def start_servers(name: str) -> Iterator[Servers]:
    """The servers of a setup on a new database."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database, pid = f"sqlite:///{folder}/games.sqlite3", None
        if name.startswith("postgres"):
            OPTIONS["fsync"] = "on"  # SQLite waits for the disk, too
            cluster = stack.enter_context(running_cluster())
            database = cluster.new_database()
            pid = int((cluster.folder / "data" / "postmaster.pid").read_text().split()[0])
        servers, ports = [], []
        for _ in range(SETUPS[name]):
            server = subprocess.Popen(
                [*SERVE, database],
                env={**os.environ, **as_variable(LIMITS)},
                stdout=subprocess.PIPE,
                text=True,
            )
            stack.callback(server.wait, 30)
            stack.callback(server.terminate)
            assert server.stdout is not None
            ports.append(int(server.stdout.readline().rsplit(":", 1)[1].strip("/\n")))
            servers.append(server.pid)
        yield Servers(name, servers, ports, pid)
