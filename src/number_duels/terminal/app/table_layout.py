"""The layout of a table: the board, the question and words around it, in one block."""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import Container, Vertical
from textual.widget import Widget

from number_duels.terminal.app.board_view import BoardView, widest
from number_duels.terminal.app.page import NARROW_WIDTH

#: From this width on, a question can be beside the board. The application has the class `-wide`.
WIDE_WIDTH = 110
#: The columns of the words beside the board: a share of the width, within limits.
BESIDE_SHARE, MIN_BESIDE, MAX_BESIDE = 0.36, 32, 56
#: The least columns of a board with a question below it, so that the question has room.
MIN_BOARD = 62
#: The columns left and right of the board, in the style sheet.
PADDING = 4
#: The rows of a question below the board: a share of the height, within limits.
BELOW_SHARE, MIN_BELOW, MAX_BELOW = 0.35, 10, 13
#: The least rows of the block with a question beside the board: a share of the height, and limits.
WIDE_SHARE, MIN_WIDE_ROWS, MAX_WIDE_ROWS = 0.75, 24, 34
#: The share of these rows that the question takes, and the most that it needs.
QUESTION_SHARE, MAX_QUESTION_ROWS = 0.55, 15
#: From this height of the screen on, an empty row is below the board.
ROOMY_HEIGHT = 24
#: On a narrow screen the words are below the question, if there are this many rows.
MIN_ROWS_FOR_WORDS = 14


class TableBlock(Container):
    """A board with a question and words, centred on the screen.

    The question is below the board or, on a wide screen if `asks_beside`, at its right, above the
    words. The board is drawn as large as it fits. The block only grows while a window keeps its
    size, so that a turn moves nothing.
    """

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
        self.most_columns = self.most_rows = 0

    def on_resize(self) -> None:
        self.most_columns = self.most_rows = 0
        self.fit()

    def fit(self) -> None:
        """Divide the screen between the board, the question and the words."""
        width, height = self.size
        is_wide = self.asks_beside and width >= WIDE_WIDTH
        self.set_class(is_wide, "-asks-beside")
        self.board.styles.dock = "left" if is_wide else "none"
        self.words.styles.dock = "none" if is_wide or width < NARROW_WIDTH else "right"
        if width < NARROW_WIDTH:
            self.fit_narrow(width, height)
            return
        beside = max(MIN_BESIDE, min(MAX_BESIDE, round(BESIDE_SHARE * width)))
        most = width - beside - PADDING
        below = min(height // 2, max(MIN_BELOW, min(MAX_BELOW, round(BELOW_SHARE * height))))
        self.limit_board(height if is_wide else height - below)
        lines = self.board.lines(most)
        columns = min(most, max(widest(lines), 0 if is_wide else MIN_BOARD)) + PADDING
        rows = len(lines) + below
        if is_wide:
            least = max(MIN_WIDE_ROWS, min(MAX_WIDE_ROWS, round(WIDE_SHARE * height)))
            rows = max(len(lines), least)
        self.most_columns = max(self.most_columns, columns)
        self.most_rows = max(self.most_rows, min(height, rows))
        self.block.styles.width = self.most_columns + beside
        self.block.styles.height = self.most_rows
        self.board.styles.width = self.most_columns
        if is_wide:
            asked = min(MAX_QUESTION_ROWS, round(QUESTION_SHARE * self.most_rows))
            self.board.styles.margin = ((self.most_rows - len(lines)) // 2, 0, 0, 0)
            self.question.styles.width, self.question.styles.height = beside, asked
            self.words.styles.width, self.words.styles.height = beside, self.most_rows - asked
        else:
            self.question.styles.width, self.question.styles.height = self.most_columns, "1fr"
            self.words.styles.width, self.words.styles.height = beside, "100%"

    def limit_board(self, rows: int) -> None:
        self.board.room = self.board.styles.max_height = rows
        self.board.styles.margin = (0, 0, int(self.app.size.height >= ROOMY_HEIGHT), 0)

    def fit_narrow(self, width: int, height: int) -> None:
        """Put the words below the question."""
        words = 0 if height < MIN_ROWS_FOR_WORDS else max(3, height // 5)
        if any(panel.display for panel in self.words.query(".words-panel")):
            words = max(3, height // 3)
        below = max(5, (height - words) // 2)
        self.limit_board(max(1, height - words - below))
        self.block.styles.width, self.block.styles.height = width, height
        self.board.styles.width = width
        self.question.styles.width, self.question.styles.height = width, "1fr"
        self.words.styles.width, self.words.styles.height = width, words
