"""The base class of all solving methods, and backward induction in plain Python."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from bisect import bisect_left
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from math import fsum
from typing import TYPE_CHECKING, Generic, TypeAlias

from number_duels.core.game import Chance, Decision, E, Game, M, Outcome, S, Seat
from number_duels.core.reachable_states import likely_successors, successors
from number_duels.solvers.cache import Progress, Section, Tables, silent, written
from number_duels.solvers.errors import TooLarge, Unsolvable
from number_duels.solvers.matrix_games import equilibrium, rows_of
from number_duels.solvers.policies import Policy, UniformPolicy, probabilities

if TYPE_CHECKING:  # imported only if needed
    from number_duels.solvers.strategy_arrays import StrategyArrays
    from number_duels.solvers.strategy_locks import LockRules

MAX_STATES = 2_000_000

RESULTS: dict[Seat | None, float] = {Seat.ONE: 1.0, None: 0.0, Seat.TWO: -1.0}

#: Returns a state's value for Player 1 if the given seat plays the best response. Returns None for
#: a state that was not searched.
ResponseValue: TypeAlias = Callable[[S, Seat], float | None]


class Method(ABC, Generic[S, M, E]):
    """A way to solve one game with given settings."""

    #: The name of the method and its settings, as `name=value`. It is part of the cache file's
    #: name.
    identity: str

    def table_bytes(self) -> int:
        """Return the size of the tables in bytes, or 0 if they are small."""
        return 0

    @abstractmethod
    def solve(self, progress: Progress) -> Tables: ...

    @abstractmethod
    def value(self, state: S, sections: Sequence[Section]) -> float | None:
        """Return Player 1's value of a state that is not over, or None if it is unreachable."""

    def solve_locked(
        self, rules: LockRules[S, M, E], sections: Sequence[Section], progress: Progress = silent
    ) -> Callable[[S], float | None] | None:
        """Solve the game with locks, and return a function that looks up Player 1's value."""
        return None

    def expected_results(
        self,
        error_rates: Sequence[tuple[float, float]],
        sections: Sequence[Section],
        progress: Progress = silent,
    ) -> list[float] | None:
        return None

    def random_play(self, sections: Sequence[Section]) -> Callable[[S, Seat], float] | None:
        """Return a function that does the same as `RandomPlay`, but faster."""
        return None

    def tabulate_random_play(self, sections: Sequence[Section]) -> Tables | None:
        """Compute all results of `random_play`, as tables that `open_random_play` can read."""
        return None

    def open_random_play(self, sections: Sequence[Section]) -> Callable[[S, Seat], float] | None:
        return None

    def respond_to_errors(
        self, error_rate: float, sections: Sequence[Section], progress: Progress = silent
    ) -> ResponseValue[S] | None:
        """Find the best response to a player that makes random moves at this rate."""
        return None

    def respond_to_locks(
        self, rules: LockRules[S, M, E], sections: Sequence[Section], progress: Progress = silent
    ) -> ResponseValue[S] | None:
        """Find the best response to perfect play with these locks."""
        return None

    def respond(
        self, game: Game[S, M, E], policy: Policy[S, M], progress: Progress = silent
    ) -> ResponseValue[S] | None:
        return None

    def tabulate(self, sections: Sequence[Section], progress: Progress = silent) -> Tables | None:
        """Compute all strategies, as tables that `arrays` can read."""
        return None

    def arrays(self, sections: Sequence[Section]) -> StrategyArrays[S] | None:
        return None

    def tabulate_choices(self, sections: Sequence[Section]) -> Tables | None:
        """Compute the perfect choice in every state of a game that is too large for `tabulate`."""
        return None


@dataclass
class Visit(Generic[S, M, E]):
    key: Hashable
    state: S
    turn: Decision[M] | Chance[E]
    following: list[S]
    values: list[float] = field(default_factory=list)


