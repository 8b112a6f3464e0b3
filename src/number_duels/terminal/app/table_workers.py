"""What a table lets run beside the screen: solving, choosing, hints; and what goes wrong there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable
from functools import partial
from threading import Lock

from textual.worker import Worker, WorkerState

from number_duels.core.addresses import unforeseen
from number_duels.core.game import AnyGame, Seat
from number_duels.core.player import AnyMatch
from number_duels.core.scene import Scene
from number_duels.players.registry import HUMAN, seat_player
from number_duels.sessions.play import Players
from number_duels.terminal.app.background import in_background, now_and_then
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.curtain import PAUSE_GROUP
from number_duels.terminal.app.dialogs import HintDialog
from number_duels.terminal.app.notice import Notice
from number_duels.terminal.app.table_layout import TableLayout
from number_duels.terminal.errors import CommandError

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

    def __init__(self, match: AnyMatch) -> None:
        super().__init__()
        self.match = match
        self.closed = False
        #: Who is asked for a move now.
        self.asked: Seat | None = None
        self.hint: Worker[object] | None = None
        self.megabytes = 0

    @abstractmethod
    def action_leave(self) -> None:
        """Close the table; the game is on disk."""

    def tell(self, *lines: str) -> None:
        """Say something where the choices were."""
        self.query_one(Choices).stop()
        self.asked = None
        self.query_one(Notice).say(*lines)
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

    # ---- hints -----------------------------------------------------------------

    def action_hint(self) -> None:
        """Advice to who is asked, in words first."""
        seat = self.asked
        if seat is None or not self.match.hides_nothing_from(seat):
            self.notify("There is a hint when you choose, and nothing is hidden from you.")
        else:
            game, view, asked = self.match.game, self.match.view(seat), self.place
            if self.hint is None or self.hint.is_finished:
                self.hint = self.work("hint", lambda: (asked, work_out_hint(game, view, seat)))
                self.set_timer(PATIENCE_SECONDS, self.say_that_a_hint_comes)

    def say_that_a_hint_comes(self) -> None:
        if self.hint and not self.hint.is_finished:
            self.notify(f"Working out {self.match.game.title} for the hint, once. Play on or wait.")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that do nothing are not shown, or faint where they will do something again."""
        if action == "hint":
            return self.match.hints and self.match.outcome is None
        if action == "resign" and self.match.outcome is None:
            return True if any(choices.offer for choices in self.query(Choices)) else None
        return action != "resign"

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
    from number_duels.sessions.options import hint_scene
    from number_duels.solvers import solve

    with PREPARING:
        solution = solve(game)
    return hint_scene(examine_with_chances(solution, view), seat)
