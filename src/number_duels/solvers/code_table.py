"""Tables of values with one entry per code of a state, read and written without NumPy.

NumPy's kernels write the tables, too. Either reads what the other has written.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Final, Generic

from number_duels.core.game import E, Game, M, S, Seat
from number_duels.machine.rules import FIRST_CODE, PackedGame
from number_duels.solvers.cache import Progress, Section, Tables, checked_numbers, written
from number_duels.solvers.induction import Induction, Visit

UNREACHED: Final = -128


class CodeTable(Generic[S]):
    """The value of each state, at the index that is its code.

    If the seats take turns, a value is the mover's. If both choose at once, it is Player 1's.
    """

    def __init__(self, game: Game[S, M, E], packed: PackedGame) -> None:
        assert packed.rules.codes is not None
        self.packed, self.codes = packed, packed.rules.codes
        settings = dict(game.settings)
        self.title, self.in_turn = game.title, not packed.rules.both
        self.first = Seat(int(settings.pop("first", 1)) - 1)
        self.identity = f"layers {written(settings)}"
        self.size = self.codes.size(packed.settings)

    def table_bytes(self) -> int:
        return self.size * (1 if self.in_turn else 8)

    def code(self, state: S) -> int:
        return int(self.codes.code(self.packed.settings, self.packed.pack(state)))

    def mover(self, state: S) -> Seat:
        found: Seat = getattr(state, "mover", Seat.ONE)
        return found

    def value(self, state: S, sections: Sequence[Section]) -> float | None:
        code = self.code(state)
        found = sections[0][code] if 0 <= code < self.size else UNREACHED
        if found == UNREACHED:
            return None
        return float(found if self.mover(state) is Seat.ONE else -found)

    def open_random_play(self, sections: Sequence[Section]) -> Callable[[S, Seat], float]:
        by_seat = [checked_numbers(section) for section in sections]
        return lambda state, seat: by_seat[seat][self.code(state)]


class PlainCodeTable(CodeTable[S], Induction[S, M, E]):
    """Fills the table by plain induction."""

    def __init__(self, game: Game[S, M, E], packed: PackedGame, limit: int, remedy: str) -> None:
        Induction.__init__(self, game, limit, remedy)
        CodeTable.__init__(self, game, packed)
        self.by_code: dict[int, float] = {}

    def solve(self, progress: Progress) -> Tables:
        self.by_code = {}
        return super().solve(progress)

    def sections(self) -> tuple[memoryview, ...]:
        table = array("d", [UNREACHED]) * self.size
        table[:FIRST_CODE] = array("d", [-1, 0, 1])
        for code, value in self.by_code.items():
            table[code] = value
        # If the seats take turns and draw no cards, all values are whole.
        return (memoryview(array("b", map(int, table)) if self.in_turn else table),)

    def combine(self, visit: Visit[S, M, E]) -> float:
        value = super().combine(visit)
        self.by_code[self.code(visit.state)] = value * (1 - 2 * self.mover(visit.state))
        return value
