"""`duels serve` as it is typed: the address on standard output, every failure in a sentence."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from queue import Queue

import httpx
import pytest

from number_duels.terminal.main import run
from number_duels.web.config import Limits
from number_duels.web.network import network_hosts
from number_duels.web.server import Server
from tests.patience import PATIENCE_S

COMMAND = [sys.executable, "-m", "number_duels", "serve"]
Refused = Callable[..., tuple[int, str]]


def fails(*arguments: str, **environment: str) -> tuple[int, str]:
    """The status and the sentence of a command that does not start a server."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, **environment},
        check=False,
    )
    return done.returncode, the_sentence(done.stdout, done.stderr)


def the_sentence(out: str, err: str) -> str:
    """All that a command says which fails."""
    assert out == ""
    assert err.startswith("duels: ")
    assert err.count("\n") == 1, err
    return err


@pytest.fixture
def refused(capfd: pytest.CaptureFixture[str]) -> Refused:
    """As `fails`, in this process: for what is refused before anything is begun."""

    def run_here(*arguments: str) -> tuple[int, str]:
        status = run(["serve", *arguments])
        return status, the_sentence(*capfd.readouterr())

    return run_here


@pytest.mark.system
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_the_address_and_stops_when_told(tmp_path: Path, by: signal.Signals) -> None:
    with subprocess.Popen(
        [*COMMAND, "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        address = server.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        assert httpx.get(f"{address}healthz", timeout=PATIENCE_S).json() == {"ok": True}
        assert "Number Duels" in httpx.get(address, timeout=PATIENCE_S).text
        os.killpg(server.pid, by)  # as a terminal and systemd do
        rest, messages = server.communicate(timeout=PATIENCE_S)
    assert (server.returncode, rest, messages) == (0, "", "")
    assert list(tmp_path.glob("xdg-data/number-duels/server.sqlite3"))


@pytest.fixture
def quiet_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command changes its process for good; this one it leaves as it is."""
    monkeypatch.setattr("number_duels.web.server.set_up_logs", lambda _: None)
    monkeypatch.setattr("number_duels.web.server.settle_garbage", lambda: None)
    monkeypatch.setattr("sys.setswitchinterval", lambda _: None)
    monkeypatch.setattr("resource.setrlimit", lambda *_: None)


@pytest.mark.usefixtures("quiet_process")
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_it_prints_every_address_once_it_answers(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    host: str,
) -> None:
    ready = Queue[Server]()

    class Told(Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready.put(self)

    monkeypatch.setattr("number_duels.web.server.Server", Told)
    options = ["serve", "--host", host, "--port", "0", "--database", f"sqlite:///{tmp_path}/x"]
    with ThreadPoolExecutor(1) as threads:
        command = threads.submit(run, options)
        server = ready.get(timeout=PATIENCE_S)
        here, *there = capsys.readouterr().out.split()
        name = "localhost" if host == "0.0.0.0" else host
        others = [one for one in network_hosts() if ":" not in one] if name == "localhost" else []
        assert here.startswith(f"http://{name}:")
        assert there == [here.replace(name, other) for other in others]
        assert httpx.get(f"{here}healthz", timeout=PATIENCE_S).json() == {"ok": True}
        assert "Number Duels" in httpx.get(here, timeout=PATIENCE_S).text
        assert server.sweeper is not None
        assert server.app.state.service.worker.moves._pool, "the first move waits for nothing"
        server.should_exit = True
        assert command.result(timeout=PATIENCE_S) == 0
    assert capsys.readouterr().out == ""


def test_a_port_in_use(tmp_path: Path, refused: Refused) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        status, sentence = refused("--port", port, "--database", f"sqlite:///{tmp_path}/x")
    assert status == 1
    assert f"port {port} cannot be used" in sentence


@pytest.mark.parametrize("host", ["999.1.1.1", "203.0.113.7", "a..b"])
def test_a_host_that_is_not_here_is_named(host: str, tmp_path: Path, refused: Refused) -> None:
    status, sentence = refused("--host", host, "--database", f"sqlite:///{tmp_path}/x")
    assert status == 1
    assert f"--host {host} is not an address of this machine" in sentence
    assert "--port" not in sentence


@pytest.mark.parametrize(
    "url",
    ["mysql://x/y", "sqlite://", "postgresql://u@h:99999/d", "postgresql://u@h:secret/d"],
)
def test_a_database_that_there_is_not(url: str, refused: Refused) -> None:
    status, sentence = refused("--port", "0", "--database", url)
    assert status == 2
    assert "sqlite:///FILE" in sentence
    assert "secret" not in sentence


@pytest.mark.system
def test_a_driver_that_is_missing_is_told_with_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "asyncpg.py").write_text("raise ModuleNotFoundError(name='asyncpg')")
    url = "postgresql://nobody@127.0.0.1:1/nothing"
    status, sentence = fails("--port", "0", "--database", url, PYTHONPATH=str(tmp_path))
    assert status == 1
    assert "pip install 'number-duels[distributed]'" in sentence


@pytest.mark.usefixtures("quiet_process")
def test_a_database_that_cannot_be_opened(
    tmp_path: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Its thread would outlive the loop now and then, and end with a traceback.
    monkeypatch.setattr("aiosqlite.connect", lambda *_, **__: pytest.fail("a thread is started"))
    (tmp_path / "file").write_text("this is no database, it is a file with other things in it")
    for url in (f"sqlite:///{tmp_path}", f"sqlite:///{tmp_path}/file"):
        status, sentence = refused("--port", "0", "--database", url)
        assert status == 1
        assert "database" in sentence


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--prot", "There is no option --prot; the nearest is --port. See: duels serve --help"),
        ("--client-rate", "There is no option --client-rate"),
        ("--port=70000", "--port must be 0 to 65535, not '70000'"),
        ("--strictness=much", "--strictness must be off or normal or strict, not 'much'"),
    ],
)
def test_a_wrong_option(option: str, said: str, refused: Refused) -> None:
    status, sentence = refused(option)
    assert status == 2
    assert said in sentence


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("prot = 1", "prot is not an option; the options are host, port, "),
        ("port = 'many'", "port must be 0 to 65535, not 'many'"),
        ("port =", "cannot be read: "),
        (None, "cannot be read: No such file"),
    ],
)
def test_a_wrong_file_of_options(
    text: str | None, said: str, tmp_path: Path, refused: Refused
) -> None:
    file = tmp_path / "serve.toml"
    if text is not None:
        file.write_text(text)
    status, sentence = refused("--config", str(file))
    assert status == 2
    assert str(file) in sentence
    assert said in sentence


def test_the_limits_are_shown_with_their_units(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--show-limits", "--strictness", "strict"]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    assert len(out.splitlines()) == len(fields(Limits))
    assert re.search(r"^request_rate +37.5  per second +requests from one client", out, re.M)
    assert re.search(r"^body_limit +65,536  bytes", out, re.M)


@pytest.mark.system
def test_what_is_missing_is_told_with_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "fastapi.py").write_text("raise ModuleNotFoundError(name='fastapi')")
    status, sentence = fails("--port", "0", PYTHONPATH=str(tmp_path))
    assert status == 1
    assert "pip install 'number-duels[web]'" in sentence
