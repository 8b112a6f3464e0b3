"""`import number_duels` is enough for Gymnasium to know the games, in whatever order."""

from __future__ import annotations

import subprocess
import sys

import pytest

MAKE = "print(gymnasium.make('number_duels/NumberKnot-v0').unwrapped.encoding.game)"


def run(script: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    "imports",
    [
        "import number_duels, gymnasium",
        "import gymnasium, number_duels",
    ],
)
def test_gymnasium_knows_the_games_in_whatever_order_both_are_imported(imports: str) -> None:
    assert run(f"{imports}\n{MAKE}").startswith("NumberKnot(")


def test_a_name_with_its_module_needs_no_import() -> None:
    script = (
        "import gymnasium\nprint(gymnasium.make('number_duels:number_duels/NumberBid-v0').spec.id)"
    )
    assert run(script) == "number_duels/NumberBid-v0\n"


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    """Gymnasium itself loads NumPy; that the games are registered adds nothing to it."""
    script = """
import sys, number_duels
print({"numpy", "gymnasium"} & set(sys.modules))
import gymnasium
print({"PIL", "numba", "number_duels.adapters.gymnasium"} & set(sys.modules))
"""
    assert run(script) == "set()\nset()\n"


def test_gymnasium_is_loaded_as_it_would_be_without_us() -> None:
    """The library is the same, its files can be read, and nobody waits for it any more."""
    script = """
import sys, number_duels
waiting = len(sys.meta_path)
import gymnasium, importlib.resources
print(len(sys.meta_path) - waiting, type(gymnasium.__spec__.loader).__name__)
print(importlib.resources.files("gymnasium").joinpath("__init__.py").is_file())
"""
    assert run(script) == "-1 SourceFileLoader\nTrue\n"


def test_an_import_that_fails_says_why_and_may_be_tried_again() -> None:
    script = """
import sys, number_duels
sys.modules["numpy"] = None
for _ in range(2):
    try:
        import gymnasium
    except ModuleNotFoundError as missing:
        print(missing.name)
del sys.modules["numpy"]
import gymnasium
import number_duels.adapters.gymnasium
"""
    assert run(f"{script}\n{MAKE}").startswith("numpy\nnumpy\nNumberKnot(")
