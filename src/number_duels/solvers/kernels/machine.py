"""A kernel that solves a game with its machine rules, many states at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from number_duels.core.game import E, Game, M, S, Seat
from number_duels.machine.operations import Number, select
from number_duels.machine.rules import FIRST_CODE, ONGOING, PackedGame, State
from number_duels.solvers.cache import Progress, Tables
from number_duels.solvers.code_table import CodeTable
from number_duels.solvers.layered import DRAWN, ENDS, Codes, Layer
from number_duels.solvers.layered_method import LayeredMethod

assert FIRST_CODE == ENDS

#: How many numbers are processed at a time, so that they fit into the processor's cache.
BLOCK = 1 << 16
#: The first pass keeps next states for the second pass, up to this many bytes.
MAX_KEPT_BYTES = 1 << 27


class MachineKernel(CodeTable[S], LayeredMethod[S]):
    def __init__(self, game: Game[S, M, E], packed: PackedGame) -> None:
        super().__init__(game, packed)
        self.start = self.code(game.start())
        self._kept: dict[tuple[int, int], list[tuple[Codes, Codes]]] | None = None
        self._room = 0

    def layers(self) -> list[Layer]:
        return [Layer(*parts) for parts in self.codes.layers(self.packed.settings)]

    def solve(self, progress: Progress) -> Tables:
        self._kept, self._room = {}, MAX_KEPT_BYTES
        try:
            return super().solve(progress)
        finally:
            self._kept = None

    def follow(self, layer: Layer, codes: Codes) -> Codes:
        if self._kept is None:
            return self._following(self._states(codes))
        chunks = self._kept.setdefault((int(layer.heads[0]), int(layer.tails[0])), [])
        for known, found in chunks:
            if known[0] <= codes[0] <= known[-1]:
                # The second pass asks for only one of two states that mirror each other.
                same = len(known) == len(codes)
                return found if same else found[known.searchsorted(codes)]
        following = self._following(self._states(codes))
        if following.nbytes <= self._room:
            chunks.append((codes, following))
            self._room -= following.nbytes
        return following

    def _following(self, state: State) -> Codes:
        rules, settings = self.packed.rules, self.packed.settings
        # States are on the last axis, because NumPy is fast with long inner loops.
        one = two = self._actions(state, Seat.ONE)
        if rules.both:
            one, two = one[:, None], self._actions(state, Seat.TWO)[None]
        *options, count = np.broadcast_shapes(one.shape, two.shape)
        found: Codes = np.empty((count, *options), np.int64)
        step = max(1, BLOCK * options[0] // found.size)
        for begin in range(0, options[0], step):
            part = slice(begin, begin + step)
            after = rules.play(settings, state, one[part], two if rules.both else two[part])
            end = rules.result(settings, after)
            codes, over = self.codes.code(settings, after), end != ONGOING
            if over.any():
                # If one seat moves, the next value belongs to the other seat, so a win is a loss.
                codes = select(over, DRAWN + end if rules.both else DRAWN - end, codes)
            found[:, part] = np.moveaxis(codes, -1, 0)
        return found

    def moves(self, codes: Codes, seat: Seat) -> Codes:
        return self._actions(self._states(codes), seat).T

    def mirror(self, codes: Codes) -> Codes:
        assert self.codes.mirror is not None
        exchanged = self.codes.mirror(self._states(codes))
        found: Codes = self.codes.code(self.packed.settings, exchanged)
        return found

    def _states(self, codes: Codes) -> State:
        # Player 1 is to move in all of them.
        state = self.codes.decode(self.packed.settings, codes.astype(np.int32), 0)
        return mapped(state, lambda part: part.astype(np.int32, copy=False))

    def _actions(self, state: State, seat: Seat) -> Codes:
        """Return a seat's legal actions: one row per option, one column per state."""
        options, settings = self.packed.rules.options, self.packed.settings
        assert options.bits is not None
        bits = options.bits(settings, state, seat)
        changes = bits[1:] != bits[:-1]  # most neighbors have the same bits
        first = np.flatnonzero(np.append(True, changes))
        if options.doubling is None:
            some = mapped(state, lambda part: part[first])
            choices = np.arange(options.choices(settings, some, seat)[0], dtype=np.int32)
            found = options.choose(settings, some, seat, choices[:, None])
        else:
            found = doubled(bits[first], options.doubling)
        return np.repeat(found, np.diff(np.append(first, len(bits))), axis=1)


def doubled(bits: Codes, doubling: int) -> Codes:
    """Return the actions for each set in `bits`: one row per action, one column per set.

    Each member of a set has `2 ** doubling` actions with consecutive numbers. All sets have the
    same size.

    >>> doubled(np.array([5, 6], np.int32), 1).tolist()
    [[0, 2], [1, 3], [4, 4], [5, 5]]
    """
    places = np.arange(int(bits.max()).bit_length(), dtype=np.int32)
    _, members = np.nonzero(bits[:, None] >> places & 1)
    rows = members.astype(np.int32).reshape(len(bits), -1).T[:, None] << doubling
    found: Codes = rows + np.arange(1 << doubling, dtype=np.int32)[:, None]
    return found.reshape(-1, len(bits))


def mapped(state: State, function: Callable[[Codes], Number]) -> State:
    parts = (function(part) if isinstance(part, np.ndarray) else part for part in state)
    return type(state)(*parts)
