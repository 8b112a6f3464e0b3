"""Solutions cached in files, under the XDG cache folder."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from number_duels.core.game import E, Game, M, S
from number_duels.core.storage import DEFAULT_CACHE_MIB, cache_folder
from number_duels.games import find
from number_duels.solvers import cache_file
from number_duels.solvers.protocols import Tables

LIMIT_VARIABLE = "DUELS_CACHE_LIMIT"
#: The limit of this process, where it was told one.
limit_bytes: int | None = None
#: The kinds of files in the folder of solutions; the second is named in a file's identity.
SOLUTION, STRATEGIES = "solution", "strategies"


def solutions_folder() -> Path:
    return cache_folder() / "solutions"


class CachedFile(NamedTuple):
    """A file of the cache, as a list shows it; of a damaged one, the game is not known."""

    path: Path
    size_bytes: int
    kind: str
    game: str = ""
    #: What it was made with, as `name=value`.
    settings: str = ""
    #: Made by other rules or another version, and of no use to this one.
    outdated: bool = True


def cached_solutions() -> list[CachedFile]:
    """The solutions and strategies in the cache, by game."""
    with suppress(OSError, RuntimeError):
        return sorted(map(cached_solution, solutions_folder().iterdir()), key=order)
    return []


def order(file: CachedFile) -> tuple[str, str, str, bool]:
    return file.game, file.kind, file.settings, file.outdated


def size_of(path: Path) -> int:
    """The size of a file; nothing if another process has just dropped it."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


def cached_solution(path: Path) -> CachedFile:
    """What one file of the folder is."""
    size = size_of(path)
    identity = cache_file.identity_of(path)
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
    """The file in which the solution of one game, made by one method, is cached."""

    def __init__(self, game: Game[S, M, E], identity: str) -> None:
        self.name = game.name
        self.identity = identity
        #: None: a game whose rules are in no file is never cached.
        self.rules = fingerprint(type(game))

    def read(self) -> cache_file.CachedTables | None:
        """The cached solution; None if there is none, or it is damaged."""
        if self.rules is None:
            return None
        with suppress(OSError, RuntimeError):  # no home, or no way into it
            path = self.path()
            found = cache_file.read(path, self.full_identity())
            if found is not None:
                with suppress(OSError):  # a cache that others may only read
                    os.utime(path)  # what is used last is dropped last
            return found
        return None

    def write(self, tables: Tables) -> str | None:
        """Cache a solution and drop what older rules made; the reason if that fails."""
        if self.rules is None:
            return None
        try:
            path = self.path()
            make_room(path, sum(section.nbytes for section in tables.sections))
            cache_file.write(path, self.full_identity(), tables)
            for other in path.parent.glob(f"{path.name.rpartition('-')[0]}-*"):
                if other != path:
                    other.unlink(missing_ok=True)
        except (OSError, RuntimeError) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else problem
            return f"The solution of {self.name} could not be kept: {reason}."
        return None

    def full_identity(self) -> str:
        """Everything that a cached solution depends on."""
        return f"{self.name} {self.identity} {self.rules}"

    def path(self) -> Path:
        """The file; the last part of its name changes with the rules."""
        what = blake2b(self.identity.encode(), digest_size=8).hexdigest()
        return solutions_folder() / f"{self.name}-{what}-{self.rules}"


def make_room(path: Path, size_bytes: int) -> None:
    """Drop the files that were used longest ago until one more fits; an OSError if it never can."""
    limit = allowed_bytes()
    if size_bytes > limit:
        raise OSError(
            errno.EDQUOT,
            f"it takes {size_bytes >> 20:,} MiB, and the cache may have {limit >> 20:,}",
        )
    found: list[tuple[float, int, Path]] = []
    with suppress(OSError):
        for other in path.parent.iterdir():
            with suppress(OSError):  # another process has just dropped it
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
    """How much the folder of solutions may hold."""
    if limit_bytes is not None:
        return limit_bytes
    text = os.environ.get(LIMIT_VARIABLE, "")
    return int(text) << 20 if text.isdecimal() and int(text) > 0 else DEFAULT_CACHE_MIB << 20


@cache
def fingerprint(game: type) -> str | None:
    """A digest of the game's rules and of the solver; None where the rules are in no file."""
    modules = [cls.__module__ for cls in game.__mro__ if cls.__module__ not in ("builtins", "abc")]
    sources = [getattr(sys.modules.get(name), "__file__", None) for name in modules]
    if None in sources:
        return None
    package = Path(__file__).parents[1]
    solver = [*(package / "solvers").rglob("*.py"), *(package / "machine").glob("*.py")]
    digest = blake2b(digest_size=8)
    try:
        for path in sorted({*map(str, sources), *map(str, solver)}):
            digest.update(Path(path).read_bytes())
    except OSError:
        return None
    return digest.hexdigest()
