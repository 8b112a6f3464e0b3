"""Win, draw and loss as three chances, when both play by the solution's strategy.

The value alone does not tell them: 0 may be a draw, or a toss between win and loss. They are
worked out over the states that the two strategies can reach, as long as those are few.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import fsum, prod
from typing import cast
from weakref import WeakKeyDictionary

from number_duels.core.game import Chance, Decision, E, M, Outcome, S, Seat
from number_duels.core.states import successors as all_successors
from number_duels.solvers import Solution

#: The most states to follow for one question, where both play by their strategies.
MAX_STATES = 6_000
#: The most undecided states that may come, however they play, where both choose at once: what is
#: behind them decides between equal strategies there, and takes far longer to work out.
MAX_UNDECIDED_STATES = 5_000
#: A value this close to 1 or -1 is certain.
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Chances:
    """How often Player 1, or the player who is meant, wins, draws and loses.

    >>> Chances(0.5, 0.25, 0.25).seen_by(Seat.TWO)
    Chances(win=0.25, draw=0.25, loss=0.5)
    """

    #: From 0 to 1.
    win: float
    #: From 0 to 1.
    draw: float
    #: From 0 to 1.
    loss: float

    @classmethod
    def without_draws(cls, value: float) -> Chances:
        """The chances where a draw cannot be, by the expected result."""
        return cls((1 + value) / 2, 0.0, (1 - value) / 2)

    @classmethod
    def mean(cls, parts: Iterable[tuple[float, Chances]]) -> Chances:
        """The chances when one of several things happens, each with its probability."""
        wins, draws, losses = zip(
            *((odds * c.win, odds * c.draw, odds * c.loss) for odds, c in parts), strict=True
        )
        return cls(fsum(wins), fsum(draws), fsum(losses))

    def seen_by(self, seat: Seat) -> Chances:
        """Player 1's chances as a seat sees them."""
        return self if seat is Seat.ONE else Chances(self.loss, self.draw, self.win)


WIN, DRAW, LOSS = Chances(1.0, 0.0, 0.0), Chances(0.0, 1.0, 0.0), Chances(0.0, 0.0, 1.0)
RESULTS = {Seat.ONE: WIN, None: DRAW, Seat.TWO: LOSS}


@dataclass
class Memo:
    """What was worked out before for a solution, by key."""

    #: None: it has too many states.
    chances: dict[Hashable, Chances | None] = field(default_factory=dict)
    #: States with few enough undecided ones behind them.
    few: set[Hashable] = field(default_factory=set)


_memos: WeakKeyDictionary[object, Memo] = WeakKeyDictionary()


def chances(solution: Solution[S, M, E], state: S) -> Chances | None:
    """Player 1's chances if both play perfectly; None where they take too long to work out.

    >>> from number_duels import load, solve
    >>> game = load("number-knot", numbers=3, life=3)
    >>> chances(solve(game, cache=False), game.start())
    Chances(win=1.0, draw=0.0, loss=0.0)
    """
    memo = _memos.setdefault(solution, Memo())
    key = solution.game.key(state)
    if key not in memo.chances:
        memo.chances[key] = at_once(solution, state)
        if memo.chances[key] is None and is_small(solution, state, memo):
            follow(solution, state, memo.chances)
    return memo.chances[key]


def is_small(solution: Solution[S, M, E], start: S, memo: Memo) -> bool:
    """Whether the strategies from here on can be worked out in a moment."""
    game = solution.game
    turn = game.turn(start)
    if game.key(start) in memo.few or not isinstance(turn, Decision) or len(turn.options) == 1:
        return True
    seen, waiting = {game.key(start)}, [start]
    while waiting:
        state = waiting.pop()
        turn = game.turn(state)
        assert not isinstance(turn, Outcome)
        for after in all_successors(game, state, turn):
            key = game.key(after)
            if key not in seen and key not in memo.few and at_once(solution, after) is None:
                seen.add(key)
                waiting.append(after)
        if len(seen) > MAX_UNDECIDED_STATES:
            return False
    memo.few |= seen
    return True


def follow(solution: Solution[S, M, E], start: S, known: dict[Hashable, Chances | None]) -> None:
    """Depth first, without recursion, until the start is known or too much has been seen."""
    game = solution.game
    waiting = [start]
    following: dict[Hashable, list[tuple[float, S]]] = {}
    seen = 0
    while waiting:
        state = waiting[-1]
        key = game.key(state)
        if known.get(key) is not None:
            waiting.pop()
            continue
        certain = at_once(solution, state)
        if certain is not None:
            known[key] = certain
            continue
        if key not in following:
            seen += 1
            if seen > MAX_STATES:
                return
            following[key] = list(successors(solution, state))
        parts = [(odds, after, known.get(game.key(after))) for odds, after in following[key]]
        ahead = [after for _, after, found in parts if found is None]
        if ahead:
            waiting += ahead
            continue
        known[key] = Chances.mean((odds, cast("Chances", found)) for odds, _, found in parts)
        del following[key]


def at_once(solution: Solution[S, M, E], state: S) -> Chances | None:
    """The chances where the value tells them."""
    turn = solution.game.turn(state)
    if isinstance(turn, Outcome):
        return RESULTS[turn.winner]
    value = solution.value(state)
    if abs(value) > 1 - TOLERANCE:
        return WIN if value > 0 else LOSS
    return None if solution.game.may_draw(state) else Chances.without_draws(value)


def successors(solution: Solution[S, M, E], state: S) -> Iterator[tuple[float, S]]:
    """What may follow when both play by their strategies, with its probability."""
    game, turn = solution.game, solution.game.turn(state)
    if isinstance(turn, Chance):
        for event, odds in turn.odds.items():
            yield float(odds), game.drawn(state, event)
    elif isinstance(turn, Decision):
        seats = sorted(turn.options)
        mixtures = [
            [(move, odds) for move, odds in solution.strategy(state, seat).items() if odds]
            for seat in seats
        ]
        for choice in product(*mixtures):
            moves = {seat: move for seat, (move, _) in zip(seats, choice, strict=True)}
            yield prod(odds for _, odds in choice), game.resolve(state, moves)
