"""Locks as a game understands them: which mixtures are open to a seat in a state."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias

from number_duels.core.game import Chance, Decision, E, Game, M, Outcome, S, Seat
from number_duels.core.history import History
from number_duels.core.text import printable
from number_duels.solvers.locks import NEVER, Lock, as_locks

#: How often each option is played, in their order.
Mixture: TypeAlias = tuple[float, ...]


@dataclass(frozen=True)
class LockRule(Generic[S, M]):
    """One lock: its moves, and the states at which it holds."""

    seat: Seat
    #: What is played, and how often; nothing where some moves are never played.
    weights: Mapping[M, float]
    never: frozenset[M]
    #: The states of its spot by their keys; None: everywhere.
    spots: Mapping[Hashable, S] | None

    def keeps(self, move: M) -> bool:
        return move in self.weights if self.weights else move not in self.never


@dataclass(frozen=True)
class LockRules(Generic[S, M, E]):
    """The locks of a game, applied in their order, each to what those before it have left."""

    game: Game[S, M, E]
    rules: tuple[LockRule[S, M], ...]

    @classmethod
    def read(cls, game: Game[S, M, E], locks: Iterable[Lock | str]) -> LockRules[S, M, E]:
        """The locks as the game understands them; a ValueError says what it does not."""
        return cls(game, tuple(read_rule(game, lock) for lock in as_locks(locks)))

    @property
    def seats(self) -> frozenset[Seat]:
        """Whose play is locked."""
        return frozenset(rule.seat for rule in self.rules)

    @property
    def spots(self) -> dict[Hashable, S]:
        """Every state that is named as a spot, by its key."""
        return {key: state for rule in self.rules for key, state in (rule.spots or {}).items()}

    @property
    def only_in_spots(self) -> bool:
        return all(rule.spots is not None for rule in self.rules)

    def open(self, state: S, seat: Seat, options: Sequence[M]) -> list[Mixture]:
        """The mixtures that a seat may choose from: one move each, or the one that is fixed."""
        key = self.game.key(state) if self.spots else None
        return open_mixtures(
            [r for r in self.rules if r.seat is seat and (r.spots is None or key in r.spots)],
            options,
        )

    def open_anywhere(self, seat: Seat, options: Sequence[M]) -> list[Mixture]:
        """The same in a state that is no spot."""
        return open_mixtures([r for r in self.rules if r.seat is seat and r.spots is None], options)


def open_mixtures(rules: Sequence[LockRule[S, M]], options: Sequence[M]) -> list[Mixture]:
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
        raise ValueError(f"The lock {printable(str(lock))!r} names a move twice; name each once.")
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
            f"The lock {printable(str(lock))!r} names {move}, which is never a move in "
            f"{game.title} with these settings."
        )
    return move


def read_spot(game: Game[S, M, E], lock: Lock, moves: str) -> dict[Hashable, S]:
    """The states of a spot in which the seat decides, whatever nature brings first."""
    try:
        state = History.read(game, game.start(), moves).state
    except ValueError as error:
        raise ValueError(f"The lock {printable(str(lock))!r}: {error}") from None
    found = {game.key(s): s for s in decisions(game, state) if lock.seat in options_at(game, s)}
    if not found:
        raise ValueError(
            f"The lock {printable(str(lock))!r} names a spot at which {lock.seat} does not decide."
        )
    return found


def decisions(game: Game[S, M, E], state: S) -> Iterator[S]:
    """The state if somebody decides there; else those that nature leads to at once."""
    turn = game.turn(state)
    if isinstance(turn, Decision):
        yield state
    elif isinstance(turn, Chance):
        for event in turn.odds:
            yield from decisions(game, game.drawn(state, event))


def options_at(game: Game[S, M, E], state: S) -> Mapping[Seat, tuple[M, ...]]:
    """Everybody's options in a state; none where nobody decides."""
    turn = game.turn(state)
    return {} if isinstance(turn, Chance | Outcome) else turn.options
