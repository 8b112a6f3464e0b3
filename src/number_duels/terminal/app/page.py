"""What every page around the table has: a heading, its content, the keys at the bottom."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Footer, Label, OptionList

from number_duels.core.bug_reports import unforeseen
from number_duels.terminal.app.background import in_background

if TYPE_CHECKING:
    from number_duels.terminal.app.application import DuelsApp

T = TypeVar("T")
#: Below this many columns things stand one below the other; the application says so by a class.
NARROW_WIDTH = 76


class Menu(OptionList):
    """Lines of which one is chosen, by arrows and Enter or by mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Choose")]

    def __init__(self, name: str) -> None:
        super().__init__(id=name, markup=False)


class Page(Screen[None]):
    """A screen with a heading, its content, and its keys."""

    #: What `?` says besides the keys that are bound.
    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = (
        ("↑ ↓", "mark a line"),
        ("Enter", "choose it"),
        ("a click", "choose it"),
    )
    AUTO_FOCUS: ClassVar[str | None] = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "app.back", "Back"),
        # Shown in its place while something is typed, where q is a letter.
        Binding("escape", "app.back", "Back", key_display="Esc"),
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

    def on_resize(self) -> None:
        """More keys fit at the bottom of a narrow screen when they stand closer."""
        self.query_one(Footer).compact = self.size.width < NARROW_WIDTH

    def content(self) -> ComposeResult:
        """What is between the heading and the keys."""
        yield from ()

    def work(self, function: Callable[[], T], then: Callable[[T], None]) -> None:
        """Do something slow beside the screen; what goes wrong there is said in a sentence."""

        async def run() -> None:
            try:
                result = await in_background(function)
            except Exception as error:  # the program goes on, whatever it was
                self.app.notify(unforeseen(error), severity="error", timeout=15, markup=False)
            else:
                if self.is_running:  # else the page is being closed, and has lost its widgets
                    then(result)

        self.run_worker(run(), exclusive=True)

    def say(self, heading: str, note: str = "") -> None:
        """Change the heading."""
        self.query_one("#title", Label).update(heading)
        self.query_one("#note", Label).update(note)
