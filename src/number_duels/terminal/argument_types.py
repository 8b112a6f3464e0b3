"""Values on the command line, as they are read from text."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError


def whole_number(text: str) -> int:
    """A whole number, of at most twenty digits."""
    if not re.fullmatch(r"-?\d{1,20}", text, re.ASCII):
        raise ArgumentTypeError(f"{text!r} is not a whole number, such as 7")
    return int(text)


def seconds(text: str) -> float:
    """A pause that a person would sit through."""
    if not re.fullmatch(r"\d{1,2}(\.\d{1,3})?", text, re.ASCII):
        raise ArgumentTypeError(f"{text!r} is not between 0 and 99 seconds")
    return float(text)
