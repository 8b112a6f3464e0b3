"""What the compiled rules rely on in Numba beyond its documentation."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

from number_duels.adapters.batch.compiled.jit import compiled

SOURCE = """
def make(version):
    def plus_one(number):
        version
        return number + 1
    return plus_one
"""


def make_in(path: Path) -> Callable[[str], Any]:
    """A function that makes functions, from a file of its own."""
    path.write_text(SOURCE, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    make: Callable[[str], Any] = module.make
    return make


def test_a_kept_function_is_compiled_again_when_the_version_it_mentions_is_another(
    tmp_path: Path,
) -> None:
    make = make_in(tmp_path / "made.py")
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
