"""Callers ask about one setting after the other, so that the disk fills with solutions."""

from __future__ import annotations

from pathlib import Path

from tests.attacks.frame import Finding, Target, ask

BOUND = "the folder of solutions stays below DUELS_CACHE_LIMIT"
ENVIRONMENT = {"DUELS_CACHE_LIMIT": "8"}
OWN_SERVER = True
LIMIT_MIB = 8
MIB = 1024 * 1024
#: Each adds about 1.5 MiB.
ENOUGH = 8


def attack(target: Target) -> Finding:
    """Attack."""
    folder = Path(target.environment()["XDG_CACHE_HOME"]) / "number-duels" / "solutions"
    most, asked, answered = 0, 0, 0
    with target.client() as client:
        while asked < max(ENOUGH, target.seconds * 2):
            path = f"/api/analysis?game=number-knot&set=numbers=9&set=life={5 + asked}"
            answered += ask(client, "GET", path).status == 200
            asked += 1
            most = max(most, size_of(folder))
    held = answered == asked and 0 < most <= LIMIT_MIB * MIB
    return Finding(held, f"{answered} solved, at most {most / MIB:.1f} MiB on the disk")


def size_of(folder: Path) -> int:
    """How much the files of a folder hold together."""
    return sum(path.stat().st_size for path in folder.iterdir()) if folder.exists() else 0
