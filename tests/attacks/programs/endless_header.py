"""One connection sends a header that does not end, as fast as it can."""

from __future__ import annotations

from tests.attacks.frame import Finding, Target, status_of

BOUND = "cut with 431 before 1 MiB is read; memory grows by less than 8 MiB"
PIECE = b"x" * 65536
MIB = 1024 * 1024


def attack(target: Target) -> Finding:
    """Attack."""
    before, sent, status = target.memory_mib(), 0, -1
    most = before
    for _ in target.moments():
        with target.connect() as wire:
            sent = wire.send(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Endless: ")
            wire.settimeout(1.0)
            try:
                for _ in target.moments():
                    sent += wire.send(PIECE)
                    most = max(most, target.memory_mib())
                status = -1
            except OSError:
                status = status_of(wire)
        if sent > 64 * MIB:
            break
    grown = most - before
    # What the operating system had taken in already counts as sent.
    held = status in (0, 431) and sent < 16 * MIB and grown < 8
    return Finding(held, f"status {status} after {sent / MIB:.1f} MiB, {grown:.0f} MiB more memory")
