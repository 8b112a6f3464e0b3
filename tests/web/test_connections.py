"""A connection: what is no HTTP is refused in a sentence, and descriptors are never used up."""

from __future__ import annotations

import json
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from number_duels.web.config import Config
from number_duels.web.connections import (
    MAX_PIPELINED,
    RESERVED_FILES,
    ConnectionLimits,
)
from tests.clock import ManualClock
from tests.patience import PATIENCE_S
from tests.web.local import LocalServer
from tests.web.serving import COMMAND, HOST, Server

HEAD = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
#: For as many connections as a server has by itself, and what else it opens.
WANTED_FILES = 4096
LAST = b"Connection: close\r\n\r\n"
POST = b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n"


def exchange(server: Server, sent: bytes) -> bytes:
    """Everything that is answered to some bytes."""
    with socket.create_connection((HOST, server.port), timeout=PATIENCE_S) as wire:
        wire.sendall(sent)
        found = b""
        while more := wire.recv(65536):
            found += more
    return found


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\n" + LAST, 400),
        (HEAD + b"Host: 127.0.0.1\r\n" + LAST, 400),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n", 414),
        (HEAD.replace(b"/healthz", b"/?" + b"x" * 2049) + LAST, 414),
        (HEAD + b"X: y\r\n" * 100 + b"\r\n", 431),
        (HEAD + b"X: " + b"y" * 9000, 431),
        (HEAD + b"Cookie: a=" + b"y" * 4095 + b"\r\n" + LAST, 431),
        (
            HEAD + b"Cookie: a=" + b"y" * 3000 + b"\r\nCookie: b=" + b"y" * 2000 + b"\r\n" + LAST,
            431,
        ),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", 411),
        (HEAD + b"Content-Length: 70000\r\n" + LAST, 413),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(
    server: Server, sent: bytes, status: int
) -> None:
    head, _, body = exchange(server, sent).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), head
    assert b"content-security-policy: default-src 'none'" in head.lower()
    assert json.loads(body)["error"].endswith(".")


