"""A solved game: the value of every state, and perfect play."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import fsum
from operator import mul
from typing import TYPE_CHECKING, Generic, TypeVar

from number_duels.core.game import Chance, Decision, E, Game, M, Outcome, S, Seat, SomeGame
from number_duels.core.reachable_states import successors
from number_duels.solvers.cache import (
    STRATEGIES,
    Progress,
    Section,
    SolutionCache,
    Tables,
    checked_numbers,
    silent,
)
from number_duels.solvers.errors import DamagedFile, no_value
from number_duels.solvers.induction import RESULTS, Method, RandomPlay
from number_duels.solvers.matrix_games import (
    TIE,
    VALUE_TOLERANCE,
    Corner,
    PayoffMatrix,
    proper_corners,
    rows_of,
    tie_break_key,
)
from number_duels.solvers.policies import ErringPolicy, check_state, decision_of, same, seat_of

if TYPE_CHECKING:  # imported only if a kernel needs it
    from number_duels.solvers.strategy_arrays import StrategyArrays

#: Strategies are stored as arrays up to this many states, about half a gigabyte.
MAX_ARRAY_STATES = 1_000_000
MAX_REMEMBERED = 50_000

RANDOM_PLAY = f"{STRATEGIES} random"

Found = TypeVar("Found")


class TableReader(Generic[S, M, E]):
    """Reads a game's tables from the cache, or computes them. Damaged tables are computed again."""

    def __init__(
        self, game: Game[S, M, E], method: Method[S, M, E], progress: Progress, *, cache: bool
    ) -> None:
        self.game, self.method, self._progress = game, method, progress
        self._cache = SolutionCache(game, method.identity) if cache else None
        self.warning: str | None = None
        found = self._cache.read() if self._cache else None
        self.cached = found is not None
        self._tables = found or self._solve()

    @property
    def states(self) -> int:
        return self._tables.states

    def _solve(self) -> Tables:
        self._progress(0.0)  # The caller's `progress` may raise an error here, so as not to wait.
        tables = self.method.solve(self._progress)
        self._progress(1.0)
        self.warning = self._cache.write(tables) if self._cache else None
        return tables

    def read(self, ask: Callable[[Sequence[Section]], Found]) -> Found:
        try:
            return ask(self._tables.sections)
        except DamagedFile:
            self._tables = self._solve()
            return ask(self._tables.sections)

    def derive(
        self,
        kind: str,
        make: Callable[[Sequence[Section]], Tables | None],
        use: Callable[[Sequence[Section]], Found | None],
    ) -> Found | None:
        """Return an object made from these tables, and cache its data in a file of its own.

        If the data is not in the cache, `make` computes it. `use` makes the object from the data.
        Return None if `make` does.
        """
        kept = self.open(kind, use)
        if kept is not None:
            return kept
        found = self.read(make)
        if found and self._cache:
            self._cache_of(kind).write(found)
        return use(found.sections) if found else None

    def open(self, kind: str, use: Callable[[Sequence[Section]], Found | None]) -> Found | None:
        """Return an object made from data that `derive` has cached, or None if there is none."""
        found = self._cache_of(kind).read() if self._cache else None
        with suppress(DamagedFile):
            return use(found.sections) if found else None
        return None

    def _cache_of(self, kind: str) -> SolutionCache:
        return SolutionCache(self.game, f"{kind} {self.method.identity}")


class Memo(Generic[Found]):
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


