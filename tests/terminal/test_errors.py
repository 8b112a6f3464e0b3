"""What a command says when it does not end well."""

from __future__ import annotations

from pathlib import Path

import pytest

from number_duels.terminal.errors import CommandError


def test_a_missing_library_is_installed_by_the_pip_of_this_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.prefix", str(tmp_path / ".venv"))
    monkeypatch.setattr("sys.executable", str(tmp_path / ".venv" / "bin" / "python"))
    monkeypatch.chdir(tmp_path)
    wanted = "It needs this: pip install 'number-duels[web]'"
    own = wanted.replace("pip", ".venv/bin/python -m pip")
    assert str(CommandError(wanted)) == own
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / ".venv"))
    assert str(CommandError(wanted)) == wanted
