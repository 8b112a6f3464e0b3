"""A connection: what is no HTTP is refused in a sentence, and descriptors are never used up."""

from __future__ import annotations

import json
import resource
import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.web.serving import COMMAND, HOST, Server

HEAD = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
#: For as many connections as a server has by itself, and what else it opens.
WANTED_FILES = 4096
LAST = b"Connection: close\r\n\r\n"


def exchange(server: Server, sent: bytes) -> bytes:
    """Everything that is answered to some bytes."""
    with socket.create_connection((HOST, server.port), timeout=20) as wire:
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
        (b"GET /" + b"x" * 17_000 + b" HTTP/1.1\r\n", 414),
        (HEAD + b"X: y\r\n" * 100 + b"\r\n", 431),
        (HEAD + b"X: " + b"y" * 33_000, 431),
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


def test_a_page_that_wants_a_socket_gets_an_ordinary_answer(server: Server) -> None:
    with socket.create_connection((HOST, server.port), timeout=20) as wire:
        wire.sendall(HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        assert wire.recv(100).startswith(b"HTTP/1.1 200 ")


def limited_server(folder: Path, limit: str) -> Server:
    """A server whose shell limits its descriptors."""
    command = ["sh", "-c", f'ulimit {limit}; exec "$@"', "sh", *COMMAND]
    found = Server(folder, f"sqlite:///{folder}/games.sqlite3", {}, {}, command)
    found.start()
    return found


def test_connections_stay_below_the_descriptors_that_there_are(tmp_path: Path) -> None:
    server = limited_server(tmp_path, "-n 150")
    try:
        assert "At most 54 connections at once, not 4000: this process may open 150 files" in (
            server.log
        )
        with ExitStack() as stack:
            wires = [
                stack.enter_context(socket.create_connection((HOST, server.port), timeout=20))
                for _ in range(200)
            ]
            assert wires[-1].recv(100).startswith(b"HTTP/1.1 503 ")
            wires[0].sendall(HEAD + b"\r\n")
            assert wires[0].recv(100).startswith(b"HTTP/1.1 200 "), "who is there stays"
        assert server.process is not None
        assert "Traceback" not in server.log
    finally:
        server.stop()


@pytest.mark.skipif(
    resource.getrlimit(resource.RLIMIT_NOFILE)[1] < WANTED_FILES, reason="it may not be, here"
)
def test_the_limit_of_descriptors_is_raised_if_it_may_be(tmp_path: Path) -> None:
    server = limited_server(tmp_path, "-Sn 256")
    try:
        assert server.process is not None
        limits = Path(f"/proc/{server.process.pid}/limits").read_text()
        assert limits.partition("Max open files")[2].split()[0] == str(WANTED_FILES)
        assert server.log == ""
    finally:
        server.stop()
