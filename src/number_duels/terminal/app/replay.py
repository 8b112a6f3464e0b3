"""A game watched again: forward, back, to any turn."""

from __future__ import annotations

from textual.screen import Screen

from number_duels.core.record import Record


class ReplayScreen(Screen[None]):
    def __init__(self, record: Record) -> None:
        super().__init__()
        self.record = record
