"""The shelf on which solutions are kept: the XDG cache folder."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from number_duels.core.game import E, Game, M, S
from number_duels.solvers import cache_file
from number_duels.solvers.protocols import Tables


def folder() -> Path:
    """The folder of kept solutions: under `$XDG_CACHE_HOME`, or `~/.cache`."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    # The XDG standard tells programs to ignore a relative path.
    root = base if base.is_absolute() else Path.home() / ".cache"
    return root / "number-duels" / "solutions"


class Shelf:
    """Where the solution of one game is kept, and by which rules it was made."""

    def __init__(self, game: Game[S, M, E]) -> None:
        self.name = game.name
        self.rules = fingerprint(type(game))

    def open(self, identity: str) -> cache_file.Kept | None:
        """A solution that was kept; None if there is none, or not a sound one."""
        if self.rules is None:
            return None
        with suppress(OSError, RuntimeError):  # no home, or no way into it
            return cache_file.read(self.place(identity), self.full(identity))
        return None

    def keep(self, identity: str, tables: Tables) -> str | None:
        """Keep a solution and drop what older rules made; why, if it cannot be kept."""
        if self.rules is None:
            return None
        try:
            place = self.place(identity)
            cache_file.write(place, self.full(identity), tables)
            for other in place.parent.glob(f"{place.name.rpartition('-')[0]}-*"):
                if other != place:
                    other.unlink(missing_ok=True)
        except (OSError, RuntimeError) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else problem
            return f"The solution of {self.name} could not be kept: {reason}."
        return None

    def full(self, identity: str) -> str:
        """Everything that a kept solution depends on."""
        return f"{self.name} {identity} {self.rules}"

    def place(self, identity: str) -> Path:
        """The file for an identity; its last part changes with the rules."""
        what = blake2b(identity.encode(), digest_size=8).hexdigest()
        return folder() / f"{self.name}-{what}-{self.rules}"


def fingerprint(game: type) -> str | None:
    """A digest of the game's rules and of the solver; None where the rules are in no file."""
    modules = [cls.__module__ for cls in game.__mro__ if cls.__module__ not in ("builtins", "abc")]
    sources = [getattr(sys.modules.get(name), "__file__", None) for name in modules]
    if None in sources:
        return None
    here = Path(__file__).parent
    digest = blake2b(digest_size=8)
    try:
        for path in sorted({*map(str, sources), *map(str, here.rglob("*.py"))}):
            digest.update(Path(path).read_bytes())
    except OSError:
        return None
    return digest.hexdigest()
