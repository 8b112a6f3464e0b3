"""A library that is not installed is missed in a sentence that says how to get it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from number_duels.adapters.optional import needs

NUMPY, GYMNASIUM = ("NumPy", "solve"), ("Gymnasium", "gymnasium")
PETTINGZOO, OPENSPIEL = ("PettingZoo", "pettingzoo"), ("OpenSpiel", "open-spiel")


@pytest.mark.parametrize(
    ("module", "library", "told"),
    [
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
        ("open_spiel.observer", "numpy", OPENSPIEL),
        ("open_spiel.policy", "open_spiel", OPENSPIEL),
    ],
)
def test_a_missing_library_is_named(module: str, library: str, told: tuple[str, str]) -> None:
    script = (
        f"import sys; sys.modules[{library!r}] = None\n"
        f"try: import number_duels.adapters.{module}\n"
        "except ModuleNotFoundError as problem:\n"
        "    print(problem.name.split('.')[0], '|', problem)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    name, extra = told
    assert run.stdout == (
        f"{library} | number_duels.adapters.{module} needs {name}: "
        f"pip install 'number-duels[{extra}]'\n"
    )


def test_what_is_there_is_not_missed_and_other_errors_stay_themselves() -> None:
    with needs("this", "JSON", "json"):
        import json
    assert json.loads("1") == 1
    with pytest.raises(ImportError, match="cannot import name 'nothing'") as caught:  # noqa: SIM117
        with needs("this", "JSON", "json"):
            from json import nothing  # type: ignore[attr-defined]  # noqa: F401
    assert type(caught.value) is ImportError
