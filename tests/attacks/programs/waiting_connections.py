"""Connections that say nothing, half of a request, a byte now and then, or never read."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from tests.attacks.frame import Finding, Target

BOUND = "each ends within the time for which a connection may wait (2 s here) and 10 s more"
SETTINGS = {"wait_time": 2}
SHORT_SETTINGS = {"wait_time": 0.5}
#: Their times would end what other attacks keep open.
OWN_SERVER = True
EACH = 20
#: Two are enough to fill every buffer on the way, at a request of many kilobytes each.
NEVER_READS, UNREAD = "never reads", 2
LIMIT_S = 12.0
ESTABLISHED = "01"
HEAD = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
POST = b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\n"
#: What each kind sends at once, and then a byte at a time.
KINDS = {
    "silent": (b"", b""),
    "half a head": (HEAD, b""),
    "a head in drops": (HEAD, b"x"),
    "half a body": (POST + b"Content-Length: 50\r\n\r\n{", b""),
    "a body in drops": (POST + b"Content-Length: 5000\r\n\r\n{", b" "),
    "nothing more": (HEAD + b"\r\n", b""),
    "trailers in drops": (POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX-Trailer: ", b"x"),
    NEVER_READS: (
        b"",
        (HEAD.replace(b"/healthz", b"/static/fonts/inter-latin.woff2") + b"\r\n") * 10,
    ),
}


def attack(target: Target) -> Finding:
    """Attack."""
    waiting: list[tuple[str, socket.socket]] = []
    for kind, (first, _) in KINDS.items():
        for _ in range(UNREAD if kind == NEVER_READS else EACH):
            wire = target.connect()
            wire.setblocking(False)
            wire.send(first)
            waiting.append((kind, wire))
    count, began = len(waiting), monotonic()
    while waiting and monotonic() - began < LIMIT_S + target.slack_s:
        sleep(0.25)
        waiting = [(kind, wire) for kind, wire in waiting if is_open(target, kind, wire)]
    took = monotonic() - began
    for _, wire in waiting:
        wire.close()
    left = sorted({kind for kind, _ in waiting})
    seen = f"still open: {', '.join(left)}" if left else f"all {count} ended within {took:.0f} s"
    return Finding(not left, seen)


def is_open(target: Target, kind: str, wire: socket.socket) -> bool:
    """Whether the server still holds a connection, to which a drop is sent."""
    try:
        with suppress(BlockingIOError):
            wire.send(KINDS[kind][1])
        if is_held(target, wire) if kind == NEVER_READS else wire.recv(65536):
            return True
    except BlockingIOError:
        return True
    except OSError:
        pass
    wire.close()
    return False


def is_held(target: Target, wire: socket.socket) -> bool:
    """Whether the server has the other end, by what the system knows of its connections."""
    ends = f":{target.port:04X}", f":{wire.getsockname()[1]:04X}"
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return any((row[1][8:], row[2][8:], row[3]) == (*ends, ESTABLISHED) for row in rows)
