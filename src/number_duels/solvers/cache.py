"""Tables of solved games, and the files that cache them.

Opening a file checks only its header. Each block of numbers is checked before its first use.
"""

from __future__ import annotations

import errno
import json
import mmap
import os
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple, Protocol, TypeAlias, cast
from zlib import crc32

from number_duels.core.game import E, Game, M, S
from number_duels.core.storage import DEFAULT_CACHE_MIB, cache_folder, replace_file
from number_duels.games import find
from number_duels.solvers.errors import DamagedFile

#: Reports progress: call it with the fraction of the work that is done.
Progress: TypeAlias = Callable[[float], None]


def silent(fraction: float) -> None: ...


class Section(Protocol):
    def __len__(self) -> int: ...

    def __getitem__(self, place: int, /) -> float: ...


class Tables(NamedTuple):
    """The tables of a solved game, and the number of its states that are not over."""

    sections: Sequence[Section]
    states: int


def written(settings: Mapping[str, int | str]) -> str:
    """Return the settings as text, sorted by name.

    >>> written({"numbers": 9, "life": 10})
    'life=10 numbers=9'
    """
    return " ".join(f"{name}={value}" for name, value in sorted(settings.items()))


MAGIC: Final = b"NDUELS\x01\n"
FIXED: Final = struct.Struct("<8sII")  # magic bytes, length of the header, its checksum
BLOCK: Final = 1 << 16
ALIGN: Final = 8


class Layout(NamedTuple):
    kind: str
    length: int
    checks: list[int]


class CheckedSection:
    """Numbers in a file. Each block's checksum is verified before the block is first used."""

    def __init__(self, data: memoryview, layout: Layout) -> None:
        self._data = data
        self._numbers = data.cast(layout.kind)  # type: ignore[call-overload]  # any type code
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
        for block, checked in enumerate(self._checked):
            if not checked:
                self._check(block)
        return cast("memoryview", self._numbers)

    def _check(self, block: int) -> None:
        if crc32(self._data[block * BLOCK : (block + 1) * BLOCK]) != self._checks[block]:
            raise DamagedFile
        self._checked[block] = 1


def checked_numbers(section: Section) -> memoryview:
    return section.numbers() if isinstance(section, CheckedSection) else cast("memoryview", section)


def write_file(path: Path, identity: str, tables: Tables) -> None:
    sections = [checked_numbers(section) for section in tables.sections]
    bare = [section.cast("B") for section in sections]
    layouts = [
        Layout(
            section.format,
            len(section),
            [crc32(data[start : start + BLOCK]) for start in range(0, len(data), BLOCK)],
        )
        for section, data in zip(sections, bare, strict=True)
    ]
    words = {"identity": identity, "order": sys.byteorder, "states": tables.states}
    header = json.dumps({**words, "sections": layouts}).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_file(path) as file:
        file.write(FIXED.pack(MAGIC, len(header), crc32(header)) + header)
        for data in bare:
            file.write(bytes(-file.tell() % ALIGN))
            file.write(data)


def read_file(path: Path, identity: str) -> Tables | None:
    try:
        with path.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        return unpack(data, identity)
    # A damaged header can raise any of these. The game is then solved again.
    except (OSError, ValueError, KeyError, TypeError, RecursionError, struct.error, DamagedFile):
        return None


def identity_of(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            magic, length, check = FIXED.unpack(file.read(FIXED.size))
            header = file.read(length) if magic == MAGIC else b""
        return str(json.loads(header)["identity"]) if crc32(header) == check else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError, struct.error):
        return None


def unpack(data: memoryview, identity: str) -> Tables:
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
    return Tables(sections, words["states"])


LIMIT_VARIABLE = "DUELS_CACHE_LIMIT"

limit_bytes: int | None = None

SOLUTION, STRATEGIES = "solution", "strategies"


def solutions_folder() -> Path:
    return cache_folder() / "solutions"


class CachedFile(NamedTuple):
    path: Path
    size_bytes: int
    kind: str
    game: str = ""
    settings: str = ""
    #: Whether this version cannot use the file, because the rules or the solver have changed.
    outdated: bool = True


