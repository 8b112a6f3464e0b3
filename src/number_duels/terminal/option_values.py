"""What options of the command line take: numbers and seconds, refused in a sentence."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError

SETTING = "change a setting"


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
