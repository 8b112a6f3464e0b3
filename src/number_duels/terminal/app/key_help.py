"""All keys of a screen, as `?` shows them."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.screen import ModalScreen, Screen
from textual.widgets import Static


class KeyHelp(ModalScreen[None]):
    def __init__(self, about: Screen[object]) -> None:
        super().__init__()
        self.about = about

    def compose(self) -> ComposeResult:
        yield Static("keys")
