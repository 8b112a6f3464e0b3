"""What every page around the table has: a heading, its content, the keys at the bottom."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Footer, Label

if TYPE_CHECKING:
    from number_duels.terminal.app.application import DuelsApp


class Page(Screen[None]):
    """A screen with a heading, its content, and its keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.back", "Back", key_display="q")
    ]

    def __init__(self, heading: str, note: str = "") -> None:
        super().__init__()
        self._heading, self._note = heading, note

    @property
    def duels(self) -> DuelsApp:
        """The application, with what it remembers."""
        return cast("DuelsApp", self.app)

    def compose(self) -> ComposeResult:
        with Horizontal(id="heading"):
            yield Label(self._heading, id="title", markup=False)
            yield Label(self._note, id="note", markup=False)
        yield from self.content()
        yield Footer(show_command_palette=False)

    def content(self) -> ComposeResult:
        """What is between the heading and the keys."""
        yield from ()

    def say(self, heading: str, note: str = "") -> None:
        """Change the heading."""
        self.query_one("#title", Label).update(heading)
        self.query_one("#note", Label).update(note)
