"""The cache has a bound: what was used longest ago makes room."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.core.storage import DEFAULT_CACHE_MIB
from number_duels.solvers import cache
from number_duels.solvers.cache import allowed_bytes, solutions_folder

pytestmark = pytest.mark.usefixtures("own_cache")


def solve(life: int) -> Path:
    """The file that a game of a size of its own adds, an hour older than any later one."""
    before = set(solutions_folder().glob("*"))
    solution = nd.solve(nd.load("number-knot", numbers=5, life=life))
    assert solution.warning is None
    (added,) = set(solutions_folder().glob("*")) - before
    return added


def age(path: Path, hours: int) -> None:
    then = path.stat().st_mtime - hours * 3600
    os.utime(path, (then, then))


def test_what_was_used_longest_ago_is_dropped_first(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = solve(10), solve(11)
    age(first, 3)
    age(second, 2)
    assert nd.solve(nd.load("number-knot", numbers=5, life=10)).cached, "used again"
    left_behind = solutions_folder() / ".duels-killed.part"
    left_behind.write_bytes(bytes(1000))
    age(left_behind, 1)
    sizes = [path.stat().st_size for path in (first, second)]
    limit = sum(sizes) + sizes[0] // 2
    monkeypatch.setattr(cache, "limit_bytes", limit)
    third = solve(9)
    assert (first.exists(), second.exists(), third.exists()) == (True, False, True)
    assert sum(path.stat().st_size for path in solutions_folder().iterdir()) <= limit
    monkeypatch.setattr(cache, "limit_bytes", third.stat().st_size)
    fourth = nd.solve(nd.load("number-knot", numbers=5, life=8))
    assert fourth.warning is None
    assert len(list(solutions_folder().iterdir())) == 1, "what a killed process left goes, too"


def test_a_solution_larger_than_the_cache_is_not_kept_and_takes_nothing_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = solve(3)
    monkeypatch.setattr(cache, "limit_bytes", first.stat().st_size)
    large = nd.solve(nd.load("number-bid", numbers=8))
    assert "could not be saved in the cache" in str(large.warning)
    assert large.value(large.game.start()) == pytest.approx(0.0, abs=1e-6)
    assert [path.name for path in solutions_folder().iterdir()] == [first.name]


@pytest.mark.parametrize(
    ("text", "mib"), [("100", 100), ("", DEFAULT_CACHE_MIB), ("0", DEFAULT_CACHE_MIB), ("x", 8192)]
)
def test_the_limit_is_a_variable(monkeypatch: pytest.MonkeyPatch, text: str, mib: int) -> None:
    monkeypatch.setenv("DUELS_CACHE_LIMIT", text)
    assert allowed_bytes() == mib << 20
