"""A game being played is kept on disk; where that fails, its players may name another file."""

from __future__ import annotations

import os
from pathlib import Path

from number_duels.core.player import AnyMatch
from number_duels.core.questions import Prompt
from number_duels.terminal.errors import CommandError
from number_duels.terminal.input_commands import Quit, command_in
from number_duels.terminal.saves import SaveFile, new_save
from number_duels.terminal.ui.console import Console

OTHER_FILE = "Name another file for it, or press Enter to play on without saving: "


class GameSaver:
    """Writes a match down after every change."""

    def __init__(self, console: Console, file: SaveFile | None) -> None:
        self.console = console
        #: None: the game is not saved.
        self.file = file

    @property
    def place(self) -> str:
        return f"in {self.file.path}" if self.file else "nowhere"

    def write(self, match: AnyMatch) -> None:
        """Write the match down; at a keyboard a full disk is no end of the game."""
        if self.file is None:
            return
        try:
            self.file.write(match)
        except CommandError as error:
            if not self.console.keyboard:
                raise
            self.write_elsewhere(match, str(error))

    def write_elsewhere(self, match: AnyMatch, problem: str) -> None:
        """Ask for another file until the match is in it, or nobody wants one."""
        while True:
            reason = f"{problem.partition(';')[0]}."
            named = self.console.ask(Prompt(OTHER_FILE, reason=reason)).strip()
            if command_in(named) == "quit":
                raise Quit
            self.release()
            if not named:
                self.file = None
                return
            path = Path(os.path.expanduser(named))  # noqa: PTH111  # Path.expanduser raises
            try:
                self.file = new_save(match, path)
            except CommandError as error:
                problem = str(error)
                continue
            self.console.say([f"The game is saved in {path} from now on."])
            return

    def release(self) -> None:
        """Let another window have the game."""
        if self.file:
            self.file.release()
