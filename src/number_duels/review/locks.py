"""What locks change in a position: its value, the best reply, and what every option is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from number_duels.core.game import Decision, E, M, S, Seat
from number_duels.review.position import drop_rounding_error, snap_to_integer, words_of_moves
from number_duels.solvers.locked_solution import LockedSolution
from number_duels.solvers.locks import Lock


@dataclass(frozen=True)
class LockedOption:
    """One option: what it is worth to its seat without the locks, and with them."""

    move: str
    words: str
    #: What it is worth without the locks.
    free: float
    #: Against the other's locked play; None: the other is not locked.
    reply: float | None
    #: How often it is played with everything else as before; None: this seat is not locked.
    played: float | None
    #: What it is worth, and how often it is played, if both do their best within the locks.
    adjusted: float
    probability: float
    #: Whether the locks forbid it here.
    locked: bool


@dataclass(frozen=True)
class LockedPosition:
    """A position with locks; values are Player 1's."""

    locks: tuple[Lock, ...]
    free: float
    #: What the best reply of a seat makes of it; the other, which is locked, plays on as before.
    replies: Mapping[Seat, float]
    #: What it is worth if both do their best within the locks.
    adjusted: float
    options: Mapping[Seat, tuple[LockedOption, ...]]

    def gain(self, seat: Seat) -> float:
        """What the best reply brings a seat more than perfect play did."""
        return drop_rounding_error(to(seat, self.replies[seat] - self.free))

    def cost(self, seat: Seat) -> float:
        """What the locks cost a seat if both do their best within them; less than 0: a gain."""
        cost = to(seat, self.free - self.adjusted)
        return cost if drop_rounding_error(abs(cost)) else 0.0


def to(seat: Seat, value: float) -> float:
    """Player 1's value as a seat's own."""
    return value if seat is Seat.ONE else 0.0 - value


def examine_locks(
    locked: LockedSolution[S, M, E], locks: Sequence[Lock], state: S
) -> LockedPosition:
    """What locks change in a position."""
    repliers = [seat for seat in Seat if seat.other in locked.rules.seats]
    turn = locked.solution.game.turn(state)
    deciding = sorted(turn.options) if isinstance(turn, Decision) else []
    return LockedPosition(
        tuple(locks),
        snap_to_integer(locked.solution.value(state)),
        {seat: snap_to_integer(locked.reply_value(state, seat)) for seat in repliers},
        snap_to_integer(locked.value(state)),
        {seat: locked_options(locked, state, seat) for seat in deciding},
    )


def locked_options(
    locked: LockedSolution[S, M, E], state: S, seat: Seat
) -> tuple[LockedOption, ...]:
    """The options of a seat, the best reply first; else what is worth most within the locks."""
    game, seats = locked.solution.game, locked.rules.seats
    words = words_of_moves(game, state, seat)
    free, adjusted = locked.solution.values(state, seat), locked.values(state, seat)
    often = locked.strategy(state, seat)
    replies = locked.reply_values(state, seat) if seat.other in seats else {}
    played = locked.policy(state, seat) if seat in seats else {}
    found = (
        LockedOption(
            str(move),
            words[move],
            snap_to_integer(free[move]),
            snap_to_integer(replies[move]) if replies else None,
            snap_to_integer(played[move]) if played else None,
            snap_to_integer(adjusted[move]),
            snap_to_integer(often[move]),
            not any(odds),
        )
        for move, *odds in zip(free, *locked.rules.open(state, seat, tuple(free)), strict=True)
    )
    return tuple(sorted(found, key=preference))


def preference(option: LockedOption) -> tuple[float, ...]:
    """The order of options: by the reply, then by what they are worth within the locks."""
    reply, played = option.reply or 0.0, option.played or 0.0
    figures = reply, played, option.adjusted, option.probability, option.free
    return *(-round(figure, 9) for figure in figures), option.locked
