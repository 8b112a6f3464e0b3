"""Servers on loopback ports, each on a store of its own; everything on every kind of store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

from tests.web.forked import ForkedServer
from tests.web.people import GAME
from tests.web.postgres import Cluster, running_cluster
from tests.web.serving import Server

Clients = tuple[httpx.Client, httpx.Client]
#: The stores that the server is tested on.
STORES = ("sqlite", "postgres")
#: Files that show something of the store; of the others these tests are on PostgreSQL, too, in the
#: short run. All are in the long one: neither a page nor an answer knows what games are kept in.
ABOUT_THE_STORE = (
    "test_bounds.py",
    "test_migrations.py",
    "test_profiles.py",
    "test_repository.py",
    "test_train_book.py",
    "test_train_room.py",
)
ON_EVERY_STORE = (
    "test_two_programs_play_a_game_to_its_end",
    "test_the_record_of_a_game_is_replayed_by_the_rules",
    "test_a_move_sent_again_changes_nothing_even_after_the_end",
    "test_a_player_resigns",
    "test_a_rematch_swaps_the_seats",
    "test_the_computer_goes_on_after_a_crash",
    "test_logs_are_json_lines_without_secrets",
    "test_games_moves_requests_streams_and_errors_are_counted",
    "test_who_is_away_for_the_stated_time_forfeits",
    "test_of_too_many_finished_games_the_oldest_go",
)
#: A page hears of moves by another way where processes share a database: of two games that are
#: played to their end in a browser, one is on each.
IN_A_BROWSER = f"test_two_people_play_to_the_end[postgres-{GAME}]"
INSTEAD_OF = f"test_two_people_play_to_the_end[sqlite-{GAME}]"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave to the long run what PostgreSQL would show a second time."""
    here = Path(__file__).parent
    for item in items:
        name, _, case = item.name.partition("[")
        about_it = item.path.name in ABOUT_THE_STORE
        if item.name == INSTEAD_OF:
            item.add_marker(pytest.mark.slow)
        if here not in item.path.parents or "postgres" not in case or about_it:
            continue
        kept = (IN_A_BROWSER,) if item.path.parent.name == "browser" else ON_EVERY_STORE
        if item.name not in kept and name not in kept:
            item.add_marker(pytest.mark.slow)


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
        found = ForkedServer(folder, new_database(folder), named)
        running.append(found)
        found.start()
        return found

    yield start
    for one in running:
        one.kill()


@pytest.fixture(scope="session")
def strict_server() -> Iterator[Server]:
    """A server with narrow limits, which tests share."""
    limits = {"HEARTBEAT": "0.1", "CLIENT_STREAMS": "3"}
    rates = {"SEAT": ("0.1", "5"), "CODE": ("0.001", "5"), "PROFILE": ("0.001", "20")}
    rates["NEW_PROFILE"] = ("0.001", "3")
    for name, (rate, burst) in rates.items():
        limits |= {f"{name}_RATE": rate, f"{name}_BURST": burst}
    with TemporaryDirectory() as folder:
        named = {f"DUELS_{name}": value for name, value in limits.items()}
        found = ForkedServer(Path(folder), f"sqlite:///{folder}/games.sqlite3", named)
        found.start()
        yield found
        found.stop()


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    """A client of the shared server, without cookies."""
    with server.client() as client:
        yield client


@pytest.fixture(scope="session")
def both_servers(cluster: Cluster) -> Iterator[tuple[Server, Server]]:
    """Two processes on one database, for all tests."""
    database = cluster.new_database()
    with TemporaryDirectory() as first, TemporaryDirectory() as second:
        one, two = ForkedServer(Path(first), database), ForkedServer(Path(second), database)
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
        one.client() as first,
        two.client() as second,
    ):
        yield first, second
    assert "Traceback" not in one.log + two.log
