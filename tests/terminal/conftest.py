"""What the tests of the command stand on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.desk import Desk, Duels


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A desk with empty folders."""
    return Desk(tmp_path)


@pytest.fixture
def duels(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Duels:
    """The command in an empty folder, in which the test is, too."""
    monkeypatch.chdir(desk.folder)
    return desk.run
