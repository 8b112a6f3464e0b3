"""What a solution reads its answers from: the tables of a solved game, and what it remembers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from number_duels.core.game import S
from number_duels.solvers.errors import DamagedFile
from number_duels.solvers.protocols import Method, Section, Tables

if TYPE_CHECKING:
    from number_duels.solvers.cache import SolutionCache
    from number_duels.solvers.cache_file import CachedTables

Found = TypeVar("Found")

#: The most results that a solution remembers of each kind.
MAX_REMEMBERED = 50_000


@dataclass(frozen=True)
class Origin:
    """Where a solution comes from."""

    #: How many keys can be reached at which somebody decides or nature moves.
    states: int
    #: How long it took to solve, or to open what had been solved before.
    seconds: float
    #: Whether it had been solved before.
    cached: bool
    #: Why it could not be cached; None: it is, or need not be.
    warning: str | None = None
    #: Where its strategies are cached as arrays; None: nowhere.
    arrays_cache: SolutionCache | None = None


class TableReader(Generic[S]):
    """The tables of a solved game and the method that reads them; damaged ones are made again."""

    def __init__(
        self,
        method: Method[S],
        sections: Sequence[Section],
        solve_again: Callable[[], Sequence[Section]],
    ) -> None:
        self.method = method
        self._sections = sections
        self._solve_again = solve_again

    def read(self, ask: Callable[[Sequence[Section]], Found]) -> Found:
        try:
            return ask(self._sections)
        except DamagedFile:
            self._sections = self._solve_again()
            return ask(self._sections)

    def derive(
        self,
        make: Callable[[Sequence[Section]], Tables],
        use: Callable[[Sequence[Section]], Found],
        cache: SolutionCache | None,
    ) -> Found:
        """What is made of these tables: once, and opened in its own file after that."""
        found: Tables | CachedTables | None = cache.read() if cache else None
        if found is None:
            found = self.read(make)
            if cache:
                cache.write(found)
        try:
            return use(found.sections)
        except DamagedFile:
            return use(self.read(make).sections)


class Memo(Generic[Found]):
    """What was worked out lately, by key; it is emptied when it is full."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Found] = {}

    def get(self, key: Hashable, work_out: Callable[[], Found]) -> Found:
        found = self._known.get(key)
        if found is None:
            found = work_out()
            if len(self._known) >= MAX_REMEMBERED:
                self._known.clear()
            self._known[key] = found
        return found
