"""Servers on loopback ports, each on a store of its own: in this process, or where that is the
subject in processes of their own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import httpx
import pytest

from number_duels.core.clock import Clock
from number_duels.web.config import Config
from number_duels.web.db.notify import Notifier
from number_duels.web.db.repository import GameRepository
from number_duels.web.service.games import GameService
from tests.web.browsers import Browser, OpenBrowser
from tests.web.forked import ForkedServer
from tests.web.local import PATIENT_CLOCK, LocalServer
from tests.web.people import GAME
from tests.web.postgres import Cluster, running_cluster
from tests.web.serving import LIFTED, Server, run

Clients = tuple[httpx.Client, httpx.Client]
#: Called with settings, a test, and perhaps a clock.
WithService = Callable[..., None]
#: The stores that the server is tested on.
STORES = ("sqlite", "postgres")
#: What shows something of the store, and so is on PostgreSQL, too, in the short run. All is in the
#: long one: neither a page nor an answer knows what games are kept in.
ABOUT_THE_STORE = ("test_schema.py", "test_repository.py")
ON_EVERY_STORE = (
    "test_two_programs_play_a_game_to_its_end",
    "test_a_move_sent_again_changes_nothing_even_after_the_end",
    "test_a_rematch_swaps_the_seats",
    "test_of_too_many_finished_games_the_oldest_go",
    "test_profiles_that_nobody_uses_go_and_those_that_play_stay_longer",
    "test_a_code_works_once_even_at_the_same_instant",
    "test_games_of_the_other_browser_come_along_if_wanted",
    "test_a_forgotten_profile_is_gone_and_its_games_go_on",
    "test_a_book_is_carried_over_as_a_file_and_merged",
    "test_mistakes_of_ones_own_games_become_cards",
    "test_nothing_is_taken_from_one_book_because_of_another",
)
#: A page hears of moves by another way where processes share a database: of two games that are
#: played to their end in a browser, one is on each.
IN_A_BROWSER = f"test_two_people_play_to_the_end[postgres-{GAME}]"
INSTEAD_OF = f"test_two_people_play_to_the_end[sqlite-{GAME}]"


#: What needs more than this process.
REAL = {"cluster", "own_cluster", "own_process", "two_servers"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs PostgreSQL or other processes; leave to the long run what is shown twice."""
    here = Path(__file__).parent
    for item in items:
        if here not in item.path.parents:
            continue
        if "[postgres" in item.name or REAL & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.system)
        name, _, case = item.name.partition("[")
        about_it = item.path.name in ABOUT_THE_STORE
        if item.name == INSTEAD_OF:
            item.add_marker(pytest.mark.slow)
        if "postgres" not in case or about_it:
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
def server(new_database: Callable[[Path], str]) -> Iterator[LocalServer]:
    """A server that tests share; each opens tables of its own."""
    with TemporaryDirectory() as folder:
        found = LocalServer(Path(folder), new_database(Path(folder)))
        found.start()
        yield found
        found.stop()
        assert "Traceback" not in found.log, found.log


@pytest.fixture
def with_service(new_database: Callable[[Path], str], tmp_path: Path) -> WithService:
    """Runs a test with a service on a new store, which does nothing by itself."""

    async def whole(
        config: Config,
        test: Callable[[GameService], Awaitable[None]],
        clock: Clock = PATIENT_CLOCK,
    ) -> None:
        repository = GameRepository(new_database(tmp_path), config, clock)
        await repository.open()
        service = GameService(repository, config, Notifier())
        try:
            await test(service)
        finally:
            service.worker.close()
            await repository.close()

    return lambda *asked: run(whole(*asked))


@pytest.fixture
def browser(server: LocalServer) -> Iterator[OpenBrowser]:
    """Opens browsers; with a name, one that has a profile."""
    with ExitStack() as stack:
        yield lambda name="": Browser(stack.enter_context(server.client()), name)


@pytest.fixture
def own_server(
    new_database: Callable[[Path], str], tmp_path: Path
) -> Iterator[Callable[..., LocalServer]]:
    """Starts servers for one test, with settings and perhaps a clock of its own."""
    with ExitStack() as running:

        def start(clock: Clock = PATIENT_CLOCK, **settings: object) -> LocalServer:
            folder = Path(mkdtemp(dir=tmp_path))
            limits = {**LIFTED, **settings}
            found = LocalServer(folder, new_database(folder), settings=limits, clock=clock)
            running.callback(found.stop)
            found.start()
            return found

        yield start


@pytest.fixture
def own_process(
    new_database: Callable[[Path], str], tmp_path: Path
) -> Iterator[Callable[..., Server]]:
    """Starts servers in processes of their own, to be killed and restarted."""
    with ExitStack() as running:

        def start(**settings: object) -> Server:
            folder = Path(mkdtemp(dir=tmp_path))
            found = ForkedServer(folder, new_database(folder), settings={**LIFTED, **settings})
            running.callback(found.kill)
            found.start()
            return found

        yield start


@pytest.fixture(scope="session")
def strict_server() -> Iterator[LocalServer]:
    """A server with narrow limits, which tests share."""
    limits = {
        **LIFTED,
        "client_streams": 3,
        "expensive_rate": 0.001,
        "expensive_burst": 20,
    }
    with TemporaryDirectory() as folder:
        found = LocalServer(Path(folder), f"sqlite:///{folder}/games.sqlite3", settings=limits)
        found.start()
        yield found
        found.stop()


@pytest.fixture
def http(server: LocalServer) -> Iterator[httpx.Client]:
    """A client of the shared server, without cookies."""
    with server.client() as client:
        yield client


@pytest.fixture(scope="session")
def both_servers(cluster: Cluster) -> Iterator[tuple[Server, Server]]:
    """Two processes on one database, for all tests."""
    database = cluster.new_database()
    with TemporaryDirectory() as first, TemporaryDirectory() as second:
        one, two = (
            ForkedServer(Path(folder), database, settings={**LIFTED, "claim_after": 3})
            for folder in (first, second)
        )
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
