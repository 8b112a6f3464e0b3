"""What a table and a replay share: the board, the log beside it, and room for actions below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Static

from number_duels.core.board import Part
from number_duels.core.game import Seat
from number_duels.terminal.app.board_view import BoardView, Marks
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.log_view import LogView
from number_duels.terminal.app.notice import Notice


class TableLayout(Screen[None]):
    """A board that stays where it is."""

    names: tuple[str, str]

    def compose(self) -> ComposeResult:
        yield Static(id="table-title", markup=False)
        with Horizontal(id="table"):
            with VerticalScroll(id="board-frame", can_focus=False):
                yield BoardView(self.names, id="board")
            yield LogView(self.names, id="log")
        with VerticalScroll(id="actions", can_focus=False):
            yield Notice(id="notice")
            yield Choices(id="choices")
        yield Footer(show_command_palette=False)

    def show_position(
        self, board: tuple[tuple[Part, ...], Marks], acting: Seat | None, log: Iterable[str]
    ) -> None:
        self.query_one(BoardView).show(*board, acting)
        self.query_one(LogView).show(log)

    def show_title(self, facts: Sequence[str]) -> None:
        self.query_one("#table-title", Static).update("  ·  ".join(facts))
