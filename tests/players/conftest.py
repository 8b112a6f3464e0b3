"""What the tests of bots stand on."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from number_duels.players.bot import process
from tests.conftest import require
from tests.players.bots import MARK, nobody_is_left


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A mark on every process that the test starts; none may be left at its end.

    However busy the machine is, a bot that ends is seen to end.
    """
    monkeypatch.setattr(process, "EXIT_GRACE_S", 60.0)
    require(Path("/proc/self/environ").exists(), "/proc, to look for processes", "run it on Linux")
    mark = uuid.uuid4().hex
    monkeypatch.setenv(MARK, mark)
    yield mark
    assert nobody_is_left(mark)
