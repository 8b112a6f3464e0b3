"""Dialogs that ask for another file, ask for confirmation, or list all keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.keys import key_to_character
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Input, Static

from number_duels.terminal.app.page import DuelsScreen, KeyFooter
from number_duels.terminal.line.console import breadth
from number_duels.terminal.saves import path_named


class SaveDialog(ModalScreen[Path | None]):
    """A dialog that asks for another file if saving fails."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Continue without saving", priority=True)
    ]

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static("The game cannot be saved", classes="dialog-title")
            yield Static(Content(self.reason))
            yield Static("Type another file name and press Enter to continue the game.")
            yield Input(placeholder="another file")
        yield KeyFooter()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if name := event.value.strip():
            self.dismiss(path_named(name))

    def action_leave(self) -> None:
        self.dismiss(None)


class Confirm(ModalScreen[bool]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape,q", "answer(False)", "No"),
        Binding("left,right,up,down", "app.focus_next", "Other answer", show=False),
    ]

    def __init__(self, question: str, yes: str, no: str) -> None:
        super().__init__()
        self._question, self._yes, self._no = question, yes, no

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False)
            with Horizontal():
                yield Button(f"y  {self._yes}", id="yes", compact=True, variant="warning")
                yield Button(f"Esc  {self._no}", id="no", compact=True)

    def on_mount(self) -> None:
        self.query_one("#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        self.dismiss(answer)

    def action_leave(self) -> None:
        self.dismiss(False)


def confirm(
    screen: Screen[None], question: str, yes: str, no: str, then: Callable[[], object]
) -> None:
    def answered(answer: bool | None) -> None:
        if answer:
            then()

    screen.app.push_screen(Confirm(question, yes, no), answered)


LIBRARY_ACTIONS = ("app.focus_next", "app.focus_previous", "screen.copy_text")
KEY_NAMES = {
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
}


class KeyHelp(ModalScreen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,question_mark", "dismiss", "Close", key_display="Enter")
    ]

    def __init__(self, about: Screen[object]) -> None:
        super().__init__()
        self.about = about

    def compose(self) -> ComposeResult:
        rows = list(self.rows())
        wide = max(breadth(key) for key, _ in rows)
        with Vertical(classes="dialog"):
            yield Static("All keys  ·  Enter or Esc closes this list", classes="dialog-title")
            with VerticalScroll():
                for key, what in rows:
                    with Horizontal():
                        shown = Static(Content.styled(key, "bold $accent"))
                        shown.styles.width = wide + 3
                        yield shown
                        yield Static(what, markup=False)
        yield KeyFooter()

    def rows(self) -> Iterator[tuple[str, str]]:
        notes = dict(self.about.key_notes() if isinstance(self.about, DuelsScreen) else ())
        yield from notes.items()
        seen: dict[str, list[str]] = {}
        for one in self.about.active_bindings.values():
            action = one.binding.action
            own = one.node in (self.about, self.app) or action.startswith("screen.")
            own = own and action not in LIBRARY_ACTIONS
            if own and one.binding.description and key_name(one.binding.key) not in notes:
                keys = seen.setdefault(one.binding.description, [])
                keys.append(key_name(one.binding.key))
        for what, keys in seen.items():
            yield " ".join(dict.fromkeys(keys)), what


def key_name(key: str) -> str:
    if key in KEY_NAMES:
        return KEY_NAMES[key]
    character = key_to_character(key) or ""
    if character.isprintable() and character.strip():
        return character
    return "+".join(part.capitalize() for part in key.split("+"))
