"""Files from elsewhere: read within limits, and understood strictly.

A file that somebody was sent may be as large as a disk, or a device without an end; nothing
here reads more than it is told to. Whatever cannot be taken is a ValueError in a sentence.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import IO, NoReturn

#: The longest line of a file with a game a line; real ones have a few kilobytes.
MAX_LINE_BYTES = 1024 * 1024
#: The largest file of games to watch or to review.
MAX_RECORDS_BYTES = 64 * 1024 * 1024
#: The largest file that a person writes by hand, such as a plan or settings.
MAX_TEXT_BYTES = 256 * 1024
#: In one line of TOML; a long list of programs has a few dozen.
MAX_DOTS = 200


def read_text(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> str:
    """The text of a small file."""
    with path.open("rb") as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise ValueError(f"it is larger than {in_words(max_bytes)}.")
    return decoded(data)


def read_lines(file: IO[bytes], max_bytes: int) -> Iterator[bytes]:
    """The lines of a file, each with its end."""
    total = os.fstat(file.fileno()).st_size  # 0 for a pipe and for a device: those are counted
    if total > max_bytes:
        raise ValueError(f"it is larger than {in_words(max_bytes)}.")
    read = 0
    for number in count(1):
        line = file.readline(MAX_LINE_BYTES + 1)
        read += len(line)
        if len(line) > MAX_LINE_BYTES:
            raise ValueError(f"its line {number} is longer than {in_words(MAX_LINE_BYTES)}.")
        if read > max_bytes:
            raise ValueError(f"it is larger than {in_words(max_bytes)}.")
        if not line:
            return
        yield line


def decoded(data: bytes) -> str:
    """Bytes as text."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("it is not text.") from None


def parse_json(text: str | bytes) -> object:
    """What JSON says: no numbers that are none, and nothing nested without an end.

    >>> parse_json('{"loss": 0.5}')
    {'loss': 0.5}
    """
    try:
        return json.loads(text, parse_constant=no_number, parse_float=finite)
    except RecursionError:
        raise ValueError("it is not JSON that can be read: it is nested too deeply.") from None
    except ValueError:
        raise ValueError("it is not JSON.") from None


def no_number(text: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python would read."""
    raise ValueError(f"{text} is not JSON.")


def finite(text: str) -> float:
    """A number that is one: 1e999 is none."""
    if math.isinf(value := float(text)):
        no_number(text)
    return value


def parse_toml(text: str) -> dict[str, object]:
    """What TOML says."""
    import tomllib  # every start imports this module, and most read no TOML

    # A key of n parts takes the parser n² steps: one of 100,000 parts, most of an hour.
    if any(line.count(".") > MAX_DOTS for line in text.split("\n")):
        raise ValueError(f"a line has more than {MAX_DOTS} dots.")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply.") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python's own, about its limit for digits
        raise ValueError("it has a number that is far too long.") from None


def in_words(size: int) -> str:
    """A limit as people read it.

    >>> in_words(MAX_LINE_BYTES), in_words(MAX_TEXT_BYTES)
    ('1 MiB', '256 KiB')
    """
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"
