"""All keys of a screen, as `?` shows them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Static

from number_duels.terminal.ui.text_width import breadth

#: Keys that Textual gives every application, and that nobody needs here.
LIBRARY_ACTIONS = ("app.focus_next", "app.focus_previous", "screen.copy_text")


class KeyHelp(ModalScreen[None]):
    """Every key that does something on the screen below."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,question_mark", "dismiss", "Close", key_display="Enter"),
    ]

    def __init__(self, about: Screen[object]) -> None:
        super().__init__()
        self.about = about

    def compose(self) -> ComposeResult:
        rows = list(self.rows())
        wide = max(breadth(key) for key, _ in rows)
        lines = (
            Content.assemble((f"{key:{wide}}", "bold $accent"), f"   {what}") for key, what in rows
        )
        with Vertical(classes="dialog"):
            yield Static("All keys", classes="dialog-title")
            with VerticalScroll():
                yield Static(Content("\n").join(lines))
        yield Footer(show_command_palette=False)

    def rows(self) -> Iterator[tuple[str, str]]:
        """Notes of the screen itself, then its keys, then those of every screen."""
        yield from getattr(self.about, "KEY_NOTES", ())
        seen: dict[str, list[str]] = {}
        for one in self.about.active_bindings.values():
            own = one.node in (self.about, self.app) and one.binding.action not in LIBRARY_ACTIONS
            if own and one.binding.description:
                keys = seen.setdefault(one.binding.description, [])
                keys.append(self.app.get_key_display(one.binding))
        for what, keys in seen.items():
            yield " ".join(dict.fromkeys(keys)), what
