"""Servers on loopback ports, each on a store of its own; everything on every kind of store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

from tests.web.postgres import Cluster, running_cluster
from tests.web.serving import Server

Clients = tuple[httpx.Client, httpx.Client]
#: The stores that the server is tested on.
STORES = ("sqlite", "postgres")


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL that tests share; each has databases of its own."""
    with running_cluster() as found:
        yield found


@pytest.fixture(scope="session", params=STORES)
def new_database(request: pytest.FixtureRequest) -> Callable[[Path], str]:
    """Makes the address of a new, empty database."""
    if request.param == "sqlite":
        return lambda folder: f"sqlite:///{folder / 'games.sqlite3'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    return lambda _: cluster.new_database()


@pytest.fixture(scope="session")
def server(new_database: Callable[[Path], str]) -> Iterator[Server]:
    """A server that tests share; each opens tables of its own."""
    with TemporaryDirectory() as folder:
        found = Server(Path(folder), new_database(Path(folder)))
        found.start()
        yield found
        found.stop()
        assert "Traceback" not in found.log, found.log


@pytest.fixture
def own_server(
    new_database: Callable[[Path], str], tmp_path: Path
) -> Iterator[Callable[..., Server]]:
    """Starts servers for one test, with settings of its own; to be killed and restarted."""
    running: list[Server] = []

    def start(**settings: str) -> Server:
        folder = tmp_path / f"server-{len(running)}"
        folder.mkdir()
        named = {f"DUELS_{name.upper()}": value for name, value in settings.items()}
        found = Server(folder, new_database(folder), named)
        running.append(found)
        found.start()
        return found

    yield start
    for one in running:
        one.stop()


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    """A client of the shared server, without cookies."""
    with httpx.Client(base_url=server.url, timeout=30) as client:
        yield client


@pytest.fixture(scope="session")
def both_servers(cluster: Cluster) -> Iterator[tuple[Server, Server]]:
    """Two processes on one database, for all tests."""
    database = cluster.new_database()
    with TemporaryDirectory() as first, TemporaryDirectory() as second:
        one, two = Server(Path(first), database), Server(Path(second), database)
        yield one, two
        one.stop()
        two.stop()


@pytest.fixture
def two_servers(both_servers: tuple[Server, Server]) -> tuple[Server, Server]:
    """Two processes on one database, both running; a test may kill them."""
    ended = [server for server in both_servers if server.process is None]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(Server.start, ended))
    return both_servers


@pytest.fixture
def clients(two_servers: tuple[Server, Server]) -> Iterator[Clients]:
    """A client of each process."""
    one, two = two_servers
    with (
        httpx.Client(base_url=one.url, timeout=30) as first,
        httpx.Client(base_url=two.url, timeout=30) as second,
    ):
        yield first, second
    assert "Traceback" not in one.log + two.log
