"""Requests with thousands of headers, or an address of megabytes, each sent at once."""

from __future__ import annotations

from contextlib import suppress

from tests.attacks.frame import Finding, Target, status_of

BOUND = "431 for the headers, 414 for the address"
START = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n"
HEADERS = START + b"".join(b"X-%d: y\r\n" % number for number in range(20_000)) + b"\r\n"
ADDRESS = b"GET /" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def attack(target: Target) -> Finding:
    """Attack."""
    found: dict[str, set[int]] = {"headers": set(), "address": set()}
    for _ in target.moments():
        for what, request in (("headers", HEADERS), ("address", ADDRESS)):
            with target.connect() as wire:
                with suppress(OSError):
                    wire.sendall(request)
                found[what].add(status_of(wire))
    held = found["headers"] <= {0, 431} and found["address"] <= {0, 414}
    return Finding(held, f"headers {sorted(found['headers'])}, address {sorted(found['address'])}")
