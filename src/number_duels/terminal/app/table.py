"""The table: a game being played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

if TYPE_CHECKING:
    from number_duels.terminal.app.application import DuelsApp
    from number_duels.terminal.app.new_game import NewGame


class TableScreen(Screen[None]):
    """Board, log, and what can be done now."""


def start_game(app: DuelsApp, new_game: NewGame) -> None:
    """Open the table for a new game."""
    app.push_screen(TableScreen())


def continue_game(app: DuelsApp, path: Path) -> None:
    """Open the table for a game that is on disk."""
    app.push_screen(TableScreen())