def test_requests_that_are_sent_at_once_are_answered_in_their_order(server: Server) -> None:
    second = HEAD.replace(b"/healthz", b"/nothing")
    found = exchange(server, HEAD + b"\r\n" + second + b"\r\n" + HEAD + LAST)
    statuses = [part.split(b" ")[0] for part in found.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [b"200", b"404", b"200"]


def test_only_so_many_requests_wait_on_one_connection(server: Server) -> None:
    found = exchange(server, (HEAD + b"\r\n") * (3 * MAX_PIPELINED) + HEAD + LAST)
    assert found.count(b"HTTP/1.1 200 ") <= MAX_PIPELINED + 1


def test_a_page_that_wants_a_socket_gets_an_ordinary_answer(server: Server) -> None:
    with socket.create_connection((HOST, server.port), timeout=PATIENCE_S) as wire:
        wire.sendall(HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        assert wire.recv(100).startswith(b"HTTP/1.1 200 ")


# ---- how long one may take, and how many there may be -------------------------------


class Wires:
    """Connections to a server whose time passes when the test says so."""

    def __init__(self, server: LocalServer, clock: ManualClock) -> None:
        self.server, self.clock = server, clock
        assert server.running is not None
        self.limits: ConnectionLimits = server.running.app.state.connections
        self.stack = ExitStack()

    def open(self, sent: bytes = b"") -> socket.socket:
        """A new connection that the server has seen, and some bytes on it that it has read."""
        before = self.limits.open.copy()
        wire = socket.create_connection((HOST, self.server.port), timeout=PATIENCE_S)
        self.stack.enter_context(wire)
        wire.sendall(sent)
        if sent:
            self.server.until(lambda: any(one.unparsed for one in self.limits.open - before))
        return wire


@pytest.fixture
def connect(own_server: Callable[..., LocalServer]) -> Iterator[Callable[..., Wires]]:
    with ExitStack() as stack:

        def start(**settings: object) -> Wires:
            clock = ManualClock()
            found = Wires(own_server(clock, **settings), clock)
            stack.enter_context(found.stack)
            return found

        yield start


def received(wire: socket.socket) -> bytes:
    """Everything up to the end."""
    return b"".join(iter(lambda: wire.recv(65536), b""))


def test_a_head_that_does_not_arrive_in_time_is_refused(connect: Callable[..., Wires]) -> None:
    wires = connect(wait_time=10)
    wire = wires.open(HEAD)
    wires.clock.advance(9)
    wire.sendall(b"X: y\r\n")  # a little now and then is no excuse
    wires.clock.advance(1)
    assert received(wire).startswith(b"HTTP/1.1 408 ")


def test_a_body_that_does_not_arrive_in_time_is_refused(connect: Callable[..., Wires]) -> None:
    wires = connect(wait_time=20)
    wire = wires.open()
    wire.sendall(b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\n{")
    wires.clock.until_waiting(20, after=20)
    wires.clock.advance(20)
    assert received(wire).startswith(b"HTTP/1.1 400 ")


def test_a_connection_that_nobody_uses_is_ended(connect: Callable[..., Wires]) -> None:
    wires = connect(wait_time=25)
    wire = wires.open()
    wire.sendall(HEAD + b"\r\n")
    assert wire.recv(100).startswith(b"HTTP/1.1 200 ")
    (connection,) = wires.limits.open
    now = wires.clock.monotonic()
    wires.server.until(lambda: connection.deadline == now + 25)
    wires.clock.advance(25)
    received(wire)
    wires.server.until(lambda: not wires.limits.open)


def test_who_does_not_read_what_it_is_sent_is_cut_off(connect: Callable[..., Wires]) -> None:
    wires = connect(wait_time=25)
    wire = wires.open()
    wire.sendall(HEAD + b"\r\n")
    assert wire.recv(100).startswith(b"HTTP/1.1 200 ")
    (connection,) = wires.limits.open

    async def tell(*callbacks: Callable[[], None]) -> None:
        """As the transport does when its buffer is full, or empty again."""
        for callback in callbacks:
            callback()

    wires.server.run(tell(connection.pause_writing))
    wires.clock.advance(20)
    wires.server.run(tell(connection.resume_writing, connection.pause_writing))
    wires.clock.advance(24)
    assert not connection.overdue
    wires.clock.advance(1)
    received(wire)
    wires.server.until(lambda: not wires.limits.open)


@pytest.mark.parametrize(
    ("settings", "status"),
    [
        ({"open_connections": 2}, 503),
        ({"client_connections": 2, "trusted_proxies": "192.0.2.1"}, 429),
    ],
)
def test_more_connections_than_there_may_be_are_refused(
    connect: Callable[..., Wires], settings: dict[str, object], status: int
) -> None:
    wires = connect(**settings)
    first, _ = wires.open(HEAD), wires.open(HEAD)
    assert received(wires.open()).startswith(b"HTTP/1.1 %d " % status)
    first.sendall(b"\r\n")
    assert first.recv(100).startswith(b"HTTP/1.1 200 "), "who is there stays"


def test_a_proxy_has_as_many_connections_as_it_has_people(connect: Callable[..., Wires]) -> None:
    wires = connect(client_connections=2)
    opened = [wires.open(HEAD) for _ in range(4)]
    assert len(wires.limits.open) == len(opened)


# ---- descriptors --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("allowed", "most", "raised"),
    [
        ((100, 150), 150 - RESERVED_FILES, [150]),
        ((256, 10_000), 4000, [4000 + RESERVED_FILES]),
        ((256, resource.RLIM_INFINITY), 4000, [4000 + RESERVED_FILES]),
        ((9000, 9000), 4000, []),
        ((50, 50), 1, [50]),
    ],
)
def test_connections_fit_the_descriptors_that_there_are(
    allowed: tuple[int, int],
    most: int,
    raised: list[int],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: allowed)
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: asked.append(limits[0]))
    limits = ConnectionLimits(Config())
    limits.fit_descriptors()
    assert (limits.most, asked) == (most, raised)
    said = (
        f"Accepting {most} connections instead of 4000,"
        f" because this process may open only {allowed[1]} files"
    )
    assert (said in caplog.text) == (most < 4000)


@pytest.mark.system
@pytest.mark.skipif(
    resource.getrlimit(resource.RLIMIT_NOFILE)[1] < WANTED_FILES, reason="it may not be, here"
)
def test_the_limit_of_descriptors_is_raised_if_it_may_be(tmp_path: Path) -> None:
    command = ["sh", "-c", 'ulimit -Sn 256; exec "$@"', "sh", *COMMAND]
    server = Server(tmp_path, f"sqlite:///{tmp_path}/games.sqlite3", settings={}, command=command)
    server.start()
    try:
        assert server.process is not None
        limits = Path(f"/proc/{server.process.pid}/limits").read_text()
        assert limits.partition("Max open files")[2].split()[0] == str(WANTED_FILES)
        assert server.log == ""
    finally:
        server.stop()
