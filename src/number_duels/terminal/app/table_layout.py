"""The layout of the board, the question and the text on the screen."""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import Container, Vertical
from textual.widget import Widget

from number_duels.terminal.app.board_view import BoardView
from number_duels.terminal.app.page import NARROW_WIDTH

#: From this width on, a question can be beside the board. The application has class `-wide`.
WIDE_WIDTH = 110
#: The width of the text beside the board: a share of the screen, a minimum and a maximum.
BESIDE_SHARE, MIN_BESIDE, MAX_BESIDE = 0.36, 32, 56
#: The least width of a board with a question below it, so that the question has room.
MIN_BOARD = 62
PADDING = 4
#: The height of a question below the board: a share of the screen, a minimum and a maximum.
BELOW_SHARE, MIN_BELOW, MAX_BELOW = 0.35, 9, 13
#: The least height of the block with a question beside the board: a share, and its limits.
WIDE_SHARE, MIN_WIDE_ROWS, MAX_WIDE_ROWS = 0.75, 24, 34
#: The question's share of that height, and its maximum height.
QUESTION_SHARE, MAX_QUESTION_ROWS = 0.55, 15
ROOMY_HEIGHT = 24
#: On a narrow screen, the text is below the question if at least this many rows are free.
MIN_ROWS_FOR_WORDS = 14


class TableBlock(Container):
    """A board with a question and text, centered on the screen."""

    def __init__(
        self,
        board: BoardView,
        below: Iterable[Widget],
        beside: Iterable[Widget],
        *,
        asks_beside: bool = False,
    ) -> None:
        self.board = board
        self.question = Vertical(*below, id="actions")
        self.words = Vertical(*beside, id="beside")
        self.block = Container(board, self.question, self.words, id="block")
        super().__init__(self.block, id="table")
        self.asks_beside = asks_beside

    def on_resize(self) -> None:
        self.fit()

    def fit(self) -> None:
        width, height = self.size
        is_wide = self.asks_beside and width >= WIDE_WIDTH
        self.set_class(is_wide, "-asks-beside")
        self.board.styles.dock = "left" if is_wide else "none"
        self.words.styles.dock = "none" if is_wide or width < NARROW_WIDTH else "right"
        self.block.styles.height = height
        if width < NARROW_WIDTH:
            self.fit_narrow(width, height)
            return
        beside = max(MIN_BESIDE, min(MAX_BESIDE, round(BESIDE_SHARE * width)))
        beside *= self.words.display
        most = width - beside - PADDING
        below = min(height // 2, max(MIN_BELOW, min(MAX_BELOW, round(BELOW_SHARE * height))))
        self.board.room = height if is_wide else height - below
        extent = self.board.extent(most)
        columns = min(most, max(extent.columns, 0 if is_wide else MIN_BOARD)) + PADDING
        rows = min(extent.rows, self.board.room)
        self.block.styles.width = columns + beside
        self.board.styles.width, self.board.styles.height = columns, rows
        if is_wide:
            least = max(MIN_WIDE_ROWS, min(MAX_WIDE_ROWS, round(WIDE_SHARE * height)))
            free = max(0, height - max(rows, least))
            top = free // 2
            asked = min(MAX_QUESTION_ROWS, round(QUESTION_SHARE * (height - free)))
            self.board.styles.margin = (top, 0, 0, 0)
            self.question.styles.margin = (top, 0, 0, 0)
            self.question.styles.width, self.question.styles.height = beside, asked
            self.words.styles.width = beside
            self.words.styles.height = height - top - asked
        else:
            gap = int(self.app.size.height >= ROOMY_HEIGHT)
            top = max(0, height - rows - gap - MAX_BELOW) // 2
            self.board.styles.margin = (top, 0, gap, 0)
            self.question.styles.margin = 0
            self.question.styles.width, self.question.styles.height = columns, "1fr"
            self.words.styles.width, self.words.styles.height = beside, "100%"
            # The text of an exercise begins beside its board.
            self.words.styles.padding = (0 if self.asks_beside else top, 0, 0, 0)

    def fit_narrow(self, width: int, height: int) -> None:
        words = 0 if height < MIN_ROWS_FOR_WORDS else max(3, height // 4)
        below = max(5, (height - words) // 2)
        self.board.room = max(1, height - words - below)
        extent = self.board.extent(width - PADDING)
        self.block.styles.width = width
        self.board.styles.width = width
        self.board.styles.height = min(extent.rows, self.board.room)
        self.board.styles.margin = self.question.styles.margin = self.words.styles.padding = 0
        self.question.styles.width, self.question.styles.height = width, "1fr"
        self.words.styles.width, self.words.styles.height = width, words
