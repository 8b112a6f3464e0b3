"""As many connections as there can be, from a few addresses, a thousand a second."""

from __future__ import annotations

import resource
import socket
from collections import Counter
from contextlib import suppress
from time import monotonic, sleep

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
    end, fits = monotonic() + target.slack_s, False
    while not fits:  # a server that has no time hangs up later
        still = Counter(address for address, wire in held if is_open(wire))
        fits = all(count <= share for count in still.values()) and still.total() <= limit
        if monotonic() > end:
            break
        sleep(0.05)
    for _, wire in held:
        wire.close()
    refused = len(held) - still.total()
    seen = f"{still.total()} held, at most {max(still.values(), default=0)} of one client"
    return Finding(fits and refused > 0, f"{seen}, {refused} refused, {peak} descriptors at most")


def is_open(wire: socket.socket) -> bool:
    """Whether the server has neither answered nor hung up."""
    try:
        wire.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False
