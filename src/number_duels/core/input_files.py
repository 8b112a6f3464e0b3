"""Strict parsers for files from untrusted sources, with limits on their size."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from itertools import count
from pathlib import Path
from typing import IO, NoReturn, TypeVar, cast, get_args, get_origin, get_type_hints

from number_duels.core.text import printable

T = TypeVar("T")

#: The longest line of a file with one game per line. Real lines have a few kilobytes.
MAX_LINE_BYTES = 1024 * 1024
#: The largest file of games to replay or review.
MAX_RECORDS_BYTES = 64 * 1024 * 1024
#: The largest file that is written by hand, such as a plan or settings.
MAX_TEXT_BYTES = 256 * 1024
#: The most dots in one line of TOML. A long list of programs has a few dozen.
MAX_DOTS = 200
#: Numbers in a field must be smaller than this.
MAX_NUMBER = 2**63


def read_text(path: Path, max_bytes: int = MAX_TEXT_BYTES) -> str:
    with path.open("rb") as file:
        data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise ValueError(f"it is larger than {in_words(max_bytes)}.")
    return decoded(data)


def read_lines(file: IO[bytes], max_bytes: int) -> Iterator[bytes]:
    """Yield the lines of a file. Raise ValueError if the file or one of its lines is too large."""
    total = os.fstat(file.fileno()).st_size  # 0 for a pipe or a device, so lines are counted, too
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
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError("it is not text.") from None


def parse_json(text: str | bytes) -> object:
    """Parse JSON strictly: reject NaN and Infinity, and limit nesting.

    >>> parse_json('{"loss": 0.5}')
    {'loss': 0.5}
    """
    try:
        return json.loads(text, parse_constant=no_number, parse_float=finite)
    except RecursionError:
        raise ValueError("its JSON is nested too deeply.") from None
    except ValueError:
        raise ValueError("it is not JSON.") from None


def no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON.")


def finite(text: str) -> float:
    if math.isinf(value := float(text)):
        no_number(text)
    return value


def read_as(kind: type[T], value: object) -> T:
    """Convert parsed JSON to a type: a dataclass, a tuple, a mapping or a plain value.

    Ignore unknown keys of a dataclass. Replace unprintable characters in text.
    Raise ValueError if the value does not fit.

    >>> read_as(dict[str, tuple[int, ...]], {"best": [1, 2]})
    {'best': (1, 2)}
    """
    return cast(T, converted(kind, value))


def converted(kind: object, value: object) -> object:
    if isinstance(kind, type) and is_dataclass(kind) and isinstance(value, dict):
        known = [(name, one) for name, one in field_types(kind).items() if name in value]
        try:
            return kind(**{name: converted(one, value[name]) for name, one in known})
        except TypeError:
            raise ValueError("a field is missing") from None
    origin, parts = get_origin(kind), get_args(kind)
    if origin is tuple and isinstance(value, list):
        kinds = parts[:1] * len(value) if parts[-1] is ... else parts
        return tuple(converted(one, part) for one, part in zip(kinds, value, strict=True))
    if origin in (dict, Mapping) and isinstance(value, dict):
        return {converted(parts[0], name): converted(parts[1], value[name]) for name in value}
    return read_plain(type(value) if type(value) in parts else kind, value)


def read_plain(kind: object, value: object) -> object:
    if isinstance(value, str) and kind is str:
        return printable(value, limit=None)
    if kind is object or (kind is bool and isinstance(value, bool)):
        return value
    fits = kind in (int, float) and type(value) in (int, kind)  # a bool is not a number here
    if fits and isinstance(value, int | float) and abs(value) < MAX_NUMBER:
        return float(value) if kind is float else value
    raise ValueError(f"it is not {kind}")


@cache
def field_types(kind: type) -> dict[str, object]:
    return get_type_hints(kind)


def parse_toml(text: str) -> dict[str, object]:
    import tomllib  # rarely needed, and this module is always imported

    # A key of n parts takes the parser n² steps. 100,000 parts take most of an hour.
    if any(line.count(".") > MAX_DOTS for line in text.split("\n")):
        raise ValueError(f"a line has more than {MAX_DOTS} dots.")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply.") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:  # Python limits the digits of an integer
        raise ValueError("one of its numbers has too many digits.") from None


def in_words(size: int) -> str:
    """Return a size in MiB or KiB, as text.

    >>> in_words(MAX_LINE_BYTES), in_words(MAX_TEXT_BYTES)
    ('1 MiB', '256 KiB')
    """
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"
