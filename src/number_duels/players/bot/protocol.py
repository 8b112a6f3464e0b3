"""What travels between this program and a bot: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum

from number_duels.core.game import Seat
from number_duels.core.input_files import finite, no_number
from number_duels.core.text import printable

#: The version of the protocol; docs/bots.md describes it.
PROTOCOL = 1
#: No line may be longer than this many bytes.
MAX_LINE_BYTES = 64 * 1024
#: How much of a bot's own words is repeated in a message.
MAX_SHOWN_CHARS = 160
#: What is said of a line that a program printed for people.
NOT_JSON = "is not JSON"


def as_json(thing: object) -> object:
    """Anything that a player sees, as JSON: no game is known here by name.

    >>> from number_duels import load
    >>> as_json(load("number-knot", numbers=3).start())
    {'line': [1, 2, 3], 'life': [10, 10], 'mover': 1}
    """
    if isinstance(thing, Enum):  # seats are 1 and 2, as people and records count them
        return thing + 1 if isinstance(thing, Seat) else as_json(thing.value)
    if thing is None or isinstance(thing, bool | int | float | str):
        return thing
    if isinstance(thing, Mapping):
        return {str(key): as_json(value) for key, value in thing.items()}
    if isinstance(thing, tuple | list):
        return [as_json(one) for one in thing]
    if isinstance(thing, set | frozenset):
        return [as_json(one) for one in sorted(thing)]
    return parts(thing) if is_dataclass(thing) else str(thing)


def parts(thing: object) -> object:
    """A dataclass by its fields; one that has a way to be written, such as a card, as that."""
    names = [field.name for field in fields(thing)]  # type: ignore[arg-type]  # is_dataclass said so
    if type(thing).__str__ is object.__str__:
        return {name: as_json(getattr(thing, name)) for name in names}
    return as_json(getattr(thing, names[0])) if len(names) == 1 else str(thing)


def encode(message: Mapping[str, object]) -> bytes:
    """A message as a line: no spaces, and keys in the order given, so that a shell can read it."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> dict[str, object]:
    """The object that a line holds; a ValueError says what it is instead."""
    try:
        found = json.loads(line.decode(), parse_constant=no_number, parse_float=finite)
    except UnicodeDecodeError:
        raise ValueError("its line is not UTF-8") from None
    except RecursionError:
        raise ValueError("its line is nested too deeply") from None
    except ValueError:
        raise ValueError(f"{shown(line)!r} {NOT_JSON}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{shown(line)!r} is not a JSON object")
    return found


def shown(line: bytes) -> str:
    """A line of a bot's, short and safe to show."""
    return printable(line.decode(errors="replace").strip(), MAX_SHOWN_CHARS)
