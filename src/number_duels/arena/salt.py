"""The secret in the seeds of an arena that players from outside take part in.

Who knows a match's seed knows its cards and the dice of the built-in players. An arena's own
seed is easily guessed, so with programs, functions or models in it a salt goes into every
match's seed, and another, which nothing else follows from, into every player's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_hex
from typing import Literal

SALT_BYTES = 16


@dataclass(frozen=True)
class Origin:
    """What the seeds of a salted arena follow from; the last line of a complete file has it."""

    seed: int
    salt: str


def fresh_salt() -> str:
    return token_hex(SALT_BYTES)


def read_salt(text: str) -> str:
    """A salt as it is written; a ValueError for anything else.

    >>> read_salt(" 00112233445566778899AABBCCDDEEFF ")
    '00112233445566778899aabbccddeeff'
    """
    found = text.strip().lower()
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SALT_BYTES}}}", found):
        raise ValueError(f"A salt is {2 * SALT_BYTES} hexadecimal digits; {text!r:.40} is not.")
    return found


def salt_for(salt: str, purpose: Literal["match", "own"]) -> str:
    """The salt of one kind of seed: from one of the two the other cannot be worked out."""
    return sha256(f"{purpose}/{salt}".encode()).hexdigest()
