"""The analysis of a position: its value, and what every option is worth."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from number_duels.core.game import Decision, E, Game, M, Outcome, S, Seat
from number_duels.core.history import History
from number_duels.core.match import Match
from number_duels.core.record import Record
from number_duels.solvers import Solution

AnySolution = Solution[Hashable, Hashable, Hashable]


@dataclass(frozen=True)
class Option:
    """One option: its value to the seat that plays it, and how often perfect play chooses it."""

    move: str
    value: float
    probability: float
    #: What it brings at least, whatever the other seat chooses; no less than a loss if not asked.
    guarantee: float = -1.0


@dataclass(frozen=True)
class Position:
    """Player 1's expected result, and the options of every seat that decides."""

    value: float
    options: Mapping[Seat, tuple[Option, ...]]
    outcome: Outcome | None = None

    def best(self, seat: Seat) -> float:
        return max(option.value for option in self.options[seat])


def examine(solution: Solution[S, M, E], state: S) -> Position:
    """The exact value of a position and of every option in it, best first."""
    turn = solution.game.turn(state)
    value = snap_to_integer(solution.value(state))
    if isinstance(turn, Outcome):
        return Position(value, {}, turn)
    if not isinstance(turn, Decision):
        return Position(value, {})
    options = {}
    for seat in sorted(turn.options):
        columns = (
            solution.values(state, seat),
            solution.strategy(state, seat),
            solution.guarantees(state, seat),
        )
        found = (
            Option(str(move), *(snap_to_integer(column[move]) for column in columns))
            for move in turn.options[seat]
        )
        options[seat] = tuple(
            sorted(found, key=lambda option: (-round(option.value, 9), -option.probability))
        )
    return Position(value, options)


def position_of(game: Game[S, M, E], deal: str | None, moves: str) -> tuple[S, str]:
    """The state after written moves, and the moves as they are written properly.

    A ValueError says which turn cannot be played, or what is wrong with the deal.
    """
    if deal is not None:
        Match.from_record(game, Record(game.name, game.settings, deal, 0, moves=moves))
    history = History.read(game, game.start(deal=deal), moves)
    return history.state, str(history)


def snap_to_integer(number: float) -> float:
    """The integer that a number is within 1e-12 of, without the rounding error; else itself."""
    nearest = round(number)
    return float(nearest) if abs(number - nearest) < 1e-12 else number
