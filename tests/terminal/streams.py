"""The standard streams of a command, as Python itself opens them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from io import TextIOWrapper


def open_streams(
    environment: Mapping[str, str],
) -> tuple[TextIOWrapper, TextIOWrapper, TextIOWrapper]:
    """Input, output and errors over what descriptors 0, 1 and 2 are now."""
    encoding = environment.get("PYTHONIOENCODING") or "utf-8"
    given, out, err = (
        open(  # noqa: SIM115  # a program never closes these
            number,
            mode,
            encoding=encoding,
            errors=errors,
            newline="\n",
            closefd=False,
            buffering=1 if mode == "w" and (number == 2 or os.isatty(number)) else -1,
        )
        for number, (mode, errors) in enumerate(
            [("r", "surrogateescape"), ("w", "surrogateescape"), ("w", "backslashreplace")]
        )
    )
    return given, out, err
