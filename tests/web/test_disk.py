"""Ready means that a game could be written now."""

from __future__ import annotations

import resource
from pathlib import Path

import httpx
import pytest

from tests.clock import ManualClock
from tests.web.forked import ForkedServer
from tests.web.local import LocalServer
from tests.web.people import GAME, start
from tests.web.postgres import Cluster
from tests.web.serving import until


def until_ready(http: httpx.Client, status: int) -> None:
    """Wait until the probe answers so."""
    until(lambda: http.get("/readyz").status_code == status)


@pytest.mark.system
def test_a_full_disk_is_not_ready_until_there_is_room(tmp_path: Path) -> None:
    server = ForkedServer(tmp_path, f"sqlite:///{tmp_path}/games.sqlite3")
    server.start()
    assert server.process is not None
    with server.client() as http:
        game = start(http, GAME)
        unlimited = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
        # No file can grow past this: to who writes it is as a disk that is full.
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (512, unlimited[1]))
        answer = http.get("/readyz")
        assert (answer.status_code, list(answer.json())) == (503, ["error"])
        assert game.post("resign").status_code == 503
        assert http.get("/healthz").status_code == 200
        assert not game.view()["over"], "what was not written did not happen"
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, unlimited)
        until_ready(http, 200)
        assert game.post("resign").json()["over"]
    assert server.stop() == 0


def test_a_file_that_was_moved_away_is_not_ready(tmp_path: Path) -> None:
    server = LocalServer(tmp_path, f"sqlite:///{tmp_path}/games.sqlite3", clock=ManualClock())
    server.start()
    with server.client() as http:
        (tmp_path / "games.sqlite3").rename(tmp_path / "elsewhere.sqlite3")
        assert http.get("/readyz").status_code == 503
        (tmp_path / "elsewhere.sqlite3").rename(tmp_path / "games.sqlite3")
        answer = http.get("/readyz")
        assert answer.status_code == 200, answer.text
    assert server.stop() == 0


def test_a_database_that_can_only_be_read_is_not_ready(cluster: Cluster, tmp_path: Path) -> None:
    server = ForkedServer(tmp_path, cluster.new_database())
    server.start()
    role = server.database.partition("//")[2].partition("@")[0]
    hang_up = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{role}'"
    with server.client() as http:
        cluster.ask(f"ALTER ROLE {role} SET default_transaction_read_only = on")
        cluster.ask(hang_up)
        until_ready(http, 503)
        assert http.get("/healthz").status_code == 200
        cluster.ask(f"ALTER ROLE {role} RESET default_transaction_read_only")
        cluster.ask(hang_up)
        until_ready(http, 200)
    assert server.stop() == 0
