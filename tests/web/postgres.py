"""A PostgreSQL of our own, in a folder of its own, which a test can stop and start again."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

from tests.conftest import require
from tests.patience import PATIENCE_S
from tests.web.serving import HOST, free_port

OWNER = "duels"
OPTIONS = {
    # The disk is not what is tested, and the machine does not lose power.
    "fsync": "off",
    "max_connections": "200",
    "shared_buffers": "32MB",
}


def programs() -> Path | None:
    """Where PostgreSQL's programs are; Debian does not put them on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    there = shutil.which("initdb")
    return found[-1].parent if found else Path(there).parent if there else None


@dataclass
class Cluster:
    """One PostgreSQL server."""

    folder: Path
    programs: Path
    user: str | None
    port: int = field(default_factory=free_port)
    numbers: Iterator[int] = field(default_factory=count)

    def run(self, program: str, *arguments: str) -> str:
        """What one of PostgreSQL's programs says."""
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            user=self.user,
            group=self.user and pwd.getpwnam(self.user).pw_gid,
            extra_groups=[] if self.user else None,
            cwd=self.folder,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def make(self) -> None:
        """Make its files."""
        files = ["-D", f"{self.folder}/data", "-U", OWNER, "-E", "UTF8", "--locale=C"]
        self.run("initdb", *files, "--auth=trust", "--no-sync")

    def start(self) -> None:
        """Start, and wait until it answers."""
        options = {**OPTIONS, "listen_addresses": HOST, "unix_socket_directories": self.folder}
        told = " ".join(f"-c {name}={value}" for name, value in options.items())
        data, log = f"{self.folder}/data", f"{self.folder}/log"
        self.run("pg_ctl", "start", "-w", "-D", data, "-l", log, "-o", f"-p {self.port} {told}")

    def stop(self, how: str = "fast") -> None:
        """Stop; `immediate` is as a crash would."""
        self.run("pg_ctl", "stop", "-w", "-D", f"{self.folder}/data", "-m", how)

    def ask(self, statement: str, url: str | None = None) -> list[str]:
        """The rows that a statement gives."""
        place = ["-d", url or f"postgresql://{OWNER}@{HOST}:{self.port}/postgres"]
        return self.run("psql", *place, "-qAtX", "-c", statement).splitlines()

    def new_database(self) -> str:
        """The address of what is a new, empty database to who uses it.

        It is a schema of a role's own, as a whole database is a thousand files.
        """
        name = f"games_{next(self.numbers)}"
        self.ask(f"CREATE ROLE {name} LOGIN; CREATE SCHEMA {name} AUTHORIZATION {name}")
        return f"postgresql://{name}@{HOST}:{self.port}/postgres"


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A new PostgreSQL, for as long as it is wanted."""
    found = programs()
    require(found, "PostgreSQL's server", "apt-get install postgresql")
    assert found is not None
    # It refuses to run as root.
    names = [one.pw_name for one in pwd.getpwall()]
    user = ("postgres" if "postgres" in names else "nobody") if os.geteuid() == 0 else None
    folder = Path(mkdtemp(prefix="number-duels-postgres-"))
    try:
        if user:
            shutil.chown(folder, user)
        cluster = Cluster(folder, found, user)
        cluster.make()
        cluster.start()
        try:
            yield cluster
        finally:
            if (folder / "data" / "postmaster.pid").exists():
                cluster.stop("immediate")
    finally:
        shutil.rmtree(folder)
