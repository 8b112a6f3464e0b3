"""A solved game: what every state is worth, and how to play it perfectly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from operator import mul
from typing import TYPE_CHECKING, Generic

from number_duels.core.game import Chance, Decision, E, Game, M, Outcome, S, Seat
from number_duels.core.states import successors
from number_duels.solvers.backward_induction import RESULTS, rows_of
from number_duels.solvers.cache_file import checked_numbers
from number_duels.solvers.errors import no_value
from number_duels.solvers.payoff_matrix import PayoffMatrix
from number_duels.solvers.perfect_policy import PerfectPolicy
from number_duels.solvers.proper import Corner, proper_corners
from number_duels.solvers.protocols import (
    ArraysMethod,
    ChoicesMethod,
    Progress,
    RandomPlayMethod,
    silent,
)
from number_duels.solvers.random_play import RandomPlay
from number_duels.solvers.table_reader import Memo, Origin, TableReader
from number_duels.solvers.tie_break import TIE, tie_break_key

if TYPE_CHECKING:
    from number_duels.solvers.strategy_arrays import StrategyArrays

#: The most states whose strategies are laid out as arrays: about half a gigabyte.
MAX_ARRAY_STATES = 1_000_000
#: Moves whose values differ by no more than this are equally good.
VALUE_TOLERANCE = 1e-9


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

    def __init__(self, game: Game[S, M, E], tables: TableReader[S], origin: Origin) -> None:
        self.game = game  #: The game that was solved.
        self.tables = tables
        self.states = origin.states  #: How many states it has.
        self.seconds = origin.seconds  #: How long it took to solve it, or to open its solution.
        self.cached = origin.cached  #: Whether it was on disk.
        self.warning = origin.warning
        # The same positions come back, in a game and from game to game.
        self._values: Memo[float] = Memo()
        self._mixtures: Memo[Sequence[float]] = Memo()
        self._arrays_cache = origin.arrays_cache
        self._arrays: StrategyArrays[S] | None = None
        self._random_play: Callable[[S, Seat], float] | None = None

    def __repr__(self) -> str:
        value = round(self.value(self.game.start()), 9) + 0.0
        return f"<Solution of {self.game!r}: value {value}, {self.states:,} states>"

    def open_arrays(self, progress: Progress = silent) -> StrategyArrays[S] | None:
        """All strategies as arrays, from which questions are answered from now on.

        They are built once, in seconds, and mapped from a file after that. None: there is no
        fast way to build them, or they are too many; answers are worked out as before.
        """
        method = self.tables.method
        if self.states > MAX_ARRAY_STATES:
            return None
        if self._arrays is None and isinstance(method, ArraysMethod):
            self._arrays = self.tables.derive(
                lambda sections: method.tabulate(sections, progress),
                method.arrays,
                self._arrays_cache,
            )
        return self._arrays

    def open_choices(self) -> memoryview | None:
        """What perfect play chooses everywhere, in the numbers of a method that has such.

        Worked out once, in seconds, and mapped from a file after that.
        """
        method = self.tables.method
        if not isinstance(method, ChoicesMethod):
            return None
        return self.tables.derive(
            method.tabulate_choices, lambda made: checked_numbers(made[0]), self._arrays_cache
        )

    def value(self, state: S) -> float:
        """The expected result for Player 1 when both play perfectly: win 1, draw 0, loss -1."""
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
        """Perfect play: `strategy(state, seat)` is the probability of every option.

        It is the same on every run. Where both choose at once it is a proper
        equilibrium of the matrix of what may follow: optimal, and gaining most from
        whatever else the opponent plays (Dresher's procedure). Among strategies that
        are equal against every reply, the one that brings most against an opponent
        who plays at random from here on; then the first options as often as possible.

        Where one seat decides it is one best move; among moves of equal value the
        one after which the opponent has the most ways to go wrong: the largest
        share of its options that lose value, averaged over what nature may do
        before. Then a win at once comes before a later one, and a later loss before
        one at once; then the order of the options decides.
        """
        return PerfectPolicy(self)

    def values(self, state: S, seat: Seat) -> dict[M, float]:
        """What each option is worth to the seat that chooses it.

        Where both choose at once the other seat mixes by its `strategy`; after
        that both are perfect.
        """
        options = self._options(state, seat)
        if self._arrays:
            return dict(zip(options[seat], self._arrays.values(state, seat), strict=True))
        replies: list[tuple[dict[Seat, M], float]] = [({}, 1.0)]
        if seat.other in options:
            mixture = zip(options[seat.other], self._mixture(state, seat.other), strict=True)
            replies = [({seat.other: move}, odds) for move, odds in mixture if odds]
        sign = 1 if seat is Seat.ONE else -1
        expected = {
            move: fsum(
                odds * self.value(self.game.resolve(state, {seat: move, **reply}))
                for reply, odds in replies
            )
            for move in options[seat]
        }
        # Adding nothing turns a negative zero into a plain one.
        return {move: sign * value + 0.0 for move, value in expected.items()}

    def option_values(self, state: S, seat: Seat) -> list[float]:
        """What `values` says, without the moves: for those who know the options already."""
        found = self._arrays.values(state, seat) if self._arrays else []
        return found or list(self.values(state, seat).values())  # which refuses what cannot arise

    def guarantees(self, state: S, seat: Seat) -> dict[M, float]:
        """What each option brings at least, whatever the other seat chooses at the same time.

        After that both are perfect.
        """
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
        """What each pair of moves is worth, where both choose at once; a ValueError elsewhere."""
        self.value(state)  # refuses what cannot arise, and views that hide something
        turn = self.game.turn(state)
        if not isinstance(turn, Decision) or len(turn.options) == 1:
            raise ValueError("There is a matrix only where both choose at once.")
        rows, columns = (turn.options[seat] for seat in Seat)
        values = rows_of([value + 0.0 for value in self.following(state)], len(columns))
        return PayoffMatrix(self.game.title, rows, columns, tuple(map(tuple, values)))

    def following(self, state: S) -> list[float]:
        """The value of each state that may follow; where both choose, row after row."""
        turn = self.game.turn(state)
        assert not isinstance(turn, Outcome)
        if self._arrays and isinstance(turn, Decision):
            return self._arrays.following(state)
        return [self.value(then) for then in successors(self.game, state, turn)]

    def _mixture(self, state: S, seat: Seat) -> Sequence[float]:
        """How perfect play mixes the options of a seat, in their order."""
        key = self.game.key(state), seat  # what is remembered was checked when it was worked out
        return self._mixtures.get(key, lambda: self._new_mixture(state, seat))

    def _new_mixture(self, state: S, seat: Seat) -> Sequence[float]:
        options = self._options(state, seat)
        if self._arrays:
            return self._arrays.probabilities(state, seat)
        if len(options) == 1:
            best = self._best(state, seat)
            return [float(move == best) for move in options[seat]]
        return self._proper_mixture(state, seat, options)

    def _options(self, state: S, seat: Seat) -> Mapping[Seat, tuple[M, ...]]:
        """Everybody's options where a seat decides; a ValueError where it does not."""
        self.value(state)  # refuses what cannot arise, and views that hide something
        return self._turn_options(state, seat)

    def _turn_options(self, state: S, seat: Seat) -> Mapping[Seat, tuple[M, ...]]:
        turn = self.game.turn(state)
        if not isinstance(turn, Decision) or seat not in turn.options:
            raise ValueError(f"{seat} has nothing to decide here.")
        return turn.options

    def _proper_mixture(
        self, state: S, seat: Seat, options: Mapping[Seat, tuple[M, ...]]
    ) -> Corner:
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
        """Player 1's expected result if a seat plays by its strategy and the other at random."""
        turn = self.game.turn(state)
        if isinstance(turn, Outcome):
            return RESULTS[turn.winner]
        if self._random_play is None:
            method, read = self.tables.method, self.tables.read
            quick = read(method.random_play) if isinstance(method, RandomPlayMethod) else None
            self._random_play = quick or RandomPlay(self)
        return self._random_play(state, seat)

    def _best(self, state: S, seat: Seat) -> M:
        """The best move of a seat that decides alone."""
        values = self.values(state, seat)
        top = max(values.values())
        equal = [move for move, value in values.items() if value >= top - VALUE_TOLERANCE]
        if len(equal) == 1:
            return equal[0]
        keys = [self._tie_break_key(state, seat, move) for move in equal]
        return next(move for move, key in zip(equal, keys, strict=True) if key >= max(keys) - TIE)

    def _tie_break_key(self, state: S, seat: Seat, move: M) -> float:
        after = self.game.resolve(state, {seat: move})
        turn = self.game.turn(after)
        if isinstance(turn, Outcome):
            return tie_break_key(0.0, RESULTS[turn.winner] * (1 if seat is Seat.ONE else -1))
        return tie_break_key(self._losing_share(after, seat.other), 0.0)

    def _losing_share(self, state: S, seat: Seat) -> float:
        """The share of a seat's options that lose value, averaged over what nature may do."""
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
