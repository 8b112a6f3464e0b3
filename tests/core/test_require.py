"""What a machine lacks is said, and under NUMBER_DUELS_NO_SKIP=1 it is a failure."""

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
    for kind in ("DATA", "CONFIG", "CACHE", "STATE"):
        assert Path(os.environ[f"XDG_{kind}_HOME"]).is_relative_to(tmp_path)
