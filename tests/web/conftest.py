"""Servers on loopback ports, each on a store of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

from tests.web.serving import Server

#: The stores that the server is tested on; each gives a new, empty database in a folder.
STORES: dict[str, Callable[[Path], str]] = {
    "sqlite": lambda folder: f"sqlite:///{folder / 'games.sqlite3'}",
}


@pytest.fixture(scope="session", params=STORES)
def new_database(request: pytest.FixtureRequest) -> Callable[[Path], str]:
    """Makes the address of a new, empty database."""
    return STORES[request.param]


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
