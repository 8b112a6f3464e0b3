"""What the tests of both adapters of the text environment have in common."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
#: Games in turns, games in which both choose at once, one with cards; small ones, solved at once.
GAMES: list[tuple[str, dict[str, int | str]]] = [
    ("number-knot", {}),
    ("number-bid", {"numbers": 6}),
    ("high-low-battle", {"cards": 5, "rounds": 3}),
    ("number-stack-showdown", {"target": 12, "highest": 4, "copies": 2}),
    ("number-drop", {"side": 2}),
]
every_kind = pytest.mark.parametrize(("game", "settings"), GAMES, ids=[name for name, _ in GAMES])


def type_errors(module: str, *options: str) -> str:
    """What mypy finds in an adapter beside the library that it is for."""
    strict = ("--strict", "--config-file", "", "--follow-imports=silent", *options)
    run = subprocess.run(
        [sys.executable, "-m", "mypy", *strict, "-m", module],
        cwd=SOURCE,
        capture_output=True,
        text=True,
        check=False,
    )
    return "" if run.returncode == 0 else run.stdout + run.stderr
