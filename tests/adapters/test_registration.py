"""`import number_duels` is enough for Gymnasium to know the games, and loads nothing else."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.system  # each test is about a new Python
MAKE = "print(gymnasium.make('number_duels/NumberKnot-v0').unwrapped.encoding.game)"


def run(script: str) -> list[str]:
    """The lines that a new Python prints."""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_nothing_is_loaded_before_it_is_asked_for_and_gymnasium_as_it_would_be_without_us() -> None:
    """The library is the same, its files can be read, and nobody waits for it any more."""
    script = f"""
import sys, number_duels as nd
nd.Match(nd.load("number-bid"), seed=1)
import number_duels.adapters
print({{"numpy", "gymnasium", "pettingzoo", "pyspiel", "open_spiel"}} & set(sys.modules))
waiting = len(sys.meta_path)
import gymnasium, importlib.resources
print({{"PIL", "numba", "number_duels.adapters.gymnasium"}} & set(sys.modules))
print(len(sys.meta_path) - waiting, type(gymnasium.__spec__.loader).__name__)
print(importlib.resources.files("gymnasium").joinpath("__init__.py").is_file())
{MAKE}
"""
    *told, made = run(script)
    assert told == ["set()", "set()", "-1 SourceFileLoader", "True"]
    assert made.startswith("NumberKnot(")


def test_a_name_with_its_module_needs_no_import_and_gymnasium_may_come_first() -> None:
    script = (
        "import gymnasium\nprint(gymnasium.make('number_duels:number_duels/NumberBid-v0').spec.id)"
    )
    named, made = run(f"{script}\n{MAKE}")
    assert named == "number_duels/NumberBid-v0"
    assert made.startswith("NumberKnot(")


def test_somebody_may_ask_whether_it_is_installed_before_it_is_imported() -> None:
    script = f"""
import number_duels
from importlib.util import find_spec
print(find_spec("gymnasium").name, find_spec("gymnasium").name)
import gymnasium
{MAKE}
"""
    asked, made = run(script)
    assert asked == "gymnasium gymnasium"
    assert made.startswith("NumberKnot(")


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
    *missing, made = run(f"{script}\n{MAKE}")
    assert missing == ["numpy", "numpy"]
    assert made.startswith("NumberKnot(")
