"""The line that punishes a mistake, step by step on the board."""

from __future__ import annotations

from number_duels.core.board import Part, changed
from number_duels.core.history import History
from number_duels.terminal.app.board_view import Marks
from number_duels.terminal.train.sitting import Verdict
from number_duels.terminal.train.words import line_told


class PunishingLine:
    """A line and how much of it is shown; at 0 it is the position itself."""

    def __init__(self, verdict: Verdict, line: str) -> None:
        self._spot = verdict.task.spot
        self._whole = History.read(self._spot.game, self._spot.history.start, line)
        self._words = list(line_told(verdict.task, line))
        self.at = 0

    @property
    def count(self) -> int:
        return len(self._words)

    def step(self, by: int) -> None:
        self.at = max(0, min(self.count, self.at + by))

    @property
    def said(self) -> str:
        return self._words[self.at - 1] if self.at else "The position."

    @property
    def board(self) -> tuple[tuple[Part, ...], Marks]:
        """The board after the last step that is shown, and what that changed."""
        if not self.at:
            return self._spot.board, {}
        step = self._whole.steps[len(self._spot.history) + self.at - 1]
        board = self._spot.game.board
        return board(step.after), changed(board(step.before), board(step.after))
