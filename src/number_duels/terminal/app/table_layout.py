"""What a table and a replay share: the board, the log beside it, and room for actions below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Static

from number_duels.core.board import Part
from number_duels.core.game import Seat
from number_duels.core.scene import Told
from number_duels.terminal.app.board_view import BoardView, Marks
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.log_view import LogView
from number_duels.terminal.app.notice import Notice

if TYPE_CHECKING:
    from number_duels.terminal.app.application import DuelsApp


class TableLayout(Screen[None]):
    """A board that stays where it is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "scroll_log(-1)", "Earlier words", show=False),
        Binding("pagedown", "scroll_log(1)", "Later words", show=False),
    ]

    names: tuple[str, str]

    @property
    def duels(self) -> DuelsApp:
        return cast("DuelsApp", self.app)

    def compose(self) -> ComposeResult:
        yield Static(id="table-title", markup=False)
        with Horizontal(id="table"):
            with VerticalScroll(id="board-frame", can_focus=False):
                yield BoardView(self.names, id="board")
            yield LogView(self.names, id="log")
        with Vertical(id="actions"):
            yield Notice(id="notice")
            yield Choices(id="choices", clock=self.duels.clock)
        yield Footer(show_command_palette=False)

    def show_position(
        self, board: tuple[tuple[Part, ...], Marks], acting: Seat | None, log: Iterable[Told]
    ) -> None:
        self.query_one(BoardView).show(*board, acting)
        self.query_one(LogView).show(log)

    def action_scroll_log(self, pages: int) -> None:
        log = self.query_one(LogView)
        log.scroll_relative(y=pages * max(1, log.size.height - 1), animate=False)

    def show_title(self, facts: Sequence[str]) -> None:
        self.query_one("#table-title", Static).update("  ·  ".join(facts))
