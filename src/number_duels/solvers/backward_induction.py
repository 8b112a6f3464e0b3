"""Backward induction over keys, for any game, from its rules alone and in plain Python."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from math import fsum
from typing import Generic

from number_duels.core.game import Chance, Decision, E, Game, M, Outcome, S, Seat
from number_duels.core.states import successors
from number_duels.solvers.errors import TooLarge, Unsolvable
from number_duels.solvers.matrix_games import equilibrium
from number_duels.solvers.protocols import Progress, Section, Tables, written

#: The most keys that plain Python should hold: about a gigabyte.
MAX_STATES = 2_000_000

RESULTS: dict[Seat | None, float] = {Seat.ONE: 1.0, None: 0.0, Seat.TWO: -1.0}


@dataclass
class Visit(Generic[S, M, E]):
    """A state whose value is being worked out: what may follow, and what that is worth."""

    key: Hashable
    state: S
    turn: Decision[M] | Chance[E]
    following: list[S]
    worth: list[float] = field(default_factory=list)


class Induction(Generic[S, M, E]):
    """The value of every key that can be reached from the start."""

    def __init__(self, game: Game[S, M, E], limit: int = MAX_STATES, remedy: str = "") -> None:
        self.game = game
        self.limit = limit
        self.remedy = f"; {remedy}" if remedy else ""
        self.identity = f"induction {written(game.settings)}"
        #: What is known: the value of every key that is done, and of every end.
        self.known: dict[Hashable, float] = {}
        self.ends = 0
        self.open: set[Hashable] = set()

    def table_bytes(self) -> int:
        return 0  # not known before all states are seen; at most 24 bytes for each of MAX_STATES

    def solve(self, progress: Progress) -> Tables:
        """Solve the game and lay its values out by the digests of their keys."""
        self.known, self.ends, self.open = {}, 0, set()
        self.visit_all(progress)
        found = sorted((*digest(key), value) for key, value in self.known.items())
        columns = tuple(zip(*found, strict=True)) if found else ((), (), ())
        sections = tuple(map(array, "QQd", columns))
        return Tables(tuple(map(memoryview, sections)), len(self.known) - self.ends)

    def value(self, state: S, sections: Sequence[Section]) -> float | None:
        """The value of a state that can be reached; None otherwise."""
        high, low, values = sections
        first, second = digest(self.game.key(state))
        place = bisect_left(high, first)
        while place < len(high) and high[place] == first:
            if low[place] == second:
                return values[place]
            place += 1
        return None

    def visit_all(self, progress: Progress) -> None:
        """Work depth first, without recursion: long games are no deeper than short ones."""
        start = self.game.start()
        if self.worth(start) is not None:
            return
        path = [self.enter(start)]
        ticks = 0
        while path:
            visit = path[-1]
            if len(visit.worth) == len(visit.following):
                self.known[visit.key] = self.combine(visit)
                self.open.discard(visit.key)
                path.pop()
                continue
            following = visit.following[len(visit.worth)]
            worth = self.worth(following)
            if worth is not None:
                visit.worth.append(worth)
            else:
                path.append(self.enter(following))
                ticks += 1
                if ticks % 1024 == 0:
                    progress(done(path))

    def worth(self, state: S) -> float | None:
        key = self.game.key(state)
        if key in self.known:
            return self.known[key]
        turn = self.game.turn(state)
        if not isinstance(turn, Outcome):
            return None
        self.known[key] = RESULTS[turn.winner]
        self.ends += 1
        return self.known[key]

    def enter(self, state: S) -> Visit[S, M, E]:
        """Begin a state that has not been seen; refuse what cannot be solved."""
        title, key, turn = self.game.title, self.game.key(state), self.game.turn(state)
        if key in self.open:
            raise Unsolvable(f"{title} cannot be solved: its positions can repeat without end.")
        if len(self.known) + len(self.open) >= self.limit:
            raise TooLarge(
                f"{title} with these settings cannot be solved: "
                f"it has more than {self.limit:,} states{self.remedy}."
            )
        assert not isinstance(turn, Outcome)
        if isinstance(turn, Decision):
            for seat in turn.options:
                if self.game.view(state, seat) != state:
                    raise Unsolvable(
                        f"{title} cannot be solved: {seat} decides while something is hidden."
                    )
        self.open.add(key)
        return Visit(key, state, turn, list(successors(self.game, state, turn)))

    def combine(self, visit: Visit[S, M, E]) -> float:
        """The value of a state from the values of all that may follow."""
        turn, worth = visit.turn, visit.worth
        if isinstance(turn, Chance):
            return fsum(
                float(odd) * value for odd, value in zip(turn.odds.values(), worth, strict=True)
            )
        if len(turn.options) == 1:
            return max(worth) if Seat.ONE in turn.options else min(worth)
        return equilibrium(rows_of(worth, len(turn.options[Seat.TWO]))).value


def rows_of(entries: Sequence[float], width: int) -> list[Sequence[float]]:
    """A matrix from its entries, row after row."""
    return [entries[start : start + width] for start in range(0, len(entries), width)]


def done(path: Sequence[Visit[S, M, E]]) -> float:
    """Which fraction of the whole tree lies behind the path to the state being visited."""
    share, fraction = 1.0, 0.0
    for visit in path:
        share /= len(visit.following)
        fraction += share * len(visit.worth)
    return fraction


def digest(key: Hashable) -> tuple[int, int]:
    """Sixteen bytes that stand for a key, the same in every process."""
    both = blake2b(spelled(key).encode(), digest_size=16).digest()
    return int.from_bytes(both[:8]), int.from_bytes(both[8:])


def spelled(key: object) -> str:
    """A key in letters; a set in sorted order, since its own order is not fixed."""
    if isinstance(key, tuple):
        return f"({','.join(map(spelled, key))})"
    if isinstance(key, frozenset):
        return f"{{{','.join(sorted(map(spelled, key)))}}}"
    return repr(key)
