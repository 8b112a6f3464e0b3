"""What the tests of the command stand on."""

from __future__ import annotations

from pathlib import Path

import pytest

from number_duels.terminal.main import run
from tests.terminal.desk import Desk, Duels, Finished


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A desk with empty folders."""
    return Desk(tmp_path)


@pytest.fixture
def menu_desk(tmp_path: Path) -> Desk:
    """A desk with a terminal that is too low for the full screen, so that `duels` is the menu."""
    return Desk(tmp_path, rows=19)


@pytest.fixture
def duels(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Duels:
    """The command, run in this process: nothing here needs a terminal or is typed."""
    monkeypatch.setenv("DUELS_TRACEBACK", "1")
    monkeypatch.chdir(tmp_path)

    def run_here(*arguments: str) -> Finished:
        status = run(list(arguments))
        return Finished(status, *capsys.readouterr())

    return run_here
