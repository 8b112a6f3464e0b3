"""What the compiled rules rely on in Numba beyond its documentation."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from number_duels.adapters.batch.compiled.jit import compiled

SOURCE = """
def make(version):
    def plus_one(number):
        version
        return number + 1
    return plus_one
"""


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """A function that makes functions, in a module of its own."""
    (tmp_path / "made.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    # Numba looks for the module by its name as soon as the function that was kept is gone.
    monkeypatch.delitem(sys.modules, "made", raising=False)
    made: Callable[[str], Any] = importlib.import_module("made").make
    return made


def test_a_kept_function_is_compiled_again_when_the_version_it_mentions_is_another(
    make: Callable[[str], Any],
) -> None:
    hits = []
    for version in ("first", "first", "second"):
        function = compiled(make(version))
        assert function(1) == 2
        hits.append(sum(function.stats.cache_hits.values()))
    assert hits == [0, 1, 0]


def test_without_a_folder_to_keep_it_a_function_is_compiled_all_the_same() -> None:
    names: dict[str, Any] = {}
    exec(SOURCE, names)  # no file, so Numba finds no folder
    assert compiled(names["make"]("any"))(1) == 2
