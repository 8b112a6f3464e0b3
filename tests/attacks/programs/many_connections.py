"""As many connections as there can be, from a few addresses, a thousand a second."""

from __future__ import annotations

import resource
import socket
from collections import Counter
from contextlib import suppress
from time import sleep

from tests.attacks.frame import Finding, Target

BOUND = "no client has more than its share, nobody more than there are descriptors for"
SHORT_SETTINGS = {"open_connections": 200, "client_connections": 80}
#: A server that was full stays so until it has seen each of them hang up.
OWN_SERVER = True
ADDRESSES = tuple(f"127.0.1.{number}" for number in range(1, 6))
#: Of the client and the server on one machine, and what others have open.
SLACK = 200


def attack(target: Target) -> Finding:
    """Attack."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    limit, share = target.config.open_connections, target.config.client_connections
    before, peak = target.open_files(), 0
    held: list[tuple[str, socket.socket]] = []
    refused: Counter[bytes] = Counter()
    tries = min(share + 20, (most - SLACK) // len(ADDRESSES))
    for address in ADDRESSES:
        for number in range(tries):
            if number % 10 == 0:
                sleep(0.01)
            with suppress(OSError):
                wire = target.connect(address)
                held.append((address, wire))
        peak = max(peak, target.open_files() - before)
    sleep(0.5)
    peak = max(peak, target.open_files() - before)
    still: Counter[str] = Counter()
    for address, wire in held:
        wire.setblocking(False)
        try:
            refused[wire.recv(12)] += 1
        except BlockingIOError:
            still[address] += 1
        except OSError:
            refused[b"reset"] += 1
        wire.close()
    fits = all(count <= share for count in still.values()) and still.total() <= limit
    seen = f"{still.total()} held, at most {max(still.values(), default=0)} of one client"
    return Finding(
        fits and bool(refused), f"{seen}, {refused.total()} refused, {peak} descriptors at most"
    )
