"""What all tests stand on: what a machine lacks is said, and files are apart."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import conftest


def test_what_is_there_is_not_missed() -> None:
    conftest.require(True, "a browser", "run `make browser`")


@pytest.mark.parametrize(
    ("no_skip", "end"), [(False, pytest.skip.Exception), (True, pytest.fail.Exception)]
)
def test_what_is_lacking_is_said_with_how_to_get_it(
    no_skip: bool, end: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conftest, "NO_SKIP", no_skip)
    with pytest.raises(end, match="needs a browser: run `make browser`"):
        conftest.require(False, "a browser", "run `make browser`")


def test_a_test_keeps_its_files_to_itself(tmp_path: Path) -> None:
    for kind in ("DATA", "CONFIG", "STATE"):
        assert Path(os.environ[f"XDG_{kind}_HOME"]).is_relative_to(tmp_path)


def test_solutions_are_shared_but_not_with_the_user(tmp_path: Path) -> None:
    cache = Path(os.environ["XDG_CACHE_HOME"])
    assert not cache.is_relative_to(tmp_path)
    assert cache.name.startswith("number-duels-cache-")


def test_a_test_about_caching_has_a_cache_of_its_own(tmp_path: Path, own_cache: Path) -> None:
    assert own_cache.is_relative_to(tmp_path)
    assert os.environ["XDG_CACHE_HOME"] == str(own_cache)
