"""What a table lets run beside the screen: solving, choosing, hints, pauses; and failures there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable
from functools import partial
from threading import Lock

from textual.worker import Worker, WorkerState

from number_duels.core.bug_reports import unforeseen
from number_duels.core.game import AnyGame, Seat
from number_duels.core.player import AnyMatch
from number_duels.core.record import with_names
from number_duels.core.scene import WORKING, Scene
from number_duels.players.registry import HUMAN, seat_player
from number_duels.sessions.play import Players, PlaySession
from number_duels.terminal.app.background import in_background, now_and_then
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.dialogs import HintDialog
from number_duels.terminal.app.notice import Notice
from number_duels.terminal.app.table_layout import TableLayout
from number_duels.terminal.errors import CommandError
from number_duels.terminal.saves import SaveFile

#: The workers that only wait.
PAUSE_GROUP = "pause"
#: How wide the progress of a preparation is shown.
PROGRESS_CELLS = 30
#: A hint that comes sooner needs no word that it is coming.
PATIENCE_SECONDS = 0.6
PREPARING_TEXT = "Working out {}, so that the computer can play it."
ONCE_TEXT = "This is done once and kept; the next game begins at once."
#: A solution is worked out once, also where two screens ask for it at the same time.
PREPARING = Lock()


class Abandoned(Exception):
    """The table was left while the game was being prepared."""


class TableWorkers(TableLayout):
    """A table whose slow work is done in threads; `done_NAME` of its class has the result."""

    def __init__(self, match: AnyMatch, save: SaveFile | None) -> None:
        super().__init__()
        self.match, self.save_file = match, save
        self.session = PlaySession(match, (None, None), save)
        self.names = self.session.names
        #: What is on the screen.
        self.scene = Scene(WORKING, match.game.title)
        self.closed = False
        self.hint: Worker[object] | None = None
        self.megabytes = 0
        self.timer: Worker[None] | None = None
        #: What follows a pause; None where there is none.
        self.after_pause: Callable[[], None] | None = None

    @abstractmethod
    def action_leave(self) -> None:
        """Close the table; the game is on disk."""

    @property
    def choosing(self) -> bool:
        """Whether something is offered below the board."""
        return any(choices.offer for choices in self.query(Choices))

    @property
    def asked(self) -> Seat | None:
        """Who is asked for a move now."""
        return self.scene.you if self.choosing and self.scene.question else None

    def tell(self, *lines: str) -> None:
        """Say something where the choices were."""
        self.query_one(Choices).stop()
        self.query_one(Notice).say(*(with_names(line, self.names) for line in lines))
        self.query_one(Notice).display = True
        self.refresh_bindings()

    def work(self, name: str, function: Callable[[], object]) -> Worker[object]:
        return self.run_worker(in_background(function), name=name, exit_on_error=False)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        worker = event.worker
        if self.closed or worker.group == PAUSE_GROUP:
            return
        if event.state is WorkerState.ERROR:
            self.fail(worker)
        elif event.state is WorkerState.SUCCESS:
            getattr(self, f"done_{worker.name}")(worker.result)

    def fail(self, worker: Worker[object]) -> None:
        """What went wrong beside the screen, in a sentence; the game is kept."""
        error = worker.error
        known = isinstance(error, ValueError | CommandError)
        what = str(error) if known else unforeseen(error)
        self.app.notify(what, severity="error", timeout=15, markup=False)
        if worker.name != "hint":
            self.action_leave()

    def prepare(self) -> Players:
        """Make the players; in a thread, because the game may have to be solved first."""
        self.megabytes = megabytes_to_solve(self.match)
        show = partial(self.app.call_from_thread, self.show_progress)
        shown = now_and_then(show, self.duels.clock)

        def report(fraction: float) -> None:
            if self.closed or not self.app.is_running:
                raise Abandoned
            shown(fraction)

        with PREPARING:
            one, two = (
                seat_player(person.who, self.match.game, report) for person in self.match.players
            )
        return one, two

    def show_progress(self, fraction: float) -> None:
        done = int(PROGRESS_CELLS * fraction)  # full only at the end
        bar = f"{'█' * done}{'░' * (PROGRESS_CELLS - done)} {fraction:4.0%}"
        size = f" It takes {self.megabytes} MB in the cache." if self.megabytes else ""
        self.tell(PREPARING_TEXT.format(self.match.game.title), bar, ONCE_TEXT + size)

    # ---- pauses ----------------------------------------------------------------

    def pause(self, seconds: float, then: Callable[[], None]) -> None:
        """A moment to see what happened; any key ends it sooner."""
        self.cancel_pause()
        if seconds <= 0 or self.duels.calm:
            then()
        else:
            self.after_pause = then
            self.timer = self.run_worker(self.ring(seconds), group=PAUSE_GROUP)

    async def ring(self, seconds: float) -> None:
        await self.duels.clock.sleep(seconds)
        self.timer = None  # which is this worker, and has nothing left to cancel
        self.end_pause()

    def end_pause(self) -> None:
        then = self.after_pause
        self.cancel_pause()
        if then:
            then()

    def cancel_pause(self) -> None:
        if self.timer:
            self.timer.cancel()
        self.timer = self.after_pause = None

    # ---- hints -----------------------------------------------------------------

    def action_hint(self) -> None:
        """Advice to who is asked, in words first."""
        seat = self.asked
        if seat is not None and (self.hint is None or self.hint.is_finished):
            game, view, asked = self.match.game, self.match.view(seat), self.place
            self.hint = self.work("hint", lambda: (asked, work_out_hint(game, view, seat)))
            self.set_timer(PATIENCE_SECONDS, self.say_that_a_hint_comes)

    def say_that_a_hint_comes(self) -> None:
        if self.hint and not self.hint.is_finished:
            self.notify(f"Working out {self.match.game.title} for the hint, once. Play on or wait.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that do nothing are not shown, or faint where they will do something again."""
        if action not in ("hint", "take_back", "resign"):
            return True
        found = [one for one in self.scene.actions if one.key == action]
        return bool(found) and (not found[0].why_not or None)

    @property
    def place(self) -> tuple[int, Seat | None]:
        """Which turn it is, and who is asked."""
        return self.match.turn_number, self.asked

    def done_hint(self, hint: tuple[tuple[int, Seat | None], Scene]) -> None:
        place, scene = hint
        if place == self.place:  # who asked for it still chooses
            self.app.push_screen(HintDialog(scene))


def megabytes_to_solve(match: AnyMatch) -> int:
    """How much the computer players of a match will put into the cache; 0: next to nothing."""
    if {person.who for person in match.players} <= {HUMAN, "random"}:
        return 0
    from number_duels.solvers.solver import bytes_to_cache

    return round(bytes_to_cache(match.game) / 1_000_000)


def work_out_hint(game: AnyGame, view: Hashable, seat: Seat) -> Scene:
    from number_duels.review.position import examine_with_chances
    from number_duels.sessions.tables import hint_scene
    from number_duels.solvers import solve

    with PREPARING:
        solution = solve(game)
    return hint_scene(examine_with_chances(solution, view), seat)
