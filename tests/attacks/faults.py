"""What may happen to a server and its database, for as long as a block lasts."""

from __future__ import annotations

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from tests.web.postgres import Cluster
from tests.web.serving import Server

#: No file grows past this while the disk is full.
FULL_DISK_BYTES = 512
MONTH_S = 30 * 24 * 60 * 60


@contextmanager
def killed(server: Server, _: Cluster | None) -> Iterator[str]:
    server.kill()
    yield "killed a server"
    server.restart()


@contextmanager
def restarted(_: Server, cluster: Cluster | None) -> Iterator[str]:
    if cluster is None:
        yield "nothing"
        return
    cluster.stop("immediate")
    yield "stopped PostgreSQL as a crash would"
    cluster.start()


@contextmanager
def wrong_clock(server: Server, cluster: Cluster | None) -> Iterator[str]:
    jump(server.database, cluster, MONTH_S)
    yield "set the clock a month ahead"
    jump(server.database, cluster, -MONTH_S)


@contextmanager
def full_disk(server: Server, cluster: Cluster | None) -> Iterator[str]:
    if cluster:
        role = server.database.partition("//")[2].partition("@")[0]
        hang_up = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{role}'"
        cluster.ask(f"ALTER ROLE {role} SET default_transaction_read_only = on")
        cluster.ask(hang_up)
        yield "let PostgreSQL write nothing"
        cluster.ask(f"ALTER ROLE {role} RESET default_transaction_read_only")
        cluster.ask(hang_up)
        return
    assert server.process is not None
    before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (FULL_DISK_BYTES, before[1]))
    yield "filled the disk"
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)


FAULTS = killed, restarted, wrong_clock, full_disk


def jump(database: str, cluster: Cluster | None, seconds: int) -> None:
    """Let the store see its machine's clock jump, by when it was last looked at."""
    statement = f"UPDATE clock SET seen = seen - {seconds}"
    if cluster:
        cluster.ask(statement, database)
        return
    with closing(sqlite3.connect(database.removeprefix("sqlite:///"), timeout=10)) as connection:
        connection.execute(statement)
        connection.commit()
