"""The standard streams of a command, as Python itself opens them, and what is closed in the end."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from io import TextIOWrapper
from typing import Self, cast


class Closing(ABC):
    """Something that a `with` statement closes."""

    @abstractmethod
    def close(self) -> None:
        """End it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_streams(
    environment: Mapping[str, str],
) -> tuple[TextIOWrapper, TextIOWrapper, TextIOWrapper]:
    """Input, output and errors over what descriptors 0, 1 and 2 are now."""
    encoding = environment.get("PYTHONIOENCODING") or "utf-8"

    def stream(number: int, mode: str, errors: str) -> TextIOWrapper:
        by_line = mode == "w" and (number == 2 or os.isatty(number))
        opened = open(  # noqa: SIM115  # a program never closes it
            number, mode, 1 if by_line else -1, encoding, errors, "\n", closefd=False
        )
        return cast("TextIOWrapper", opened)

    return (
        stream(0, "r", "surrogateescape"),
        stream(1, "w", "surrogateescape"),
        stream(2, "w", "backslashreplace"),
    )