class Solution(Generic[S, M, E]):
    """The exact solution of a game with its settings.

    >>> from number_duels import Seat, load
    >>> from number_duels.solvers import solve
    >>> game = load("number-knot", numbers=3, life=3)
    >>> solution = solve(game, cache=False)
    >>> solution
    <Solution of NumberKnot(first=1, life=3, numbers=3, exhausted='draw'): value 1.0, 24 states>
    >>> solution.value(game.start())
    1.0
    >>> {str(move): p for move, p in solution.strategy(game.start(), Seat.ONE).items() if p}
    {'S3': 1.0}
    """

    def __init__(self, game: Game[S, M, E], tables: TableReader[S, M, E], seconds: float) -> None:
        self.game = game  #: The game that was solved.
        self.tables = tables
        self.states = tables.states  #: The number of states in which the game is not over.
        self.seconds = seconds  #: How many seconds solving or opening took.
        self.cached = tables.cached  #: Whether it was read from the cache.
        self.warning = tables.warning
        self._values: Memo[float] = Memo()
        self._mixes: Memo[Sequence[float]] = Memo()
        self._arrays: StrategyArrays[S] | None = None
        self._random_play: Callable[[S, Seat], float] | None = None

    def __repr__(self) -> str:
        value = round(self.value(self.game.start()), 9) + 0.0
        return f"<Solution of {self.game!r}: value {value}, {self.states:,} states>"

    def open_arrays(self, progress: Progress = silent) -> StrategyArrays[S] | None:
        """Return all strategies as arrays, and use them for all later answers.

        The first call takes seconds. Later calls read the cache. Return None if the game is too
        large.
        """
        method = self.tables.method
        if self._arrays is None and self.states <= MAX_ARRAY_STATES:
            self._arrays = self.tables.derive(
                STRATEGIES, lambda sections: method.tabulate(sections, progress), method.arrays
            )
        return self._arrays

    def open_choices(self) -> memoryview | None:
        """Return the perfect choices in all states as numbers.

        The first call takes seconds. Later calls read the cache. Return None if the solving method
        has no table of choices.
        """
        return self.tables.derive(
            f"{STRATEGIES} choices",
            self.tables.method.tabulate_choices,
            lambda made: checked_numbers(made[0]),
        )

    def value(self, state: S | None = None) -> float:
        """Return Player 1's expected result if both play perfectly: win 1, draw 0, loss -1.

        By default, `state` is the start of the game.
        """
        if state is None:
            return self.value(self.game.start())
        check_state(state)
        return self._values.get(self.game.key(state), lambda: self._value(state))

    def _value(self, state: S) -> float:
        turn = self.game.turn(state)
        if isinstance(turn, Outcome):
            return RESULTS[turn.winner]
        found = self.tables.read(lambda sections: self.tables.method.value(state, sections))
        if found is None:
            raise no_value(state, self.game.title)
        return found

    @property
    def strategy(self) -> PerfectPolicy[S, M, E]:
        """Return perfect play: `strategy(state, seat)` returns the probability of every option.

        It is the same on every run. If both seats choose at once, it is a proper equilibrium: it is
        optimal and gains most from the opponent's mistakes. If one seat decides, it is the best
        move that makes the largest share of the opponent's replies lose value.
        """
        return PerfectPolicy(self)

    def values(self, state: S, seat: Seat | None = None) -> dict[M, float]:
        """Return each option's value for the seat that chooses, if both play perfectly afterwards.

        Omit `seat` if only one seat decides. If both choose at once, the other seat plays its
        `strategy`.
        """
        seat = seat_of(self.game, state, seat)
        options = self._options(state, seat)
        if self._arrays:
            return dict(zip(options[seat], self._arrays.values(state, seat), strict=True))
        replies: list[tuple[dict[Seat, M], float]] = [({}, 1.0)]
        if seat.other in options:
            mix = zip(options[seat.other], self._mix(state, seat.other), strict=True)
            replies = [({seat.other: move}, odds) for move, odds in mix if odds]
        sign = 1 if seat is Seat.ONE else -1
        expected = {
            move: fsum(
                odds * self.value(self.game.resolve(state, {seat: move, **reply}))
                for reply, odds in replies
            )
            for move in options[seat]
        }
        # Adding 0.0 turns -0.0 into 0.0.
        return {move: sign * value + 0.0 for move, value in expected.items()}

    def option_values(self, state: S, seat: Seat) -> list[float]:
        """Return the `values` as a list, in the order of the options."""
        found = self._arrays.values(state, seat) if self._arrays else []
        return found or list(self.values(state, seat).values())  # raises for an unreachable state

    def guarantees(self, state: S, seat: Seat | None = None) -> dict[M, float]:
        """Return the result that each option guarantees, whatever the other seat chooses.

        Afterwards both play perfectly.
        """
        seat = seat_of(self.game, state, seat)
        options = self._options(state, seat)
        if self._arrays:
            return dict(zip(options[seat], self._arrays.guarantees(state, seat), strict=True))
        sign = 1 if seat is Seat.ONE else -1
        replies: list[dict[Seat, M]] = [
            {other: m} for other in options if other is not seat for m in options[other]
        ]
        return {
            move: min(
                sign * self.value(self.game.resolve(state, {seat: move, **reply}))
                for reply in replies or [{}]
            )
            + 0.0
            for move in options[seat]
        }

    def matrix(self, state: S) -> PayoffMatrix[M]:
        """Return the value of each pair of moves. Raise ValueError unless both seats choose."""
        self.value(state)  # raises for unreachable states and redacted views
        turn = self.game.turn(state)
        if not isinstance(turn, Decision) or len(turn.options) == 1:
            raise ValueError("Only positions where both players choose at once have a matrix.")
        rows, columns = (turn.options[seat] for seat in Seat)
        values = rows_of([value + 0.0 for value in self.following(state)], len(columns))
        return PayoffMatrix(rows, columns, tuple(map(tuple, values)))

    def following(self, state: S) -> list[float]:
        """Return Player 1's value of every next state, row by row if both seats choose."""
        turn = self.game.turn(state)
        assert not isinstance(turn, Outcome)
        if self._arrays and isinstance(turn, Decision):
            return self._arrays.following(state)
        return [self.value(then) for then in successors(self.game, state, turn)]

    def _mix(self, state: S, seat: Seat) -> Sequence[float]:
        key = self.game.key(state), seat  # the memo holds only states that were checked
        return self._mixes.get(key, lambda: self._new_mix(state, seat))

    def _new_mix(self, state: S, seat: Seat) -> Sequence[float]:
        options = self._options(state, seat)
        if self._arrays:
            return self._arrays.probabilities(state, seat)
        if len(options) == 1:
            best = self._best(state, seat)
            return [float(move == best) for move in options[seat]]
        return self._proper_mix(state, seat, options)

    def _options(self, state: S, seat: Seat) -> Mapping[Seat, tuple[M, ...]]:
        self.value(state)  # raises for unreachable states and redacted views
        return decision_of(self.game, state, seat).options

    def _proper_mix(self, state: S, seat: Seat, options: Mapping[Seat, tuple[M, ...]]) -> Corner:
        sign = 1 if seat is Seat.ONE else -1
        after = [
            [
                self.game.resolve(state, {seat: move, seat.other: reply})
                for reply in options[seat.other]
            ]
            for move in options[seat]
        ]
        corners = proper_corners([[sign * self.value(then) for then in row] for row in after])
        if len(corners) == 1:
            return corners[0]
        gains = [
            fsum(sign * self.against_random(then, seat) for then in row) / len(row) for row in after
        ]
        scores = [fsum(map(mul, corner, gains)) for corner in corners]
        return next(
            corner
            for corner, score in zip(corners, scores, strict=True)
            if score >= max(scores) - TIE
        )

    def against_random(self, state: S, seat: Seat) -> float:
        """Return Player 1's expected result if `seat` plays perfectly against a random player."""
        turn = self.game.turn(state)
        if isinstance(turn, Outcome):
            return RESULTS[turn.winner]
        if self._random_play is None:
            method = self.tables.method
            self._random_play = (
                self.tables.open(RANDOM_PLAY, method.open_random_play)
                or self.tables.read(method.random_play)
                or RandomPlay(self.game, self.strategy)
            )
        return self._random_play(state, seat)

    def _best(self, state: S, seat: Seat) -> M:
        values = self.values(state, seat)
        top = max(values.values())
        equal = [move for move, value in values.items() if value >= top - VALUE_TOLERANCE]
        if len(equal) == 1:
            return equal[0]
        keys = [self._tie_break_key(state, seat, move) for move in equal]
        return next(move for move, key in zip(equal, keys, strict=True) if key >= max(keys) - TIE)

    def hardest(self, state: S, seat: Seat) -> tuple[M, ...]:
        """Return the best moves that are hardest to answer, or () if all are equally hard.

        >>> from number_duels import load
        >>> from number_duels.solvers import solve
        >>> game = load("number-knot")
        >>> [str(move) for move in solve(game).hardest(game.start(), Seat.ONE)]
        ['S8', 'S9']
        """
        values, sign = self.values(state, seat), 1 if seat is Seat.ONE else -1
        top, game = max(values.values()), self.game
        equal = [move for move, value in values.items() if value >= top - VALUE_TOLERANCE]
        if len(equal) == 1:
            return ()
        replies = decision_of(game, state, seat).options.get(seat.other)
        gains = [
            fsum(
                sign * self.value(game.resolve(state, {seat: move, seat.other: reply}))
                for reply in replies
            )
            if replies
            else self._losing_share(game.resolve(state, {seat: move}), seat.other)
            for move in equal
        ]
        most = max(gains)
        best = [move for move, gain in zip(equal, gains, strict=True) if gain >= most - TIE]
        return tuple(best) if len(best) < len(equal) else ()

    def _tie_break_key(self, state: S, seat: Seat, move: M) -> float:
        after = self.game.resolve(state, {seat: move})
        turn = self.game.turn(after)
        if isinstance(turn, Outcome):
            return tie_break_key(0.0, RESULTS[turn.winner] * (1 if seat is Seat.ONE else -1))
        return tie_break_key(self._losing_share(after, seat.other), 0.0)

    def _losing_share(self, state: S, seat: Seat) -> float:
        turn = self.game.turn(state)
        if isinstance(turn, Chance):
            return sum(
                float(odds) * self._losing_share(self.game.drawn(state, event), seat)
                for event, odds in turn.odds.items()
            )
        if isinstance(turn, Outcome) or seat not in turn.options:
            return 0.0
        values = self.values(state, seat).values()
        top = max(values)
        return sum(value < top - VALUE_TOLERANCE for value in values) / len(values)


