"""What the adapters' tests share."""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.adapters.batch import Batch, playouts
from tests.conftest import SLOW
from tests.some_games import CARDS


@pytest.fixture(scope="session")
def compiled_kernels() -> None:
    """Kernels are compiled by one of the processes that run tests, and loaded by the others."""
    names = list(nd.games()) if SLOW else [CARDS]
    if os.environ.get("PYTEST_XDIST_WORKER", "gw0") != "gw0":
        names.reverse()
    lock = Path(tempfile.gettempdir()) / f"number-duels-kernels-{os.getuid()}.lock"
    for name in names:
        with lock.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            Batch(nd.load(name), 1)
            playouts(nd.load(name), 1)
