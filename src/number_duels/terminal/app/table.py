"""The table: a game being played, from its first turn to what can be done after it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType

from number_duels.core.game import IllegalMove, Seat
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch
from number_duels.core.record import Person, check_names
from number_duels.players.registry import HUMAN, full_name
from number_duels.sessions.play import Action, Players, PlaySession, Work
from number_duels.terminal.app import end_menu
from number_duels.terminal.app.choice_lines import Offer, example_of
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.curtain import Waiting
from number_duels.terminal.app.dialogs import SaveDialog
from number_duels.terminal.app.log_view import game_log
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
        super().__init__(match)
        self.save_file = save
        self.session = PlaySession(match, (None, None), save)
        self.names = self.session.names
        self.waiting = Waiting(self)
        self.thinking_since = 0.0

    # ---- what is shown ---------------------------------------------------------

    def on_mount(self) -> None:
        self.set_focus(None)
        self.show_table(self.session.viewer)
        if len(self.session.people) == 2:
            self.advance()
        else:
            self.tell("The computer gets ready…")
            self.work("prepare", self.prepare)

    def show_table(self, viewer: Seat | None) -> None:
        """The board and the log, as a viewer may see them."""
        session = self.session
        log = game_log(self.match, session.viewer)
        self.show_position(session.board(viewer), session.next().seat, log)
        self.show_title(facts(self.match))

    def offer(self, offer: Offer, then: Callable[[Hashable], None]) -> None:
        """Let somebody choose."""
        self.query_one(Notice).display = False
        self.asked = None
        self.query_one(Choices).ask(offer, then)
        self.refresh_bindings()

    # ---- the flow of a game ----------------------------------------------------

    def advance(self) -> None:
        """Show how the game stands, and wait for whoever is to act."""
        self.show_table(self.session.viewer)
        waiting, draw = self.session.next(), partial(self.change, self.session.draw)
        seat = waiting.seat
        if work := self.session.work():
            self.let_think(work)
        elif waiting.action is Action.OVER:
            self.offer(end_menu.offer(self.session), partial(end_menu.perform, self))
        elif waiting.action is Action.CHOOSE:
            self.let_choose(waiting.seats[0])
        elif seat in self.session.people:
            self.offer(end_menu.draw_offer(self.session), lambda _: draw())
        else:
            self.tell("A card is drawn…" if seat is None else f"{self.names[seat]} draws…")
            self.waiting.pause(self.pace(COMPUTER_SECONDS), draw)

    def let_choose(self, seat: Seat) -> None:
        """Ask a person, behind a curtain where another person must not look."""
        if self.session.needs_curtain(seat):
            name, other = self.names[seat], self.names[seat.other]
            self.tell(
                f"Pass the keyboard to {name}. Enter when ready.",
                f"What follows is for {name} alone; {other} looks away.",
            )
            self.waiting.until_enter(lambda: self.ask(seat))
        else:
            self.ask(seat)

    def ask(self, seat: Seat) -> None:
        session = self.session
        question = session.question(seat)
        if session.needs_curtain(seat):
            self.show_table(seat)
        blind = question.secret and len(session.people) == 2
        does = partial(session.game.consequence, self.match.view(seat), seat)
        example = example_of(question)
        offer = Offer(question, session.game.parse, does, self.names, example, blind)
        self.offer(offer, lambda move: self.change(partial(session.choose, seat, move)))
        self.asked = seat

    def let_think(self, work: Work) -> None:
        """Let the computer choose, beside everything else."""
        name, viewer = self.names[work.seat], self.session.viewer
        mine = None if viewer is None else self.match.choice(viewer)
        said = f"{name} is thinking…" if mine is None else f"You chose {mine}. {name} is choosing…"
        self.tell(said)
        self.thinking_since = self.duels.clock.monotonic()
        self.work("think", lambda: (work, work.run()))

    def turn_over(self) -> None:
        """Turn over what both chose, or go on at once where one moved alone."""
        moves = self.match.history.last_moves
        if len(moves) < 2 or self.duels.calm:
            self.advance()
            return
        faces = str(moves[Seat.ONE]), str(moves[Seat.TWO])
        self.tell("")
        self.query_one(Notice).show_choices(self.names, ("?", "?"))
        self.waiting.pause(FACE_DOWN_SECONDS, lambda: self.turn_up(faces))

    def turn_up(self, faces: tuple[str, str]) -> None:
        self.show_table(self.session.viewer)
        self.query_one(Notice).show_choices(self.names, faces)
        self.waiting.pause(FACE_UP_SECONDS, self.advance)

    def pace(self, seconds: float) -> float:
        """How long to wait for the eye's sake."""
        return 0 if self.duels.calm else seconds

    # ---- changes, and the disk -------------------------------------------------

    def change(self, change: Callable[[], object]) -> None:
        """Change the game, and go on; where it cannot be saved, ask for another file first."""
        turn, problem = self.match.turn_number, ""
        try:
            change()
        except CommandError as error:
            problem = str(error)
        self.waiting.cancel()
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
        self.waiting.pause(self.pace(COMPUTER_SECONDS) - seen, lambda: self.change(finish))

    # ---- keys ------------------------------------------------------------------

    @property
    def choosing(self) -> bool:
        return self.query_one(Choices).offer is not None

    def on_key(self, event: events.Key) -> None:
        """Keys for a choice, the curtain or a pause; what is typed too early is dropped."""
        if self.choosing:
            taken = self.query_one(Choices).key(event)
        elif event.key in ALWAYS_TAKEN:
            taken = False
        else:
            taken = self.waiting.key(event.key) or not self.waiting.for_enter
        if taken:
            event.stop()

    def on_click(self, event: events.Click) -> None:
        if event.chain == 1:  # the second half of a double click must not open a curtain
            self.waiting.key("enter")

    def action_take_back(self) -> None:
        if not self.choosing and not self.waiting.for_enter:
            return
        try:
            self.change(lambda: self.notify(self.session.take_back(), timeout=2))
        except IllegalMove as error:
            self.notify(str(error), markup=False)

    def action_resign(self) -> None:
        if self.choosing:
            end_menu.ask_to_resign(self)

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
        self.waiting.cancel()
        self.duels.kept = None
        if self.save_file and not self.match.record.moves:
            self.save_file.discard()  # nothing happened in it
        elif self.save_file:
            self.save_file.release()
            self.duels.kept = None if self.match.outcome else self.save_file.path
        if self.duels.kept:
            self.app.notify("The game is kept; Continue goes on with it.")


def facts(match: AnyMatch) -> list[str]:
    """What stands above the board: the game, the turn, who plays, what was taken back."""
    taken = match.takebacks
    turn = "over" if match.outcome else f"turn {match.turn_number}"
    computers = [full_name(person.who) for person in match.players if person.who != HUMAN]
    moves = "1 move" if taken == 1 else f"{taken} moves"
    return [match.game.title, turn, *computers, *([f"{moves} taken back"] if taken else [])]


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
