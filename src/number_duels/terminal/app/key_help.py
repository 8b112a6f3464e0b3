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
KEY_NAMES = {
    "question_mark": "?",
    "slash": "/",
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
}


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
                keys.append(key_name(one.binding.key))
        for what, keys in seen.items():
            yield " ".join(dict.fromkeys(keys)), what


def key_name(key: str) -> str:
    """A key as it is written on a keyboard.

    >>> [key_name(key) for key in ("ctrl+c", "question_mark", "pageup", "left", "q", "f1")]
    ['Ctrl+C', '?', 'PgUp', '←', 'q', 'F1']
    """
    if key in KEY_NAMES:
        return KEY_NAMES[key]
    return key if len(key) == 1 else "+".join(part.capitalize() for part in key.split("+"))
