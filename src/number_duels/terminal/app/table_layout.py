"""The layout of a table: the board, the question below it, and words beside both, in one block."""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import Container, Horizontal, Vertical
from textual.widget import Widget

from number_duels.terminal.app.board_view import BoardView, widest
from number_duels.terminal.app.page import NARROW_WIDTH

#: The columns of the words beside the board: a share of the width, within limits.
BESIDE_SHARE, MIN_BESIDE, MAX_BESIDE = 0.36, 32, 56
#: The least columns of the board, so that the question below it has room.
MIN_BOARD = 62
#: The columns left and right of the board, in the style sheet.
PADDING = 4
#: The rows of the question: a share of the height, within limits.
BELOW_SHARE, MIN_BELOW, MAX_BELOW = 0.35, 10, 13
#: On a narrow screen the words are below the question, if there are this many rows.
MIN_ROWS_FOR_WORDS = 14


class TableBlock(Container):
    """A board with widgets below and beside it, centred on the screen.

    The board takes the rows that the question leaves, and is drawn as large as it fits. The block
    only grows while a window keeps its size, so that a turn moves nothing.
    """

    def __init__(self, board: BoardView, below: Iterable[Widget], beside: Iterable[Widget]) -> None:
        self.board = board
        self.main = Vertical(board, Vertical(*below, id="actions"), id="main")
        self.words = Vertical(*beside, id="beside")
        self.block = Horizontal(self.main, self.words, id="block")
        super().__init__(self.block, id="table")
        self.most_columns = self.most_rows = 0

    def on_resize(self) -> None:
        self.most_columns = self.most_rows = 0
        self.fit()

    def fit(self) -> None:
        """Divide the screen between the board, the question and the words."""
        width, height = self.size
        if width < NARROW_WIDTH:
            self.fit_narrow(width, height)
            return
        beside = max(MIN_BESIDE, min(MAX_BESIDE, round(BESIDE_SHARE * width)))
        below = min(height // 2, max(MIN_BELOW, min(MAX_BELOW, round(BELOW_SHARE * height))))
        most = width - beside - PADDING
        self.limit_board(height - below)
        lines = self.board.lines(most)
        columns = min(most, max(widest(lines), MIN_BOARD)) + PADDING
        self.most_columns = max(self.most_columns, columns)
        self.most_rows = max(self.most_rows, min(height, len(lines) + below))
        self.block.styles.width = self.most_columns + beside
        self.block.styles.height = self.most_rows
        self.main.styles.width, self.main.styles.height = self.most_columns, "100%"
        self.words.styles.width, self.words.styles.height = beside, "100%"

    def limit_board(self, rows: int) -> None:
        self.board.room = self.board.styles.max_height = rows

    def fit_narrow(self, width: int, height: int) -> None:
        """Put the words below the question."""
        words = 0 if height < MIN_ROWS_FOR_WORDS else max(3, height // 5)
        if any(panel.display for panel in self.words.query(".words-panel")):
            words = max(3, height // 3)
        below = max(5, (height - words) // 2)
        self.limit_board(max(1, height - words - below))
        self.block.styles.width, self.block.styles.height = width, height
        self.main.styles.width, self.main.styles.height = width, height - words
        self.words.styles.width, self.words.styles.height = width, words
