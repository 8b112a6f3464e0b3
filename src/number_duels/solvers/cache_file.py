"""Solutions cached in files: written whole or not at all, checked when read, mapped into memory.

A file is a header and sections of numbers. The header says what was solved and
by which rules, and has a checksum for every block of the sections. It is read,
with its own checksum and the file's size, when the file is opened; a block is
checked when it is first looked into. So opening costs the same for a kilobyte
and for a gigabyte, and nothing unchecked is ever answered.
"""

from __future__ import annotations

import json
import mmap
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple, cast
from zlib import crc32

from number_duels.core.storage import replace_file
from number_duels.solvers.errors import DamagedFile
from number_duels.solvers.protocols import Section, Tables

MAGIC: Final = b"NDUELS\x01\n"
FIXED: Final = struct.Struct("<8sII")  # the mark, the header's length, its checksum
BLOCK: Final = 1 << 16
ALIGN: Final = 8


class Layout(NamedTuple):
    """One section in a file: the kind and count of its numbers, and its blocks' checksums."""

    kind: str
    length: int
    checks: list[int]


class CachedTables(NamedTuple):
    """What was found in a file."""

    sections: Sequence[Section]
    states: int


class CheckedSection:
    """Numbers in a file; each block is checked before its first number is given."""

    def __init__(self, data: memoryview, layout: Layout) -> None:
        self._data = data
        self._numbers = data.cast(layout.kind)  # type: ignore[call-overload]  # any kind of number
        self._per_block = BLOCK // self._numbers.itemsize
        self._checks = layout.checks
        self._checked = bytearray(len(layout.checks))

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, place: int, /) -> float:
        if not self._checked[place // self._per_block]:
            self._check(place // self._per_block)
        return cast("float", self._numbers[place])

    def numbers(self) -> memoryview:
        """All the numbers at once, every block checked."""
        for block, checked in enumerate(self._checked):
            if not checked:
                self._check(block)
        return cast("memoryview", self._numbers)

    def _check(self, block: int) -> None:
        if crc32(self._data[block * BLOCK : (block + 1) * BLOCK]) != self._checks[block]:
            raise DamagedFile
        self._checked[block] = 1


def checked_numbers(section: Section) -> memoryview:
    """All the numbers of a section, checked, where more than one is needed at a time."""
    return section.numbers() if isinstance(section, CheckedSection) else cast("memoryview", section)


def write(path: Path, identity: str, tables: Tables) -> None:
    sections = [section.cast("B") for section in tables.sections]
    layouts = [
        Layout(section.format, len(section), checksums(data))
        for section, data in zip(tables.sections, sections, strict=True)
    ]
    words = {"identity": identity, "order": sys.byteorder, "states": tables.states}
    header = json.dumps({**words, "sections": layouts}).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_file(path) as file:
        file.write(FIXED.pack(MAGIC, len(header), crc32(header)) + header)
        for data in sections:
            file.write(bytes(-file.tell() % ALIGN))
            file.write(data)


def checksums(data: memoryview) -> list[int]:
    return [crc32(data[start : start + BLOCK]) for start in range(0, len(data), BLOCK)]


def read(path: Path, identity: str) -> CachedTables | None:
    """Open a solution; None if there is none of this identity, or it is damaged."""
    try:
        with path.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return unpack(data, identity)
    # A damaged header can go wrong in any of these ways; all mean that it is made again.
    except (OSError, ValueError, KeyError, TypeError, RecursionError, struct.error, DamagedFile):
        return None


def identity_of(path: Path) -> str | None:
    """What a file says it is; None if it says nothing that can be trusted."""
    try:
        with path.open("rb") as file:
            magic, length, check = FIXED.unpack(file.read(FIXED.size))
            header = file.read(length) if magic == MAGIC else b""
        return str(json.loads(header)["identity"]) if crc32(header) == check else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError, struct.error):
        return None


def unpack(data: memoryview, identity: str) -> CachedTables:
    """The sections of a mapped file; `DamagedFile` if it is not exactly what was written."""
    magic, length, check = FIXED.unpack(data[: FIXED.size])
    place = FIXED.size + length
    header = bytes(data[FIXED.size : place])
    if magic != MAGIC or crc32(header) != check:
        raise DamagedFile
    words = json.loads(header)
    if (words["identity"], words["order"]) != (identity, sys.byteorder):
        raise DamagedFile
    sections: list[Section] = []
    for layout in (Layout(*entry) for entry in words["sections"]):
        place += -place % ALIGN
        end = place + layout.length * struct.calcsize(layout.kind)
        sections.append(CheckedSection(data[place:end], layout))
        place = end
    if place != len(data):
        raise DamagedFile
    return CachedTables(sections, words["states"])