def cached_solutions() -> list[CachedFile]:
    with suppress(OSError, RuntimeError):
        found = map(cached_solution, solutions_folder().iterdir())
        return sorted(found, key=lambda file: (file.game, file.kind, file.settings, file.outdated))
    return []


def size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def cached_solution(path: Path) -> CachedFile:
    size = size_of(path)
    identity = identity_of(path)
    if identity is None:
        return CachedFile(path, size, "damaged")
    game, *method, rules = identity.split(" ")
    kind = STRATEGIES if method[0] == STRATEGIES else SOLUTION
    settings = " ".join(word for word in method if "=" in word)
    try:
        outdated = rules != fingerprint(find(game))
    except (ValueError, ImportError):
        outdated = True
    return CachedFile(path, size, kind, game, settings, outdated)


class SolutionCache:
    def __init__(self, game: Game[S, M, E], identity: str) -> None:
        self.name = game.name
        self.identity = identity
        #: A digest of the source code, or None if the solution cannot be cached.
        self.rules = fingerprint(type(game))

    def read(self) -> Tables | None:
        if self.rules is None:
            return None
        with suppress(OSError, RuntimeError):  # no home folder, or no permission
            path = self.path()
            found = read_file(path, self.full_identity())
            if found is not None:
                with suppress(OSError):  # a read-only cache
                    os.utime(path)  # for `make_room`
            return found
        return None

    def write(self, tables: Tables) -> str | None:
        """Write a solution to its file, and delete older files of the same game and method.

        Return an error message, or None on success.
        """
        if self.rules is None:
            return None
        try:
            path = self.path()
            make_room(path, sum(checked_numbers(one).nbytes for one in tables.sections))
            write_file(path, self.full_identity(), tables)
            for other in path.parent.glob(f"{path.name.rpartition('-')[0]}-*"):
                if other != path:
                    other.unlink(missing_ok=True)
        except (OSError, RuntimeError) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else problem
            return f"The solution of {self.name} could not be saved in the cache: {reason}."
        return None

    def full_identity(self) -> str:
        return f"{self.name} {self.identity} {self.rules}"

    def path(self) -> Path:
        what = blake2b(self.identity.encode(), digest_size=8).hexdigest()
        return solutions_folder() / f"{self.name}-{what}-{self.rules}"


def make_room(path: Path, size_bytes: int) -> None:
    """Delete the least recently used files until `size_bytes` more fit into the cache.

    Raise OSError if the file alone is larger than the cache may be.
    """
    limit = allowed_bytes()
    if size_bytes > limit:
        raise OSError(
            errno.EDQUOT,
            f"it takes {size_bytes >> 20:,} MiB, but the cache is limited to {limit >> 20:,} MiB",
        )
    found: list[tuple[float, int, Path]] = []
    with suppress(OSError):
        for other in path.parent.iterdir():
            with suppress(OSError):  # another process has just deleted it
                about = other.stat()
                found.append((about.st_mtime, about.st_size, other))
    total = size_bytes + sum(size for _, size, other in found if other != path)
    for _, size, other in sorted(found):
        if total <= limit:
            return
        if other != path:
            other.unlink(missing_ok=True)
            total -= size


def allowed_bytes() -> int:
    if limit_bytes is not None:
        return limit_bytes
    text = os.environ.get(LIMIT_VARIABLE, "")
    return int(text) << 20 if text.isdecimal() and int(text) > 0 else DEFAULT_CACHE_MIB << 20


@cache
def fingerprint(game: type) -> str | None:
    """Return a digest of the game's and the solver's source code, or None if it cannot be read."""
    modules = {cls.__module__ for cls in game.__mro__} - sys.stdlib_module_names
    sources = [getattr(sys.modules.get(name), "__file__", None) for name in modules]
    if None in sources:
        return None
    package = Path(__file__).parents[1]
    solver = [*(package / "solvers").rglob("*.py"), *(package / "machine").glob("*.py")]
    # Two games of one module may have the same name.
    digest = blake2b(game.__qualname__.encode(), digest_size=8)
    try:
        for path in sorted({*map(str, sources), *map(str, solver)}):
            digest.update(Path(path).read_bytes())
    except OSError:
        return None
    return digest.hexdigest()
