"""A game watched again: forward, back, to its ends, or to any turn."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from number_duels.core.record import Record, shown_names
from number_duels.sessions.replay import ReplaySession
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.notice import Notice
from number_duels.terminal.app.table_layout import TableLayout


class ReplayScreen(TableLayout):
    """One turn of a recorded game at a time, as a spectator sees it, or of a line beside it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,down,space", "act('next')", "Next turn", key_display="→"),
        Binding("left,up", "act('back')", "Turn before", key_display="←"),
        Binding("home", "act('first')", "First", key_display="Home"),
        Binding("end", "act('last')", "Last", key_display="End"),
        Binding("escape", "leave", "Leave", show=False),
        Binding("q", "leave", "Leave"),
    ]
    KEY_NOTES: ClassVar = (("a number, Enter", "go to that turn"),)

    def __init__(self, record: Record, line: ReplaySession | None = None) -> None:
        super().__init__()
        self.names = shown_names(record.players)
        self.session = line or ReplaySession.of(record.match())
        self.scene, self.typed = self.session.scene(), ""

    def on_mount(self) -> None:
        self.query_one(Choices).display = False
        self.set_focus(None)
        self.action_act("first")

    def action_act(self, key: str, text: str = "") -> None:
        """Go somewhere, and show the game as it stood there."""
        self.session.act(key, text)
        scene = self.scene = self.session.scene()
        self.show_position((scene.board, scene.changed), None, scene.log)
        self.show_title([scene.title, *scene.status])
        self.show_progress()

    def show_progress(self) -> None:
        count, place = len(self.session.frames), self.session.place
        line = "".join("●" if turn == place else "·" for turn in range(count))
        self.query_one(Notice).say(
            line, f"Go to {self.typed}█" if self.typed else self.scene.prompt
        )

    def on_key(self, event: events.Key) -> None:
        if event.character and event.character.isdecimal() and event.character.isascii():
            self.typed = (self.typed + event.character)[-3:]
            self.show_progress()
        elif event.key == "enter" and self.typed:
            turn, self.typed = self.typed, ""
            self.action_act("go", turn)
        elif event.key == "backspace":
            self.typed = self.typed[:-1]
            self.show_progress()
        else:
            return
        event.stop()

    def action_leave(self) -> None:
        self.dismiss()
