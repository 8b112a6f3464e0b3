"""A connection sends a header that does not end, as fast as it can, and again when it is cut."""

from __future__ import annotations

from tests.attacks.frame import Finding, Target, status_of

BOUND = "cut with 431, and less than 8 MiB of memory"
PIECE = b"x" * 65536
MIB = 1024 * 1024
#: What both systems keep in their buffers counts as sent.
MAX_SENT_MIB = 16


def attack(target: Target) -> Finding:
    """Attack."""
    before = most = target.memory_mib()
    statuses, longest = set[int](), 0
    for _ in target.moments():
        with target.connect() as wire:
            sent = wire.send(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Endless: ")
            try:
                while sent < MAX_SENT_MIB * MIB:
                    sent += wire.send(PIECE)
                    most = max(most, target.memory_mib())
            except OSError:
                statuses.add(status_of(wire))
        longest = max(longest, sent)
    # A client that still sends may see the connection reset before it sees the answer.
    held = 431 in statuses and statuses <= {0, 431} and longest < MAX_SENT_MIB * MIB
    seen = f"{'cut' if statuses else 'not cut'} after {longest / MIB:.0f} MiB at most"
    return Finding(held and most - before < 8, f"{seen}, {most - before:.0f} MiB more memory")
