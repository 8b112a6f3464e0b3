"""The table: a game being played, from its first turn to what can be done after it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType

from number_duels.core.game import Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch
from number_duels.core.record import Person, check_names
from number_duels.core.scene import ASKED, OVER, SAID
from number_duels.sessions.play import Players, Work
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.confirm import Confirm
from number_duels.terminal.app.dialogs import SaveDialog
from number_duels.terminal.app.end_menu import offer_of, perform
from number_duels.terminal.app.notice import Notice
from number_duels.terminal.app.table_workers import TableWorkers
from number_duels.terminal.errors import CommandError
from number_duels.terminal.saves import SaveFile, new_save

if TYPE_CHECKING:
    from number_duels.terminal.app.application import DuelsApp
    from number_duels.terminal.app.new_game import NewGame

#: How long the computer's move takes at least, so that it is seen happening.
COMPUTER_SECONDS = 0.9
#: How long two choices lie face down, and then face up, before the game goes on.
FACE_DOWN_SECONDS, FACE_UP_SECONDS = 0.5, 1.4
#: What a person may do while the computer is busy; all else that is typed is dropped.
ALWAYS_TAKEN = ("q", "escape", "question_mark")


class TableScreen(TableWorkers):
    """Board, log, and below them what can be done now."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint"),
        Binding("u", "take_back", "Take back"),
        Binding("r", "rules", "Rules"),
        Binding("escape", "step_back", "One step back", show=False),
        Binding("x", "resign", "Resign"),
        Binding("q", "leave", "Leave"),
    ]
    KEY_NOTES: ClassVar = (
        ("← → ↑ ↓", "mark an answer"),
        ("Enter", "take the marked answer, or what is typed"),
        ("a letter, a number", "take the answer that begins with it"),
        ("a whole move", "such as S5 or 8-3, as the rules write it"),
        ("a click", "take an answer"),
    )

    def __init__(self, match: AnyMatch, save: SaveFile | None) -> None:
        super().__init__(match, save)
        self.thinking_since = 0.0

    # ---- what is shown ---------------------------------------------------------

    def on_mount(self) -> None:
        self.set_focus(None)
        self.show_table()
        if self.session.shared:
            self.advance()
        else:
            self.tell("The computer gets ready…")
            self.work("prepare", self.prepare)

    def show_table(self) -> None:
        """The board and the log, as whoever looks at the screen may see them."""
        scene = self.scene = self.session.scene(self.session.viewer)
        acting = scene.to_move[0] if scene.to_move else None
        self.show_position((scene.board, scene.changed), acting, scene.log)
        self.show_title([scene.title, *scene.status])

    # ---- the flow of a game ----------------------------------------------------

    def advance(self) -> None:
        """Show how the game stands, and wait for whoever is to act."""
        work = self.session.work()
        self.show_table()
        scene = self.scene
        if scene.stage in (ASKED, OVER):
            self.query_one(Notice).display = False
            self.query_one(Choices).ask(offer_of(self.session, scene), self.taken)
            self.refresh_bindings()
        elif scene.stage == SAID:
            self.tell(f"{scene.headline}. Enter when ready.", scene.detail)
        else:
            self.tell(scene.headline, scene.detail)
        if work:
            self.thinking_since = self.duels.clock.monotonic()
            self.work("think", lambda: (work, work.run()))

    def taken(self, target: Hashable) -> None:
        """Send what was chosen: a move, or an action."""
        if self.scene.question:
            self.act("choose", str(target))
        elif target == "draw":
            self.act("draw")
        else:
            perform(self, str(target))

    def turn_over(self) -> None:
        """Turn over what both chose, or go on at once where one moved alone."""
        moves = self.session.scene(self.session.viewer).log[-1].moves
        if len(moves) < 2 or self.duels.calm:
            self.advance()
            return
        faces = moves[Seat.ONE], moves[Seat.TWO]
        self.tell("")
        self.query_one(Notice).show_choices(self.names, ("?", "?"))
        self.pause(FACE_DOWN_SECONDS, lambda: self.turn_up(faces))

    def turn_up(self, faces: tuple[str, str]) -> None:
        self.show_table()
        self.query_one(Notice).show_choices(self.names, faces)
        self.pause(FACE_UP_SECONDS, self.advance)

    # ---- changes, and the disk -------------------------------------------------

    def act(self, key: str, text: str = "") -> None:
        """Send an action for whoever looks at the screen."""
        self.change(partial(self.session.act, key, text, self.scene.you))

    def change(self, change: Callable[[], str | None]) -> None:
        """Change the game, and go on; a sentence says what became of it, or why it cannot be.

        Where it cannot be saved, another file is asked for first.
        """
        turn, said, problem = self.match.turn_number, None, ""
        try:
            said = change()
        except CommandError as error:
            problem = str(error)
        except ValueError as error:
            self.notify(str(error), markup=False)
            return
        self.cancel_pause()
        if said:
            self.notify(said, timeout=2)
        then = self.turn_over if self.match.turn_number > turn else self.advance
        if problem:
            self.ask_for_file(problem, then)
        else:
            then()

    def ask_for_file(self, reason: str, then: Callable[[], None]) -> None:
        def answered(path: Path | None) -> None:
            try:
                save = new_save(self.match, path) if path else None
            except CommandError as error:
                self.ask_for_file(str(error), then)
                return
            if self.save_file:
                self.save_file.release()
            self.session.store = self.save_file = save
            then()

        self.app.push_screen(SaveDialog(reason), answered)

    # ---- what was done beside the screen ---------------------------------------

    def done_prepare(self, players: Players) -> None:
        self.session.players = players
        self.advance()

    def done_think(self, done: tuple[Work, Hashable]) -> None:
        seen = self.duels.clock.monotonic() - self.thinking_since
        finish = partial(self.session.finish, *done)
        self.pause(COMPUTER_SECONDS - seen, lambda: self.change(finish))

    # ---- keys ------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Keys for a choice, the curtain or a pause; what is typed too early is dropped."""
        curtain = self.scene.stage == SAID and not self.after_pause
        if self.choosing:
            taken = self.query_one(Choices).key(event)
        else:
            taken = event.key == "enter" if curtain else event.key not in ALWAYS_TAKEN
            if taken:
                self.go_on()
        if taken:
            event.stop()

    def on_click(self, event: events.Click) -> None:
        if event.chain == 1:  # the second half of a double click must not open a curtain
            self.go_on()

    def go_on(self) -> None:
        """End a pause, or open the curtain for whoever has sat down."""
        if self.after_pause:
            self.end_pause()
        elif self.scene.stage == SAID:
            self.act("ready")

    def action_take_back(self) -> None:
        self.act("take_back")

    def action_resign(self) -> None:
        def answered(yes: bool | None) -> None:
            if yes:
                self.act("resign")

        self.app.push_screen(Confirm("Give this game up?", "Resign", "Play on"), answered)

    def action_rules(self) -> None:
        from number_duels.terminal.app.rules_page import RulesScreen

        self.app.push_screen(RulesScreen(self.match.game))

    def action_step_back(self) -> None:
        """Escape takes back what was typed, or a step of a choice, or leaves."""
        if not self.query_one(Choices).step_back():
            self.action_leave()

    def action_leave(self) -> None:
        """Back to where one came from; the game is on disk."""
        self.close()
        self.dismiss()

    def on_unmount(self) -> None:
        self.close()

    def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        self.cancel_pause()
        self.duels.kept = None
        if self.save_file and not self.match.record.moves:
            self.save_file.discard()  # nothing happened in it
        elif self.save_file:
            self.save_file.release()
            self.duels.kept = None if self.match.outcome else self.save_file.path
        if self.duels.kept:
            self.app.notify("The game is kept; Continue goes on with it.")


def start_game(app: DuelsApp, new_game: NewGame) -> None:
    """Open the table for a new game; what cannot be played is said in a sentence."""
    try:
        check_names(*new_game.names)
        one, two = map(Person, new_game.names, new_game.who)
        match = Match(new_game.game, players=(one, two), hints=new_game.hints)
    except ValueError as error:
        app.notify(str(error), severity="error", markup=False)
    else:
        open_table(app, match)


def open_table(app: DuelsApp, match: AnyMatch) -> None:
    """Open the table for a match that nobody has moved in."""
    save: SaveFile | None = None
    try:
        save = new_save(match)
    except CommandError as error:
        app.notify(f"{error} This game is played without being saved.", markup=False)
    app.push_screen(TableScreen(match, save))


def continue_game(app: DuelsApp, path: Path) -> None:
    """Open the table for a game that is on disk, unless another window plays it."""
    from number_duels.terminal.commands.play import reopened

    try:
        app.push_screen(TableScreen(*reopened(path)))
    except CommandError as error:
        app.notify(str(error), severity="error", markup=False)
