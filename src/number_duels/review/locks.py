"""The effect of locks on a position and on each option in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from number_duels.core.game import Decision, E, M, S, Seat
from number_duels.review.position import drop_rounding_error, snap_to_integer, words_of_moves
from number_duels.review.words import SCALE, chance, cost, either, named, percent
from number_duels.solvers.strategy_lock_solution import LockedSolution
from number_duels.solvers.strategy_locks import NEVER, PLAYS, Lock


@dataclass(frozen=True)
class LockedOption:
    move: str
    words: str
    free: float
    #: The value against the other seat's locked play, or None if that seat is not locked.
    reply: float | None
    #: How often the seat's locked play chooses it, or None if the seat is not locked.
    played: float | None
    #: The value and the probability if both seats play as well as the locks allow.
    adjusted: float
    probability: float
    locked: bool


@dataclass(frozen=True)
class LockedPosition:
    """A position with locks. All values are Player 1's."""

    locks: tuple[Lock, ...]
    free: float
    #: For each seat, the value if it replies best to the other seat's locked play.
    replies: Mapping[Seat, float]
    adjusted: float
    options: Mapping[Seat, tuple[LockedOption, ...]]

    def gain(self, seat: Seat) -> float:
        """Return how much a seat gains with the best reply to the other seat's locked play."""
        return drop_rounding_error(to(seat, self.replies[seat] - self.free))

    def cost(self, seat: Seat) -> float:
        """Return how much the locks cost a seat. If they help it, the cost is negative."""
        cost = to(seat, self.free - self.adjusted)
        return cost if drop_rounding_error(abs(cost)) else 0.0


def to(seat: Seat, value: float) -> float:
    return value if seat is Seat.ONE else 0.0 - value


def examine_locks(
    locked: LockedSolution[S, M, E], locks: Sequence[Lock], state: S
) -> LockedPosition:
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
    reply, played = option.reply or 0.0, option.played or 0.0
    figures = reply, played, option.adjusted, option.probability, option.free
    return *(-round(figure, 9) for figure in figures), option.locked


def lock_lines(position: LockedPosition, here: str) -> Iterator[str]:
    """Yield lines that describe the locks and their effect. `here` lists the moves so far."""
    yield f"Locked: {'; '.join(lock_words(lock, here) for lock in position.locks)}."
    for seat in position.replies:
        yield reply_sentence(position, seat)
    yield adjusted_sentence(position)
    for seat, options in position.options.items():
        yield ""
        yield f"{seat}'s moves with the locks"
        yield from option_rows(options)
    if position.options:
        yield ""
        yield from column_notes(position)


def lock_words(lock: Lock, here: str) -> str:
    """Describe a lock in words. `here` lists the moves so far.

    >>> lock_words(Lock.parse("2 never 9 10"), here="")
    'Player 2 never plays 9 or 10'
    >>> lock_words(Lock.parse("1 plays 6:1 8:3 at 7/6"), here="")
    'Player 1 plays 6 (25%), 8 (75%) after 7/6'
    """
    verb = f"{lock.rule} plays"
    said = either(lock.moves, most=len(lock.moves)) if lock.rule == NEVER else lock.moves[0]
    if lock.rule == PLAYS:
        verb, total = "plays", sum(lock.weights)
        shares = (percent(weight / total) for weight in lock.weights)
        said = ", ".join(f"{m} ({s})" for m, s in zip(lock.moves, shares, strict=True))
    where = f" after {lock.at}" if lock.at else " at the start"
    if lock.at is None or lock.at == here:
        where = "" if lock.at is None else " here"
    return f"{lock.seat} {verb} {said}{where}"


def reply_sentence(position: LockedPosition, seat: Seat) -> str:
    gain, value = position.gain(seat), chance(to(seat, position.replies[seat]))
    before = chance(to(seat, position.free))
    changes = (
        f"{instead(value, before)}, a gain of {cost(gain)}"
        if gain
        else f"{value}, which is no gain"
    )
    best = position.options[seat][0].words if seat in position.options else ""
    reply = f"{seat}'s best reply" + (f", {best}," if best else "")
    chances = f"gives a winning chance of {changes}"
    return f"If {seat.other} changes nothing else, {reply} {chances}."


def adjusted_sentence(position: LockedPosition) -> str:
    locked = sorted({lock.seat for lock in position.locks})
    seat, loss = locked[0], position.cost(locked[0])
    value, before = (chance(to(seat, v)) for v in (position.adjusted, position.free))
    changes = f"{value}, so the locks cost nothing"
    if loss:
        changes = f"{instead(value, before)}, a {'cost' if loss > 0 else 'gain'}"
        changes += f" of {cost(abs(loss))}"
    return f"If both play as well as the locks allow, {seat} has a winning chance of {changes}."


def instead(value: str, before: str) -> str:
    return value if value == before else f"{value} instead of {before}"


def option_rows(options: tuple[LockedOption, ...]) -> Iterator[str]:
    first = options[0]
    heads = ["free"]
    heads += ["reply"] if first.reply is not None else []
    heads += ["plays"] if first.played is not None else []
    yield "  " + "  ".join([*heads, "adjusted", "often"])
    for (cells, locked), equal in groupby(options, key=lambda o: (option_cells(o), o.locked)):
        said = named([option.words for option in equal])
        yield "  " + "  ".join([*cells, f"{said} (locked)" if locked else said])


def option_cells(option: LockedOption) -> tuple[str, ...]:
    cells = [f"{chance(option.free):>4}"]
    cells += [f"{chance(option.reply):>5}"] if option.reply is not None else []
    cells += [often(option.played)] if option.played is not None else []
    return *cells, f"{chance(option.adjusted):>8}", often(option.probability)


def often(share: float) -> str:
    return f"{percent(share) if share else '-':>5}"


def column_notes(position: LockedPosition) -> Iterator[str]:
    options = [several[0] for several in position.options.values()]
    yield f"  free: the winning chance without locks ({SCALE})."
    if any(option.reply is not None for option in options):
        yield "  reply: the winning chance if the locked opponent changes nothing else."
    if any(option.played is not None for option in options):
        yield "  plays: how often the locked player makes this move if nothing else changes."
    yield "  adjusted: the winning chance if both play as well as the locks allow."
    yield "  often: how often perfect play within the locks makes this move."
