"""Bodies in chunks of one byte, on twenty connections at once."""

from __future__ import annotations

from contextlib import suppress

from tests.attacks.frame import Finding, Target, status_of

BOUND = "cut with 411, and no chunk is read"
CONNECTIONS = 20
HEAD = b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNKS = b"1\r\n \r\n" * 10_000


def attack(target: Target) -> Finding:
    """Attack."""
    found: set[int] = set()
    for _ in target.moments():
        wires = [target.connect() for _ in range(CONNECTIONS)]
        for wire in wires:
            with suppress(OSError):
                wire.sendall(HEAD + CHUNKS)
        for wire in wires:
            found.add(status_of(wire))
            wire.close()
    # A client that still sends may see the connection reset before it sees the answer.
    return Finding(411 in found and found <= {0, 411}, f"answers {sorted(found)}")
