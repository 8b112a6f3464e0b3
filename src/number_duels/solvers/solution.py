"""A solved game: what every state is worth, and how to play it perfectly."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Generic, TypeVar

from number_duels.core.game import Chance, Decision, E, Game, M, Outcome, S, Seat
from number_duels.solvers.backward_induction import RESULTS, rows_of, successors
from number_duels.solvers.errors import Damaged, Unreachable
from number_duels.solvers.matrix_games import Equilibrium, equilibrium
from number_duels.solvers.protocols import (
    Method,
    PolicyMethod,
    Progress,
    Section,
    SlipMethod,
    Worth,
    silent,
)

if TYPE_CHECKING:
    from number_duels.solvers.policies import Policy

Found = TypeVar("Found")

#: Moves whose values differ by no more than this are equally good.
SAME = 1e-9


@dataclass(frozen=True)
class Origin:
    """Where a solution comes from."""

    #: How many keys can be reached at which somebody decides or nature moves.
    states: int
    #: How long it took to solve, or to open what had been solved before.
    seconds: float
    #: Whether it had been solved before.
    cached: bool
    #: Why it could not be kept for the next time; None: it is kept, or need not be.
    warning: str | None = None


class Memory(Generic[Found]):
    """What was worked out lately, by key; a full memory begins anew."""

    def __init__(self, most: int = 50_000) -> None:
        self._most = most
        self._known: dict[Hashable, Found] = {}

    def get(self, key: Hashable, work_out: Callable[[], Found]) -> Found:
        """What is remembered of a key, or worked out now."""
        if key not in self._known:
            found = work_out()
            if len(self._known) >= self._most:
                self._known.clear()
            self._known[key] = found
        return self._known[key]


class Solution(Generic[S, M, E]):
    """The exact solution of a game with its settings.

    >>> from number_duels import Seat, load
    >>> from number_duels.solvers import solve
    >>> game = load("number-knot", numbers=3, life=3)
    >>> solution = solve(game, cache=False)
    >>> solution.value(game.start())
    1.0
    >>> {str(move): p for move, p in solution.strategy(game.start(), Seat.ONE).items() if p}
    {'S3': 1.0}
    """

    def __init__(
        self,
        game: Game[S, M, E],
        method: Method[S],
        sections: Sequence[Section],
        origin: Origin,
        renew: Callable[[], Sequence[Section]],
    ) -> None:
        self.game = game
        self.states = origin.states
        self.seconds = origin.seconds
        self.cached = origin.cached
        self.warning = origin.warning
        self._method = method
        self._sections = sections
        self._renew = renew
        # The same positions come back, in a game and from game to game.
        self._values: Memory[float] = Memory()
        self._balances: Memory[Equilibrium] = Memory()
        self._choices: Memory[M] = Memory()

    def value(self, state: S) -> float:
        """The expected result for Player 1 when both play perfectly: win 1, draw 0, loss -1."""
        return self._values.get(self.game.key(state), lambda: self._value(state))

    def _value(self, state: S) -> float:
        """The value of a state that is not remembered."""
        turn = self.game.turn(state)
        if isinstance(turn, Outcome):
            return RESULTS[turn.winner]
        found = self._looked_up(lambda sections: self._method.value(state, sections))
        if found is None:
            raise Unreachable(f"This state cannot arise in {self.game.title} with these settings.")
        return found

    def strategy(self, state: S, seat: Seat) -> dict[M, float]:
        """An equilibrium strategy: the probability of every option, the same on every run.

        Where both choose at once it may mix. Where one seat decides it is one
        best move; among moves of equal value the one after which the opponent
        has the most ways to go wrong: the largest share of its options that lose
        value, averaged over what nature may do before. Then a win at once comes
        before a later one, and a later loss before one at once; then the order
        of the options decides.
        """
        options = self._options(state, seat)
        if len(options) == 1:
            best = self._choices.get(self.game.key(state), lambda: self._best(state, seat))
            return {move: float(move == best) for move in options[seat]}
        balance = self._balance(state, options)
        mixture = balance.rows if seat is Seat.ONE else balance.columns
        return dict(zip(options[seat], mixture, strict=True))

    def values(self, state: S, seat: Seat) -> dict[M, float]:
        """What each option is worth to the seat that chooses it.

        Where both choose at once the other seat mixes by its `strategy`; after
        that both are perfect.
        """
        options = self._options(state, seat)
        sign = 1 if seat is Seat.ONE else -1
        if len(options) == 1:
            moves = options[seat]
            found = {m: self.value(self.game.resolve(state, {seat: m})) for m in moves}
            return {move: sign * value + 0.0 for move, value in found.items()}
        other = self.strategy(state, seat.other)
        expected = {
            move: fsum(
                odds * self.value(self.game.resolve(state, {seat: move, seat.other: reply}))
                for reply, odds in other.items()
                if odds
            )
            for move in options[seat]
        }
        # Adding nothing turns a negative zero into a plain one.
        return {move: sign * value + 0.0 for move, value in expected.items()}

    def with_slips(
        self, slips: Sequence[tuple[float, float]], progress: Progress = silent
    ) -> list[float] | None:
        """A kernel's own answer to `evaluation.with_slips`; None: it has none."""
        method = self._method
        if not isinstance(method, SlipMethod):
            return None
        return self._looked_up(lambda sections: method.with_slips(slips, sections, progress))

    def against_slip(self, slip: float, progress: Progress = silent) -> Worth[S] | None:
        """A kernel's best answer to perfect play that slips; None: it has none."""
        method = self._method
        if not isinstance(method, SlipMethod):
            return None
        return self._looked_up(lambda sections: method.against_slip(slip, sections, progress))

    def against(self, policy: Policy[S, M], progress: Progress = silent) -> Worth[S] | None:
        """A kernel's best answer to any policy; None: it has none."""
        if not isinstance(self._method, PolicyMethod):
            return None
        return self._method.against(self.game, policy, progress)

    def _looked_up(self, ask: Callable[[Sequence[Section]], Found]) -> Found:
        """What the tables answer; damaged ones are made again first."""
        try:
            return ask(self._sections)
        except Damaged:
            self._sections = self._renew()
            return ask(self._sections)

    def _options(self, state: S, seat: Seat) -> Mapping[Seat, tuple[M, ...]]:
        """Everybody's options where a seat decides; a ValueError where it does not."""
        turn = self.game.turn(state)
        if not isinstance(turn, Decision) or seat not in turn.options:
            raise ValueError(f"{seat} has nothing to decide here.")
        return turn.options

    def _balance(self, state: S, options: Mapping[Seat, tuple[M, ...]]) -> Equilibrium:
        """The equilibrium where both choose at once."""

        def found() -> Equilibrium:
            worth = [self.value(s) for s in successors(self.game, state, Decision(options))]
            return equilibrium(rows_of(worth, len(options[Seat.TWO])))

        return self._balances.get(self.game.key(state), found)

    def _best(self, state: S, seat: Seat) -> M:
        """The best move of a seat that decides alone."""
        values = self.values(state, seat)
        top = max(values.values())
        equal = [move for move, value in values.items() if value >= top - SAME]
        if len(equal) == 1:
            return equal[0]
        return max(equal, key=lambda move: self._promise(state, seat, move))

    def _promise(self, state: S, seat: Seat, move: M) -> tuple[float, float]:
        """How easily the opponent goes wrong after a move, and a result that is already won."""
        after = self.game.resolve(state, {seat: move})
        turn = self.game.turn(after)
        if isinstance(turn, Outcome):
            return 0.0, RESULTS[turn.winner] * (1 if seat is Seat.ONE else -1)
        return round(self._pitfalls(after, seat.other), 9), 0.0

    def _pitfalls(self, state: S, seat: Seat) -> float:
        """The share of a seat's options that lose value, averaged over what nature may do."""
        turn = self.game.turn(state)
        if isinstance(turn, Chance):
            return sum(
                float(odds) * self._pitfalls(self.game.drawn(state, event), seat)
                for event, odds in turn.odds.items()
            )
        if isinstance(turn, Outcome) or seat not in turn.options:
            return 0.0
        values = self.values(state, seat).values()
        top = max(values)
        return sum(value < top - SAME for value in values) / len(values)
