"""What lies over a screen for a moment: a hint, and where to save when a file takes no more."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, Static

from number_duels.core.scene import Scene
from number_duels.terminal.ui.text_width import fold

#: What a dialog of the style sheet has inside its frame and padding, beside a scroll bar.
MAX_TEXT_WIDTH = 77


class HintDialog(ModalScreen[None]):
    """What to do and why, in words first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,h,q", "dismiss", "Close", key_display="Enter"),
    ]

    def __init__(self, scene: Scene) -> None:
        super().__init__()
        self.scene = scene

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(self.scene.title, classes="dialog-title")
            with VerticalScroll():
                yield Static(id="hint-lines")
        yield Footer(show_command_palette=False)

    def on_resize(self) -> None:
        from number_duels.sessions.tables import scene_lines

        width = max(40, min(MAX_TEXT_WIDTH, self.app.size.width - 11))
        shown = [part for line in scene_lines(self.scene) for part in fold(line, width)]
        self.query_one("#hint-lines", Static).update(Content("\n".join(shown)))


class SaveDialog(ModalScreen["Path | None"]):
    """A file takes no more: another one, or none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "without", "Go on without saving", priority=True),
    ]

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static("The game cannot be saved", classes="dialog-title")
            yield Static(Content(self.reason))
            yield Static("Type the name of another file and press Enter; the game goes on.")
            yield Input(placeholder="another file")
        yield Footer(show_command_palette=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if name := event.value.strip():
            self.dismiss(Path(name).expanduser())

    def action_without(self) -> None:
        self.dismiss(None)

    def action_leave(self) -> None:
        self.dismiss(None)
