"""Locks, which fix parts of a player's strategy in one position or everywhere."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Generic, NamedTuple, TypeAlias

from number_duels.core.game import Chance, Decision, E, Game, M, S, Seat
from number_duels.core.history import History
from number_duels.core.text import printable

NEVER, ALWAYS, PLAYS = "never", "always", "plays"
START = "start"
EXAMPLES = "'2 never 10', '2 always 5 here' or '2 plays 6:30 8:25 at 7/6'"


@dataclass(frozen=True)
class Lock:
    """A rule that fixes part of a player's strategy, such as "never 10".

    A lock does not apply in a position where it would leave no move.

    >>> import number_duels as nd
    >>> nd.Lock.parse("2 never 10")
    Lock(seat=Seat.TWO, rule='never', moves=('10',), weights=(), at=None)
    >>> str(nd.Lock(nd.Seat.TWO, "plays", ("6", "8"), (30, 25), at="7/6"))
    '2 plays 6:30 8:25 at 7/6'
    """

    #: The seat whose strategy is fixed.
    seat: Seat
    #: `never`, `always` or `plays`.
    rule: str
    #: The moves in notation.
    moves: tuple[str, ...]
    #: The relative weight of each move, if the rule is `plays`.
    weights: tuple[float, ...] = ()
    #: The moves that lead to the locked position, "" for the start, or None for all positions.
    at: str | None = None

    def __post_init__(self) -> None:
        if self.rule not in (NEVER, ALWAYS, PLAYS):
            raise ValueError("The rule of a lock must be 'never', 'always' or 'plays'.")
        if not self.moves or len(set(self.moves)) < len(self.moves):
            raise ValueError(
                f"After '{self.rule}', name at least one move, and name each move once."
            )
        if self.rule == ALWAYS and len(self.moves) > 1:
            raise ValueError(
                "After 'always', name one move; to name several, write 'plays 6:30 8:25'."
            )
        if len(self.weights) != (len(self.moves) if self.rule == PLAYS else 0):
            raise ValueError(
                "After 'plays', each move needs a weight; other rules take no weights."
            )
        if not isfinite(sum(self.weights)) or any(weight < 0 for weight in self.weights):
            raise ValueError("The weights of a lock must be finite numbers, 0 or more.")
        if self.rule == PLAYS and not sum(self.weights) > 0:
            raise ValueError("At least one weight of a lock must be more than 0.")

    @classmethod
    def parse(cls, text: str, here: str = "") -> Lock:
        """Parse a lock that is written as `WHO RULE MOVES [WHERE]`.

        If WHERE is "here", the lock applies after the moves in `here`.

        >>> Lock.parse("1 always S5 here", here="S5 A3").at
        'S5 A3'
        """
        said = text.replace(",", " ").split()
        if said[:1] not in (["1"], ["2"]) or said[1:2] not in ([NEVER], [ALWAYS], [PLAYS]):
            raise ValueError(f"{printable(text)!r} is not a lock; write it like {EXAMPLES}.")
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
    """Return the moves of a lock, and its position. None means everywhere."""
    if "at" in words:
        place = words.index("at")
        spot = words[place + 1 :]
        if not spot:
            raise ValueError(
                f"After 'at', write the moves that lead to the position, or '{START}'."
            )
        return words[:place], "" if spot == [START] else " ".join(spot)
    if words[-1:] == ["here"]:
        return words[:-1], here
    return words[: -1 if words[-1:] == ["everywhere"] else None], None


def weight_of(move: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(
            f"After 'plays', each move needs a weight, such as {printable(move)}:30."
        ) from None


Mix: TypeAlias = tuple[float, ...]


class LockRule(NamedTuple, Generic[S, M]):
    seat: Seat
    #: The weight of each move that may be played, or empty if the rule is `never`.
    weights: Mapping[M, float]
    never: frozenset[M]
    #: The states in which the lock applies, by key, or None for everywhere.
    spots: Mapping[Hashable, S] | None

    def keeps(self, move: M) -> bool:
        return move in self.weights if self.weights else move not in self.never


class LockRules(NamedTuple, Generic[S, M, E]):
    """The locks of a game. Each applies to the moves that the locks before it allow."""

    game: Game[S, M, E]
    rules: tuple[LockRule[S, M], ...]

    @classmethod
    def read(cls, game: Game[S, M, E], locks: Iterable[Lock | str]) -> LockRules[S, M, E]:
        said = (Lock.parse(lock) if isinstance(lock, str) else lock for lock in locks)
        return cls(game, tuple(read_rule(game, lock) for lock in said))

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset(rule.seat for rule in self.rules)

    @property
    def spots(self) -> dict[Hashable, S]:
        return {key: state for rule in self.rules for key, state in (rule.spots or {}).items()}

    @property
    def only_in_spots(self) -> bool:
        return all(rule.spots is not None for rule in self.rules)

    def open(self, state: S, seat: Seat, options: Sequence[M]) -> list[Mix]:
        """Return only the fixed mixed strategy, or a pure strategy for each allowed move."""
        key = self.game.key(state) if self.spots else None
        return open_strategies(
            [r for r in self.rules if r.seat is seat and (r.spots is None or key in r.spots)],
            options,
        )

    def open_anywhere(self, seat: Seat, options: Sequence[M]) -> list[Mix]:
        """Return what `open` returns without the locks for single positions."""
        return open_strategies(
            [r for r in self.rules if r.seat is seat and r.spots is None], options
        )


def open_strategies(rules: Sequence[LockRule[S, M]], options: Sequence[M]) -> list[Mix]:
    allowed, weights = list(options), dict[M, float]()
    for rule in rules:
        if kept := [move for move in allowed if rule.keeps(move)]:
            allowed = kept
            weights = weights or dict(rule.weights)
    if not weights:
        return [tuple(float(m == move) for m in options) for move in allowed]
    total = sum(weights[move] for move in allowed)
    return [tuple(weights[m] / total if m in allowed else 0.0 for m in options)]


def read_rule(game: Game[S, M, E], lock: Lock) -> LockRule[S, M]:
    moves = [read_move(game, text, lock) for text in lock.moves]
    if len(set(moves)) < len(moves):
        raise ValueError(
            f"The lock {printable(str(lock))!r} names a move twice; name each move once."
        )
    spots = None if lock.at is None else read_spot(game, lock, lock.at)
    if lock.rule == NEVER:
        return LockRule(lock.seat, {}, frozenset(moves), spots)
    weights = dict(zip(moves, lock.weights or [1.0], strict=True))
    played = {move: weight for move, weight in weights.items() if weight}
    return LockRule(lock.seat, played, frozenset(), spots)


def read_move(game: Game[S, M, E], text: str, lock: Lock) -> M:
    try:
        move = game.parse(text)
    except ValueError as error:
        raise ValueError(f"The lock {printable(str(lock))!r}: {error}") from None
    if move not in game.all_moves():
        raise ValueError(
            f"The lock {printable(str(lock))!r} names {move}, which is not a move in "
            f"{game.title} with these settings."
        )
    return move


def read_spot(game: Game[S, M, E], lock: Lock, moves: str) -> dict[Hashable, S]:
    """Return the states in which a lock applies, by key.

    If a card is drawn first, there is a state per card.
    """
    try:
        state = History.read(game, game.start(), moves).state
    except ValueError as error:
        raise ValueError(f"The lock {printable(str(lock))!r}: {error}") from None
    found = {game.key(s): s for s, turn in decisions(game, state) if lock.seat in turn.options}
    if not found:
        raise ValueError(
            f"The lock {printable(str(lock))!r} names a position where {lock.seat} does not move."
        )
    return found


def decisions(game: Game[S, M, E], state: S) -> Iterator[tuple[S, Decision[M]]]:
    turn = game.turn(state)
    if isinstance(turn, Decision):
        yield state, turn
    elif isinstance(turn, Chance):
        for event in turn.odds:
            yield from decisions(game, game.drawn(state, event))
