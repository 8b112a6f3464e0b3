"""What the trainer's table looks like: the board, words beside it, and room for an answer below."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from number_duels.core.board import Part
from number_duels.core.game import Seat
from number_duels.core.names import SEAT_NAMES
from number_duels.terminal.app.board_view import BoardView, Marks
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.notice import Notice
from number_duels.terminal.app.page import Page
from number_duels.terminal.app.preparation import Preparation
from number_duels.terminal.app.train.sliders import Sliders
from number_duels.terminal.ui.progress import filled_bar

PROGRESS_CELLS = 30


class DrillLayout(Page):
    """A board that stays where it is."""

    class Advanced(Message):
        """Some of a game is ready."""

        def __init__(self, fraction: float) -> None:
            super().__init__()
            self.fraction = fraction

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "scroll_words(-1)", "Earlier words", show=False),
        Binding("pagedown", "scroll_words(1)", "Later words", show=False),
    ]

    def content(self) -> ComposeResult:
        yield Preparation()
        with Horizontal(id="drill"):
            with VerticalScroll(id="drill-board", can_focus=False):
                yield BoardView(SEAT_NAMES, id="board")
            with VerticalScroll(id="drill-words", can_focus=False):
                yield Static("", id="drill-said", markup=False)
        with Vertical(id="drill-actions"):
            yield Notice(id="notice")
            yield Choices(id="choices", clock=self.duels.clock)
            yield Sliders(id="sliders")

    def show_board(
        self, parts: tuple[Part, ...], marks: Marks | None = None, acting: Seat | None = None
    ) -> None:
        """A position, or nothing where none is talked about."""
        self.query_one(BoardView).display = bool(parts)
        self.query_one(BoardView).show(parts, marks, acting)

    def report(self, fraction: float) -> None:
        """Tell from a thread how much of a game is ready."""
        self.post_message(self.Advanced(fraction))

    def on_drill_layout_advanced(self, event: Advanced) -> None:
        bar = filled_bar(event.fraction, PROGRESS_CELLS, "█", "░")
        self.query_one(Notice).say("Getting the game ready, once", bar)

    def words_width(self) -> int:
        """How many columns there are for words."""
        panel = self.query_one("#drill-words", VerticalScroll)
        return max(20, panel.scrollable_content_region.width)

    def show_words_from_top(self, shown: Content | str) -> None:
        self.query_one("#drill-said", Static).update(shown)
        self.query_one("#drill-words", VerticalScroll).scroll_home(animate=False)

    def action_scroll_words(self, pages: int) -> None:
        panel = self.query_one("#drill-words", VerticalScroll)
        panel.scroll_relative(y=pages * max(1, panel.size.height - 1), animate=False)