class Induction(Method[S, M, E]):
    """Solves any game by backward induction. Each key is solved once."""

    def __init__(self, game: Game[S, M, E], limit: int = MAX_STATES, remedy: str = "") -> None:
        self.game = game
        self.limit = limit
        self.remedy = remedy
        self.identity = f"induction {written(game.settings)}"
        self.known: dict[Hashable, float] = {}
        self.ends = 0
        self.open: set[Hashable] = set()

    def solve(self, progress: Progress) -> Tables:
        self.known, self.ends, self.open = {}, 0, set()
        self.visit_all(progress)
        return Tables(self.sections(), len(self.known) - self.ends)

    def sections(self) -> tuple[memoryview, ...]:
        found = sorted((*digest(key), value) for key, value in self.known.items())
        columns = tuple(zip(*found, strict=True)) if found else ((), (), ())
        return tuple(map(memoryview, map(array, "QQd", columns)))

    def value(self, state: S, sections: Sequence[Section]) -> float | None:
        high, low, values = sections
        first, second = digest(self.game.key(state))
        place = bisect_left(high, first)
        while place < len(high) and high[place] == first:
            if low[place] == second:
                return values[place]
            place += 1
        return None

    def visit_all(self, progress: Progress) -> None:
        # Recursion would be too deep for long games.
        start = self.game.start()
        if self.known_value(start) is not None:
            return
        path = [self.enter(start)]
        ticks = 0
        while path:
            visit = path[-1]
            if len(visit.values) == len(visit.following):
                self.known[visit.key] = self.combine(visit)
                self.open.discard(visit.key)
                path.pop()
                continue
            following = visit.following[len(visit.values)]
            value = self.known_value(following)
            if value is not None:
                visit.values.append(value)
            else:
                path.append(self.enter(following))
                ticks += 1
                if ticks % 1024 == 0:
                    progress(done(path))

    def known_value(self, state: S) -> float | None:
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
        title, key, turn = self.game.title, self.game.key(state), self.game.turn(state)
        if key in self.open:
            raise Unsolvable(f"{title} cannot be solved: its positions can repeat forever.")
        if len(self.known) + len(self.open) >= self.limit:
            raise too_many(title, self.limit, self.remedy)
        assert not isinstance(turn, Outcome)
        if isinstance(turn, Decision):
            for seat in turn.options:
                if self.game.view(state, seat) != state:
                    raise Unsolvable(
                        f"{title} cannot be solved: {seat} decides without seeing everything."
                    )
        self.open.add(key)
        return Visit(key, state, turn, list(successors(self.game, state, turn)))

    def combine(self, visit: Visit[S, M, E]) -> float:
        turn, values = visit.turn, visit.values
        if isinstance(turn, Chance):
            return fsum(
                float(odd) * value for odd, value in zip(turn.odds.values(), values, strict=True)
            )
        if len(turn.options) == 1:
            return max(values) if Seat.ONE in turn.options else min(values)
        return equilibrium(rows_of(values, len(turn.options[Seat.TWO]))).value


def too_many(title: str, limit: int, remedy: str) -> TooLarge:
    how = f"; {remedy}" if remedy else ""
    return TooLarge(
        f"{title} with these settings cannot be solved: it has more than {limit:,} states{how}."
    )


def done(path: Sequence[Visit[S, M, E]]) -> float:
    """Estimate which fraction of the game tree has been visited."""
    share, fraction = 1.0, 0.0
    for visit in path:
        share /= len(visit.following)
        fraction += share * len(visit.values)
    return fraction


def digest(key: Hashable) -> tuple[int, int]:
    """Return a digest of a key as two integers. It is the same in every process."""
    both = blake2b(spelled(key).encode(), digest_size=16).digest()
    return int.from_bytes(both[:8]), int.from_bytes(both[8:])


def spelled(key: object) -> str:
    """Return a key as text. Sets are sorted, because their order differs between processes."""
    if isinstance(key, tuple):
        return f"({','.join(map(spelled, key))})"
    if isinstance(key, frozenset):
        return f"{{{','.join(sorted(map(spelled, key)))}}}"
    return repr(key)


