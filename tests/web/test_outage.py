"""PostgreSQL goes away in mid-game: everybody is told so in a sentence, and then play goes on."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from random import Random

import httpx
import pytest

import number_duels as nd
from tests.patience import PATIENCE_S
from tests.web.browsers import Browser
from tests.web.forked import ForkedServer
from tests.web.people import Guest, pair, play_out, start, step
from tests.web.postgres import Cluster, running_cluster
from tests.web.serving import COMMAND, HOST, LIFTED, Server, free_port, until

PROFILE_CALLS = (
    ("GET", ""),
    ("POST", ""),
    ("DELETE", ""),
    ("GET", "statistics"),
    ("GET", "records"),
    ("POST", "code"),
    ("POST", "redeem"),
)


@pytest.fixture(scope="module")
def own_cluster() -> Iterator[Cluster]:
    """A PostgreSQL that tests stop and start again."""
    with running_cluster() as found:
        yield found


@pytest.fixture(scope="module")
def served(own_cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a PostgreSQL that may go away."""
    folder = tmp_path_factory.mktemp("served")
    found = ForkedServer(folder, own_cluster.new_database(), settings={**LIFTED, "takeover": 0.5})
    found.start()
    yield found
    found.stop()
    assert "Traceback" not in found.log, found.log


def until_ready(http: httpx.Client) -> None:
    until(lambda: http.get("/readyz").status_code == 200)


def away(answer: httpx.Response) -> None:
    """What everybody is told while it is away."""
    assert answer.status_code == 503, answer.text
    assert answer.json() == {"error": "The database does not answer; try again in a moment."}
    assert answer.headers["retry-after"]


@pytest.mark.parametrize("how", ["fast", "immediate"])
def test_play_goes_on_after_postgresql_was_restarted(
    own_cluster: Cluster, served: Server, how: str
) -> None:
    with served.client() as http, ExitStack() as stack:
        tables = [(pair(http, game, seed=3), Random(game)) for game in nd.games()]
        computers = [start(http, game, opponent="random", seed=3) for game in nd.games()]
        streams = [one.listen() for (one, _), _ in tables]
        for stream in streams:
            stream.until_version(1)
        for (one, two), rng in tables:
            step(one, rng)
            step(two, rng)
        before = [Guest(http, one.id).view() for (one, _), _ in tables]
        ann = Browser(stack.enter_context(served.client()), "Ann")
        table = ann.start(nd.games()[0])

        own_cluster.stop(how)
        for (one, two), _ in tables:
            for guest in (one, two):
                away(guest.get())
                away(guest.move(1, "1"))
                away(guest.post("resign"))
        away(computers[0].post("resign"))
        away(http.post("/api/games", json={"game": nd.games()[0]}))
        away(http.get(f"/api/games/{tables[0][0][0].id}/events"))
        away(table.get())
        for method, what in PROFILE_CALLS:
            away(ann.ask(method, what, **({"code": "x"} if what == "redeem" else {})))
        assert http.get("/healthz").status_code == 200, "to start it again would not help"
        assert http.get("/readyz").status_code == 503
        assert http.get("/api/catalogue").status_code == 200

        own_cluster.start()
        until_ready(http)
        assert [line["id"] for line in ann.me()["running"]] == [table.id]
        for ((one, two), rng), view, stream in zip(tables, before, streams, strict=True):
            assert Guest(http, one.id).view()["moves"] == view["moves"], "nothing was lost"
            end = play_out((one, two), rng)
            assert stream.until_version(end["version"])["over"], "the stream has stayed open"
            stream.close()
        for person in computers:
            assert play_out((person,), Random(1))["over"]


def test_the_computer_moves_by_itself_once_postgresql_is_back(
    own_cluster: Cluster, served: Server
) -> None:
    """Who has moved before it went away, and only looks on, sees the answer when it is back."""
    with served.client() as http:
        people = [start(http, game, opponent="random", seed=n) for n, game in enumerate(nd.games())]
        streams = [person.listen() for person in people]
        for person, stream in zip(people, streams, strict=True):
            stream.until(lambda found: found and (found[-1]["options"] or found[-1]["draw"]))
            for _ in range(3):
                step(person, Random(1))
        own_cluster.stop("immediate")
        own_cluster.start()
        until_ready(http)
        for stream in streams:
            stream.until(
                lambda found: found[-1]["options"] or found[-1]["draw"] or found[-1]["over"]
            )
            stream.close()


@pytest.mark.system
def test_a_server_that_starts_without_its_database_says_so() -> None:
    nowhere = f"postgresql://me:secret@{HOST}:{free_port()}/games"
    done = subprocess.run(
        [*COMMAND, "--port", "0", "--database", nowhere],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("duels: The database cannot be used: ")
    assert done.stderr.count("\n") == 1
    assert "secret" not in done.stderr
