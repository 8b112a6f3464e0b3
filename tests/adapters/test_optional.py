"""A library that is not installed is missed in a sentence that says how to get it."""

from __future__ import annotations

import subprocess
import sys
from itertools import chain, starmap

import pytest

from number_duels.adapters.optional import explain_missing

NUMPY, GYMNASIUM = ("NumPy", "learn"), ("Gymnasium", "learn")
PETTINGZOO, OPENSPIEL = ("PettingZoo", "learn"), ("OpenSpiel", "learn")
MISSING = [
    ("encoding", "numpy", NUMPY),
    ("batch", "numpy", NUMPY),
    ("gymnasium", "gymnasium", GYMNASIUM),
    ("gymnasium", "numpy", GYMNASIUM),
    ("gymnasium_vector", "gymnasium", GYMNASIUM),
    ("gymnasium_vector", "numpy", GYMNASIUM),
    ("pettingzoo", "pettingzoo", PETTINGZOO),
    ("pettingzoo", "gymnasium", PETTINGZOO),
    ("pettingzoo", "numpy", PETTINGZOO),
    ("open_spiel", "pyspiel", OPENSPIEL),
    ("open_spiel_policies", "open_spiel", OPENSPIEL),
]
#: Libraries that exclude others, so that there is no extra for them.
WITHOUT_EXTRA = [
    ("inspect_ai", "inspect_ai", ("Inspect", "inspect-ai")),
    ("openenv", "openenv", ("OpenEnv", "openenv")),
    ("verifiers", "verifiers", ("verifiers", "verifiers")),
]
#: Imports modules without a library each, one after the other, forgetting ours in between; then
#: plays without Numba.
SCRIPT = """
import sys, importlib
for case in sys.argv[1:]:
    module, library = case.split("/")
    for name in [name for name in sys.modules if name.split(".")[0] == "number_duels"]:
        del sys.modules[name]
    loaded = {name: there for name, there in sys.modules.items() if name.split(".")[0] == library}
    for name in loaded:
        del sys.modules[name]
    sys.modules[library] = None
    try:
        importlib.import_module(f"number_duels.adapters.{module}")
        print("nothing is missing")
    except ModuleNotFoundError as problem:
        print(problem.name.split(".")[0], "|", problem)
    del sys.modules[library]
    sys.modules.update(loaded)
for name in [name for name in sys.modules if name.split(".")[0] == "number_duels"]:
    del sys.modules[name]
sys.modules["numba"] = None
from number_duels import load
from number_duels.adapters.batch import Batch
Batch(load("number-bid"), 2, compiled=False)
try:
    Batch(load("number-bid"), 2)
except ModuleNotFoundError as problem:
    print(problem)
"""


def expected(module: str, library: str, told: tuple[str, str]) -> str:
    name, extra = told
    return (
        f"{library} | number_duels.adapters.{module} needs {name}: "
        f"pip install 'number-duels[{extra}]'"
    )


def expected_without_extra(module: str, library: str, told: tuple[str, str]) -> str:
    name, package = told
    needs = f"number_duels.adapters.{module} needs {name}"
    return f"{library} | {needs}: pip install number-duels {package}"


@pytest.mark.system
def test_a_missing_library_is_named_and_plain_python_plays_without_numba() -> None:
    cases = [f"{module}/{library}" for module, library, _ in [*MISSING, *WITHOUT_EXTRA]]
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, *cases], capture_output=True, text=True, check=True
    )
    named = starmap(expected, MISSING), starmap(expected_without_extra, WITHOUT_EXTRA)
    *told, without_numba = run.stdout.splitlines()
    assert told == list(chain(*named))
    assert without_numba == (
        "Compiled games need Numba: install number-duels[learn], or pass compiled=False."
    )


def test_what_is_there_is_not_missed_and_other_errors_stay_themselves() -> None:
    with explain_missing("this", "JSON", "json"):
        import json
    assert json.loads("1") == 1
    with pytest.raises(ImportError, match="cannot import name 'nothing'") as caught:  # noqa: SIM117
        with explain_missing("this", "JSON", "json"):
            from json import nothing  # type: ignore[attr-defined]  # noqa: F401
    assert type(caught.value) is ImportError
