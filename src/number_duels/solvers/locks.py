"""Locks: a part of somebody's play that is fixed, in one spot or everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite

from number_duels.core.game import Seat
from number_duels.core.text import printable

NEVER, ALWAYS, PLAYS = "never", "always", "plays"
#: How the start of a game is named as a spot.
START = "start"
EXAMPLES = "2 never 10, 2 always 5 here, or 2 plays 6:30 8:25 at 7/6"


@dataclass(frozen=True)
class Lock:
    """A part of somebody's play that is fixed: moves it never plays, or how it mixes.

    Moves are as they are written. `at` has the moves that lead to the one spot that is meant
    (none: the start of the game); None is everywhere. Where a lock would leave no move, as where
    the only move is one that is never played, it does not apply.

    >>> import number_duels as nd
    >>> nd.Lock.parse("2 never 10")
    Lock(seat=Seat.TWO, rule='never', moves=('10',), weights=(), at=None)
    >>> str(nd.Lock(nd.Seat.TWO, "plays", ("6", "8"), (30, 25), at="7/6"))
    '2 plays 6:30 8:25 at 7/6'
    """

    #: Whose play it is.
    seat: Seat
    #: `never`, `always` or `plays`.
    rule: str
    #: In notation.
    moves: tuple[str, ...]
    #: How often each move is played, where the rule is `plays`; the sum may be anything.
    weights: tuple[float, ...] = ()
    #: The moves that lead to the one spot that is meant; None: everywhere.
    at: str | None = None

    def __post_init__(self) -> None:
        if self.rule not in (NEVER, ALWAYS, PLAYS):
            raise ValueError("The rule of a lock is never, always or plays.")
        if not self.moves or len(set(self.moves)) < len(self.moves):
            raise ValueError(f"After {self.rule} a lock names moves, each once.")
        if self.rule == ALWAYS and len(self.moves) > 1:
            raise ValueError("A lock has one move after always; for several: plays 6:30 8:25.")
        if len(self.weights) != (len(self.moves) if self.rule == PLAYS else 0):
            raise ValueError("A lock has a weight for each move after plays, and no other weights.")
        if not isfinite(sum(self.weights)) or any(weight < 0 for weight in self.weights):
            raise ValueError("The weights of a lock are numbers, 0 or more.")
        if self.rule == PLAYS and not sum(self.weights) > 0:
            raise ValueError("The weights of a lock must not all be 0.")

    @classmethod
    def parse(cls, text: str, here: str = "") -> Lock:
        """A lock from its text, `WHO RULE MOVES [WHERE]`; `here` is the spot after these moves.

        >>> Lock.parse("1 always S5 here", here="S5 A3").at
        'S5 A3'
        """
        said = text.replace(",", " ").split()
        if said[:1] not in (["1"], ["2"]) or said[1:2] not in ([NEVER], [ALWAYS], [PLAYS]):
            raise ValueError(f"{printable(text)!r} is no lock; a lock is such as {EXAMPLES}.")
        who, rule, *rest = said
        words, at = split_spot(rest, here)
        moves, weights = words, list[float]()
        if rule == PLAYS:
            pairs = [word.partition(":") for word in words]
            moves = [move for move, _, _ in pairs]
            weights = [weight_of(move, text) for move, _, text in pairs]
        return cls(Seat(int(who) - 1), rule, tuple(moves), tuple(weights), at)

    def __str__(self) -> str:
        weights = [f":{weight:g}" for weight in self.weights] or [""] * len(self.moves)
        said = [move + weight for move, weight in zip(self.moves, weights, strict=True)]
        where = [] if self.at is None else ["at", self.at or START]
        return " ".join([str(self.seat + 1), self.rule, *said, *where])


def split_spot(words: list[str], here: str) -> tuple[list[str], str | None]:
    """The words before the spot, and the moves that lead to it; None is everywhere."""
    if "at" in words:
        place = words.index("at")
        spot = words[place + 1 :]
        if not spot:
            raise ValueError(f"After at a lock has the moves that lead to the spot, or {START}.")
        return words[:place], "" if spot == [START] else " ".join(spot)
    if words[-1:] == ["here"]:
        return words[:-1], here
    return words[: -1 if words[-1:] == ["everywhere"] else None], None


def weight_of(move: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(
            f"After plays each move has a weight, such as {printable(move)}:30."
        ) from None


def as_locks(locks: Iterable[Lock | str]) -> tuple[Lock, ...]:
    """Locks, of which some may be given as texts."""
    return tuple(Lock.parse(lock) if isinstance(lock, str) else lock for lock in locks)
