"""What the tests of the command stand on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.terminal.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A desk with empty folders."""
    return Desk(tmp_path)
