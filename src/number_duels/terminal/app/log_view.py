"""What happened so far, in the game's own words, beside the board."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from number_duels.core.names import named_parts
from number_duels.core.scene import Told
from number_duels.core.text import kind_of
from number_duels.terminal.app.board_view import SEAT_STYLES


class LogView(VerticalScroll, can_focus=False):
    """The words of a game; the newest stay in sight."""

    def __init__(self, names: tuple[str, str], id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.names = names

    def compose(self) -> ComposeResult:
        yield Static(id="log-lines")

    def show(self, log: Iterable[Told]) -> None:
        """Replace everything that is told; an empty line stands between two turns."""
        lines = [line for told in log for line in ("", *told.lines)]
        said = [styled(line, self.names) for line in lines[1:]]
        self.query_one("#log-lines", Static).update(Content("\n").join(said))
        self.call_after_refresh(self.scroll_end, animate=False)

    def on_resize(self) -> None:
        self.scroll_end(animate=False)


def styled(line: str, names: tuple[str, str]) -> Content:
    """A line with the players' names, each in its colour."""
    said = Content.assemble(
        *(
            part if seat is None else (part, SEAT_STYLES[seat])
            for part, seat in named_parts(line, names)
        )
    )
    return said.stylize("bold") if kind_of(line) == "heading" else said
