"""What is read from elsewhere has a limit, also where no size is known beforehand."""

from __future__ import annotations

import os

import pytest

from number_duels.core.input_files import read_lines


def test_what_a_pipe_gives_is_counted() -> None:
    outlet, inlet = os.pipe()
    os.write(inlet, b"12345\n" * 3)
    os.close(inlet)
    with os.fdopen(outlet, "rb") as file, pytest.raises(ValueError, match="it is larger than"):
        list(read_lines(file, 12))
