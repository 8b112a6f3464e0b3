"""Compiled code is kept by its content: never compiled twice, never taken for something else."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.lazy import Lazy

CACHE = "number_duels.solvers.numba_cache"
numba_cache = Lazy(CACHE)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for compiled code."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "compiled"))
    return tmp_path / "compiled"


def add(number: int) -> Any:
    """A new function that adds a number, compiled as if it was one of the package."""

    def added(to: int) -> int:
        return to + number

    added.__module__ = "number_duels.adapters"
    return numba_cache.compiled(added)


def hits(function: Any) -> int:
    return sum(function.stats.cache_hits.values())


def test_what_one_process_has_compiled_the_next_loads(folder: Path) -> None:
    for loaded in (0, 1, 1):
        function = add(1)
        assert function(1) == 2
        assert hits(function) == loaded
    assert len(list(folder.iterdir())) == 1


def test_each_enclosed_value_and_each_signature_is_compiled_for_itself(folder: Path) -> None:
    assert [add(1)(1), add(2)(1), add(1)(0.5), add(2)(1)] == [2, 3, 1.5, 3]
    assert len(list(folder.iterdir())) == 3


def test_another_source_is_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert add(1)(1) == 2
    for name, value in (("IMPORTED", "another"), ("source_digest", lambda: "another")):
        monkeypatch.setattr(f"{CACHE}.{name}", value)
    function = add(1)
    assert function(1) == 2
    assert hits(function) == 0


def test_nothing_is_kept_when_a_file_was_edited_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{CACHE}.source_digest", lambda: "another")
    assert add(1)(1) == 2
    assert not folder.exists()


def test_a_digest_knows_content_and_names_and_neither_place_nor_time(tmp_path: Path) -> None:
    package, other = tmp_path / "one", tmp_path / "other"
    digests = []
    for place, edit in ((package, ""), (other, ""), (other, "# more\n")):
        for folder in numba_cache.SOURCES:
            (place / folder / "inner").mkdir(parents=True, exist_ok=True)
            (place / folder / "inner" / "file.py").write_text("A = 1\n" + edit, encoding="utf-8")
        digests.append(numba_cache.source_digest(place))
    for folder in numba_cache.SOURCES:  # each folder counts, and so does a name
        shutil.move(other / folder / "inner", other / folder / "moved")
        digests.append(numba_cache.source_digest(other))
    assert digests[0] == digests[1]
    assert len(set(digests)) == len(digests) - 1


@pytest.mark.parametrize("blocked", ["by a file", "by a home that is not there"])
def test_without_a_folder_a_function_is_compiled_all_the_same(
    blocked: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if blocked == "by a file":
        folder.write_text("", encoding="utf-8")
    else:
        monkeypatch.delenv("NUMBA_CACHE_DIR")
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        monkeypatch.setattr(Path, "home", classmethod(no_home))
    assert add(1)(1) == 2


def no_home(_: type[Path]) -> Path:
    raise RuntimeError("Could not determine home directory.")


def test_functions_that_no_digest_covers_are_not_kept(folder: Path) -> None:
    def outside(number: int) -> int:
        return number + 1

    assert numba_cache.description(outside) is None
    assert numba_cache.compiled(outside)(1) == 2
    assert not folder.exists()


def test_what_was_not_used_for_long_is_dropped(folder: Path) -> None:
    add(1)(1)
    [old] = folder.iterdir()
    now = old.stat().st_mtime
    os.utime(old, (now, now - numba_cache.KEPT_SECONDS + 100))
    add(2)(1)
    assert old.exists()
    os.utime(old, (now, now - numba_cache.KEPT_SECONDS - 100))
    add(3)(1)
    assert not old.exists()
    assert len(list(folder.iterdir())) == 2


def test_what_is_used_stays(folder: Path) -> None:
    add(1)(1)
    [old] = folder.iterdir()
    os.utime(old, (0, 0))
    add(1)(1)
    add(2)(1)
    assert len(list(folder.iterdir())) == 2


def test_the_folder_is_beside_the_solutions_unless_it_is_named(
    folder: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert numba_cache.compiled_folder() == folder
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    assert numba_cache.compiled_folder() == own_cache / "number-duels" / "compiled"


def nested(number: int) -> Callable[[], Callable[[], int]]:
    def inner() -> int:
        return number

    inner.__module__ = "number_duels.adapters"

    def outer() -> Callable[[], int]:
        return inner

    outer.__module__ = "number_duels.adapters"
    return outer


def test_a_description_reaches_what_enclosed_functions_enclose() -> None:
    assert (
        numba_cache.description(nested(1))
        == numba_cache.description(nested(1))
        != numba_cache.description(nested(2))
    )
