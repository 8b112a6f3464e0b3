"""The priority of a process when it imports this, and later."""

from __future__ import annotations

import os

AT_FIRST = os.nice(0)


def load() -> None:
    """Nothing more: a process that is to call this has imported it."""


def seen() -> tuple[int, int]:
    return AT_FIRST, os.nice(0)
