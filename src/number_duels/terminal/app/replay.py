"""A game watched again: forward, back, to its ends, or to any turn."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from number_duels.core.board import changed
from number_duels.core.record import Record, shown_names
from number_duels.sessions.game_log import told_so_far
from number_duels.sessions.play import log_of
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.notice import Notice
from number_duels.terminal.app.table_layout import TableLayout


class ReplayScreen(TableLayout):
    """One turn of a recorded game at a time, as a spectator sees it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,down,space", "forward", "Next turn", key_display="→"),
        Binding("left,up", "back", "Turn before", key_display="←"),
        Binding("home", "first", "First", key_display="Home"),
        Binding("end", "last", "Last", key_display="End"),
        Binding("escape", "leave", "Leave", show=False),
        Binding("q", "leave", "Leave"),
    ]
    KEY_NOTES: ClassVar = (("a number, Enter", "go to that turn"),)

    def __init__(self, record: Record) -> None:
        super().__init__()
        self.match = record.match()
        self.names = shown_names(record.players)
        self.steps = self.match.steps(None)
        #: How many steps are complete after each turn; a last card that was not placed counts.
        self.ends = [0, *(n for n, step in enumerate(self.steps, 1) if step.moves)]
        if self.ends[-1] < len(self.steps):
            self.ends.append(len(self.steps))
        self.turn = 0
        self.typed = ""

    def on_mount(self) -> None:
        self.query_one(Choices).display = False
        self.set_focus(None)
        self.go_to(0)

    def go_to(self, turn: int) -> None:
        """Show the game as it stood after a turn."""
        self.turn = max(0, min(turn, len(self.ends) - 1))
        game, done = self.match.game, self.steps[: self.ends[self.turn]]
        start = self.steps[0].before if self.steps else self.match.view(None)
        now = done[-1].after if done else start
        parts = game.board(now)
        last = [step for step in done if step.moves][-1:]
        marks = changed(game.board(last[0].before), parts) if last else {}
        at_end = self.turn == len(self.ends) - 1
        told = told_so_far(self.match, None)
        log = log_of(self.match, told) if at_end else [one.told for one in told[: self.turn + 1]]
        self.show_position((parts, marks), None, log)
        turns = len(self.ends) - 1
        place = f"turn {self.turn} of {turns}" if self.turn else f"the start of {turns} turns"
        self.show_title([game.title, place, "watched again"])
        self.show_progress()

    def show_progress(self) -> None:
        last = len(self.ends) - 1
        line = "".join("●" if turn == self.turn else "·" for turn in range(last + 1))
        typed = f"Go to turn {self.typed}█" if self.typed else "Type a number to go to that turn."
        self.query_one(Notice).say(line, typed)

    def on_key(self, event: events.Key) -> None:
        if event.character and event.character.isdecimal() and event.character.isascii():
            self.typed = (self.typed + event.character)[-3:]
            self.show_progress()
        elif event.key == "enter" and self.typed:
            turn, self.typed = int(self.typed), ""
            self.go_to(turn)
        elif event.key == "backspace":
            self.typed = self.typed[:-1]
            self.show_progress()
        else:
            return
        event.stop()

    def action_forward(self) -> None:
        self.go_to(self.turn + 1)

    def action_back(self) -> None:
        self.go_to(self.turn - 1)

    def action_first(self) -> None:
        self.go_to(0)

    def action_last(self) -> None:
        self.go_to(len(self.ends) - 1)

    def action_leave(self) -> None:
        self.dismiss()