@dataclass(frozen=True)
class PerfectPolicy(ErringPolicy[S, M, E]):
    """A policy that plays perfectly, except for random moves at a given error rate.

    >>> from number_duels import Seat, load, solve
    >>> game = load("number-knot", numbers=2, life=1)
    >>> policy = solve(game, cache=False).strategy.with_errors(0.5)
    >>> {str(move): p for move, p in policy(game.start(), Seat.ONE).items()}
    {'A1': 0.125, 'S1': 0.625, 'A2': 0.125, 'S2': 0.125}
    """

    #: The solution that it follows.
    solution: Solution[S, M, E]
    #: How often it plays a random option instead.
    error_rate: float = 0.0

    def __call__(self, state: S, seat: Seat | None = None) -> dict[M, float]:
        seat = seat_of(self.solution.game, state, seat)
        options = decision_of(self.solution.game, state, seat).options
        return dict(zip(options[seat], self.weights(state, seat), strict=True))

    def error_rate_in(self, game: SomeGame) -> float | None:
        return self.error_rate if same(self.solution.game, game) else None

    def weights(self, state: S, seat: Seat) -> Sequence[float]:
        perfect, error_rate = self.solution._mix(state, seat), self.error_rate
        if not error_rate:
            return perfect
        kept, spread = 1 - error_rate, error_rate / len(perfect)
        return [kept * odds + spread for odds in perfect]

    def with_errors(self, error_rate: float) -> PerfectPolicy[S, M, E]:
        """Return perfect play with this error rate. The computer levels are made this way."""
        return PerfectPolicy(self.solution, error_rate)
