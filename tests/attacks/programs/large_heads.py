"""Requests with thousands of headers, an endless address, a long query or many cookies."""

from __future__ import annotations

from contextlib import suppress

from tests.attacks.frame import Finding, Target, status_of

BOUND = "431 for headers and cookies, 414 for the address and its query"
HOST = b" HTTP/1.1\r\nHost: 127.0.0.1\r\n"
HEADERS = b"".join(b"X-%d: y\r\n" % number for number in range(20_000))
COOKIES = b"Cookie: " + b"; ".join(b"c%d=x" % number for number in range(800)) + b"\r\n"
REQUESTS = {
    "headers": (b"GET /healthz" + HOST + HEADERS + b"\r\n", 431),
    "cookies": (b"GET /healthz" + HOST + COOKIES + b"\r\n", 431),
    "address": (b"GET /" + b"x" * 200_000 + HOST + b"\r\n", 414),
    "query": (b"GET /api/analysis?" + b"set=a&" * 500 + HOST + b"\r\n", 414),
}


def attack(target: Target) -> Finding:
    """Attack."""
    found: dict[str, set[int]] = {what: set() for what in REQUESTS}
    for _ in target.moments():
        for what, (request, _status) in REQUESTS.items():
            with target.connect() as wire:
                with suppress(OSError):
                    wire.sendall(request)
                found[what].add(status_of(wire))
    # A client that still sends may see the connection reset before it sees the answer.
    held = all(found[what] <= {0, status} for what, (_, status) in REQUESTS.items())
    seen = ", ".join(f"{what} {sorted(statuses)}" for what, statuses in found.items())
    return Finding(held, seen)
