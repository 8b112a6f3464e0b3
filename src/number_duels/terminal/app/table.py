"""The table: a game being played, from its first turn to what can be done after it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.binding import Binding, BindingType
from textual.worker import Worker, WorkerState

from number_duels.core.game import IllegalMove, Seat
from number_duels.core.player import AnyMatch, Player
from number_duels.core.questions import labels
from number_duels.terminal.app import end_menu
from number_duels.terminal.app.choices import Choices, Offer
from number_duels.terminal.app.curtain import Waiting
from number_duels.terminal.app.dialogs import HintDialog, SaveDialog
from number_duels.terminal.app.game_session import (
    Action,
    GameSession,
    hint_lines,
    new_match,
    new_save,
    reopened,
    seated,
)
from number_duels.terminal.app.log_view import game_log
from number_duels.terminal.app.notice import Notice
from number_duels.terminal.app.table_layout import TableLayout
from number_duels.terminal.errors import CommandError
from number_duels.terminal.saves import SaveFile

if TYPE_CHECKING:
    from number_duels.terminal.app.application import DuelsApp
    from number_duels.terminal.app.new_game import NewGame

#: How long the computer's move takes at least, so that it is seen happening.
COMPUTER_SECONDS = 0.9
#: How long two choices lie face down, and then face up, before the game goes on.
FACE_DOWN_SECONDS, FACE_UP_SECONDS = 0.5, 1.4
#: How often the progress of a preparation is shown, and how wide.
PROGRESS_SECONDS, PROGRESS_CELLS = 0.2, 30
PREPARING_TEXT = "Working out {}, so that the computer can play it."
ONCE_TEXT = "This is done once and kept; the next game begins at once."
#: What a person may do while the computer is busy; all else that is typed is dropped.
ALWAYS_TAKEN = ("q", "escape", "question_mark")


class Abandoned(Exception):
    """The table was left while the game was being prepared."""


class TableScreen(TableLayout):
    """Board, log, and below them what can be done now."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("h", "hint", "Hint"),
        Binding("u", "take_back", "Take back"),
        Binding("r", "rules", "Rules"),
        Binding("escape", "step_back", "One step back", show=False),
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
        super().__init__()
        self.session = GameSession(match, (None, None), save)
        self.match = match
        self.names = self.session.names
        self.waiting = Waiting(self)
        #: What a choice is for, while one is asked for.
        self.on_choice: Callable[[Hashable], None] | None = None
        self.asked: Seat | None = None
        self.thinking_since = 0.0
        self.closed = False

    @property
    def duels(self) -> DuelsApp:
        return cast("DuelsApp", self.app)

    # ---- what is shown ---------------------------------------------------------

    def on_mount(self) -> None:
        self.query_one(Choices).focus()
        self.show_table(self.session.viewer)
        self.tell("Getting the computer ready…")
        self.work("prepare", lambda: seated(self.match, self.report_progress))

    def show_table(self, viewer: Seat | None) -> None:
        """The board and the log, as a viewer may see them."""
        session, match = self.session, self.match
        log = game_log(match, session.viewer)
        self.show_position(session.board(viewer), session.next().seat, log)
        turn = "over" if match.outcome else f"turn {match.turn_number}"
        taken = match.takebacks
        facts = [match.game.title, turn, *self.opponents()]
        self.show_title([*facts, *([f"{moves(taken)} taken back"] if taken else [])])

    def opponents(self) -> list[str]:
        """Which computer players sit at the table."""
        return [person.who for person in self.match.players if person.who != "human"]

    def tell(self, *lines: str) -> None:
        """Say something where the choices were."""
        self.query_one(Choices).stop()
        self.on_choice = self.asked = None
        self.query_one(Notice).say(*lines)
        self.query_one(Notice).display = True

    def offer(self, offer: Offer, then: Callable[[Hashable], None]) -> None:
        """Let somebody choose."""
        self.query_one(Notice).display = False
        self.on_choice = then
        self.query_one(Choices).ask(offer)

    # ---- the flow of a game ----------------------------------------------------

    def advance(self) -> None:
        """Show how the game stands, and wait for whoever is to act."""
        self.show_table(self.session.viewer)
        action, seat, by_person = self.session.next()
        if action is Action.OVER:
            self.offer(end_menu.offer(self.session), self.after_the_game)
        elif action is Action.DRAW and by_person:
            self.offer(end_menu.draw_offer(self.session), lambda _: self.draw())
        elif action is Action.DRAW:
            who = "A card is drawn…" if seat is None else f"{self.names[seat]} draws…"
            self.tell(who)
            self.waiting.pause(self.pace(COMPUTER_SECONDS), self.draw)
        elif seat is not None and by_person:
            self.let_choose(seat)
        elif seat is not None:
            self.let_think(seat)

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
        consequence = lambda move: session.consequence(seat, move)  # noqa: E731
        example = str([*labels(question)][-1])
        offer = Offer(question, session.game.parse, consequence, self.names, example, blind)
        self.offer(offer, lambda move: self.chosen(seat, move))
        self.asked = seat

    def let_think(self, seat: Seat) -> None:
        """Let the computer choose, beside everything else."""
        name, mine = self.names[seat], self.session.own_choice
        said = f"You chose {mine}. {name} is choosing…" if mine else f"{name} is thinking…"
        self.tell(said)
        self.thinking_since = monotonic()
        self.work("think", self.session.computer_move(seat))

    def chosen(self, seat: Seat, move: Hashable) -> None:
        """Somebody chose; the turn may be complete by it."""
        self.session.submit(seat, move)
        if self.match.seats_ready:
            self.advance()
        else:
            self.keep(self.turn_over)

    def draw(self) -> None:
        self.match.draw()
        self.keep(self.advance)

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

    # ---- the disk --------------------------------------------------------------

    def keep(self, then: Callable[[], None]) -> None:
        """Have it on disk before anything is shown; where that fails, ask for another file."""
        try:
            self.session.save()
        except CommandError as error:
            self.ask_for_file(str(error), then)
        else:
            then()

    def ask_for_file(self, reason: str, then: Callable[[], None]) -> None:
        def answered(path: Path | None) -> None:
            try:
                self.session.save_elsewhere(path)
            except CommandError as error:
                self.ask_for_file(str(error), then)
            else:
                then()

        self.app.push_screen(SaveDialog(reason), answered)

    # ---- what runs beside the screen -------------------------------------------

    def work(self, name: str, function: Callable[[], object]) -> None:
        self.run_worker(function, name=name, thread=True, exit_on_error=False)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        worker = event.worker
        if self.closed:
            return
        if event.state is WorkerState.ERROR:
            self.fail(worker)
        elif event.state is WorkerState.SUCCESS:
            getattr(self, f"done_{worker.name}")(worker.result)

    def done_prepare(self, players: tuple[Player | None, Player | None]) -> None:
        self.session.players = players
        self.advance()

    def done_think(self, move: Hashable) -> None:
        seat = self.session.next().seat
        assert seat is not None
        seen = monotonic() - self.thinking_since
        self.waiting.pause(self.pace(COMPUTER_SECONDS) - seen, lambda: self.chosen(seat, move))

    def done_hint(self, hint: tuple[int, list[str]]) -> None:
        turn, lines = hint
        if self.asked is not None and turn == self.match.turn_number:
            self.app.push_screen(HintDialog(lines, self.names))

    def fail(self, worker: Worker[object]) -> None:
        """What went wrong beside the screen, in a sentence; the game is kept."""
        error = worker.error
        what = f"This should not have happened ({type(error).__name__}: {error}); please report it"
        if isinstance(error, ValueError | CommandError):
            what = str(error)
        self.app.notify(what, severity="error", timeout=15, markup=False)
        if worker.name != "hint":
            self.action_leave()

    def report_progress(self, fraction: float) -> None:
        """Called from the worker that prepares the players."""
        if self.closed or not self.app.is_running:
            raise Abandoned
        if monotonic() - self.thinking_since > PROGRESS_SECONDS:
            self.thinking_since = monotonic()
            self.app.call_from_thread(self.show_progress, fraction)

    def show_progress(self, fraction: float) -> None:
        done = round(PROGRESS_CELLS * fraction)
        bar = f"{'█' * done}{'░' * (PROGRESS_CELLS - done)} {fraction:4.0%}"
        self.tell(PREPARING_TEXT.format(self.match.game.title), bar, ONCE_TEXT)

    # ---- keys ------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Keys that no choice took: for the curtain, to end a pause, or typed too early."""
        if event.key in ALWAYS_TAKEN and (self.on_choice or self.waiting.for_enter):
            return
        if self.waiting.key(event.key) or (
            self.on_choice is None and not self.waiting.active and event.key not in ALWAYS_TAKEN
        ):
            event.stop()

    def on_click(self) -> None:
        self.waiting.key("enter")

    def on_choices_chosen(self, message: Choices.Chosen) -> None:
        then, self.on_choice, self.asked = self.on_choice, None, None
        if then:
            then(message.move)

    def action_hint(self) -> None:
        """Advice to who is asked, in words first."""
        seat = self.asked
        if not self.match.hints:
            self.notify("Hints are off in this game; a new game can be started with them.")
        elif seat is None or not self.match.hides_nothing_from(seat):
            self.notify("There is a hint when you choose, and nothing is hidden from you.")
        else:
            turn, game, view = self.match.turn_number, self.match.game, self.match.view(seat)
            self.work("hint", lambda: (turn, hint_lines(game, view, seat)))

    def action_take_back(self) -> None:
        if self.on_choice is None and not self.waiting.for_enter:
            return
        try:
            said = self.session.take_back()
        except IllegalMove as error:
            self.notify(str(error), markup=False)
            return
        self.waiting.cancel()
        self.keep(self.advance)
        self.notify(said)

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
        path = self.session.close()
        self.duels.kept = path if path and not self.match.outcome else None
        if self.duels.kept:
            self.app.notify(
                f"The game is kept in {path}; Home offers to continue it.", markup=False
            )

    def after_the_game(self, choice: Hashable) -> None:
        end_menu.perform(self, choice)


def moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"


def start_game(app: DuelsApp, new_game: NewGame) -> None:
    """Open the table for a new game; what cannot be played is said in a sentence."""
    try:
        match = new_match(new_game.game, new_game.names, new_game.who, hints=new_game.hints)
    except CommandError as error:
        app.notify(str(error), severity="error", markup=False)
        return
    save: SaveFile | None = None
    try:
        save = new_save(match)
    except CommandError as error:
        app.notify(f"{error} This game is played without being saved.", markup=False)
    app.push_screen(TableScreen(match, save))


def continue_game(app: DuelsApp, path: Path) -> None:
    """Open the table for a game that is on disk, unless another window plays it."""
    try:
        app.push_screen(TableScreen(*reopened(path)))
    except CommandError as error:
        app.notify(str(error), severity="error", markup=False)