class RandomPlay(Generic[S, M, E]):
    """Computes Player 1's result if one seat plays `strategy` and the other plays at random."""

    def __init__(
        self, game: Game[S, M, E], strategy: Callable[[S, Seat], Mapping[M, float]]
    ) -> None:
        self.game, self.strategy = game, strategy
        self.known: dict[Hashable, tuple[float, float]] = {}

    def __call__(self, state: S, seat: Seat) -> float:
        key = self.game.key(state)
        if key not in self.known:
            self.fill(state)
        return self.known[key][seat]

    def fill(self, state: S) -> None:
        game, waiting = self.game, [state]
        while waiting:
            state = waiting[-1]
            key, turn = game.key(state), game.turn(state)
            if key in self.known:
                waiting.pop()
            elif isinstance(turn, Outcome):
                self.known[key] = (RESULTS[turn.winner], RESULTS[turn.winner])
            else:
                ahead = [s for s in successors(game, state, turn) if game.key(s) not in self.known]
                waiting += ahead
                if not ahead:
                    one, two = (self.expected(state, turn, seat) for seat in Seat)
                    self.known[key] = one, two

    def expected(self, state: S, turn: Decision[M] | Chance[E], seat: Seat) -> float:
        def strategy(other: Seat) -> Mapping[M, float]:
            policy = self.strategy if other is seat else UniformPolicy(self.game)
            return policy(state, other)

        after = likely_successors(self.game, state, turn, strategy)
        return fsum(odds * self.known[self.game.key(then)][seat] for odds, then in after)


def induce_response(
    game: Game[S, M, E],
    seat: Seat,
    policy: Policy[S, M],
    leaf: Callable[[S], float | None] = lambda _: None,
    start: S | None = None,
) -> dict[Hashable, float]:
    """Return Player 1's result for every key if `seat` plays the best response to `policy`."""
    known: dict[Hashable, float] = {}
    ends: dict[Hashable, float] = {}
    opened: dict[Hashable, list[list[tuple[Hashable, S, float]]]] = {}
    waiting = [game.start() if start is None else start]
    while waiting:
        state = waiting[-1]
        key, turn = game.key(state), game.turn(state)
        if key in known or key in ends:
            waiting.pop()
            continue
        if isinstance(turn, Outcome):
            ends[key] = RESULTS[turn.winner]
            continue
        if (end := leaf(state)) is not None:
            ends[key] = end
            continue
        keys = opened.pop(key, None) or [
            [(game.key(then), then, odds) for then, odds in branch]
            for branch in branches(game, state, seat, turn, policy)
        ]
        ahead = [then for b in keys for k, then, _ in b if k not in known and k not in ends]
        if ahead:
            opened[key] = keys
            waiting += ahead
            continue
        values = [fsum(p * (known[k] if k in known else ends[k]) for k, _, p in b) for b in keys]
        known[key] = max(values) if seat is Seat.ONE else min(values)
    return known


def branches(
    game: Game[S, M, E],
    state: S,
    seat: Seat,
    turn: Decision[M] | Chance[E],
    policy: Policy[S, M],
) -> list[list[tuple[S, float]]]:
    """Return, for each move of `seat`, the next states and their probabilities."""
    if isinstance(turn, Chance):
        return [[(game.drawn(state, event), float(odds)) for event, odds in turn.odds.items()]]
    others: list[tuple[dict[Seat, M], float]] = [({}, 1.0)]
    if seat.other in turn.options:
        view, options = game.view(state, seat.other), turn.options[seat.other]
        mix = probabilities(game, policy, view, seat.other, options)
        others = [({seat.other: move}, odds) for move, odds in mix.items() if odds]
    own: list[dict[Seat, M]] = [{seat: move} for move in turn.options.get(seat, ())]
    return [[(game.resolve(state, mine | r), p) for r, p in others] for mine in own or [{}]]


def lookup(game: Game[S, M, E], found: Mapping[Seat, Mapping[Hashable, float]]) -> ResponseValue[S]:
    return lambda state, seat: found[seat].get(game.key(state))
