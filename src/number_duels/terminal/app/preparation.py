"""The computer gets ready in the background: its game is solved while the player still chooses."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Label, ProgressBar
from textual.worker import Worker

from number_duels.core.bug_reports import unforeseen
from number_duels.core.game import AnyGame
from number_duels.terminal.app.background import in_background

#: What is ready sooner is not worth a bar.
PATIENCE_S = 1.0
#: How long the word about a large solution stays.
WORD_S = 10.0


class Cancelled(Exception):
    """Nobody wants this solution any more."""


class Preparation(Horizontal):
    """How far the computer is, where that takes a moment."""

    class Begun(Message):
        """The work has begun; it will put so much into the cache."""

        def __init__(self, game: AnyGame, size_bytes: int) -> None:
            super().__init__()
            self.game, self.size_bytes = game, size_bytes

    class Advanced(Message):
        """Some of the work is done."""

        def __init__(self, game: AnyGame, fraction: float) -> None:
            super().__init__()
            self.game, self.fraction = game, fraction

    class Done(Message):
        """The work is done; or why it cannot be."""

        def __init__(self, game: AnyGame, problem: str) -> None:
            super().__init__()
            self.game, self.problem = game, problem

    def __init__(self) -> None:
        super().__init__()
        self._game: AnyGame | None = None
        self._ready, self._problem = False, ""
        self._then: Callable[[], None] | None = None
        self._worker: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        yield Label("", markup=False)
        yield ProgressBar(total=1.0, show_percentage=False, show_eta=False)

    def on_mount(self) -> None:
        self.display = False

    def prepare(self, game: AnyGame) -> None:
        """Solve a game, unless it is being solved or is ready."""
        if game == self._game:
            return
        self.cancel()
        self._game = game
        self._worker = self.run_worker(self.work(game), exclusive=True)
        self.set_timer(PATIENCE_S, lambda: self.show_if_waiting(game))

    def cancel(self) -> None:
        """Nothing is needed."""
        if self._worker:
            self._worker.cancel()
        self._game, self._ready, self._problem, self._then = None, False, "", None
        self.display = False

    async def work(self, game: AnyGame) -> None:
        """Solve, so that the solution is in the cache; whoever leaves stops it."""
        stopped = Event()
        try:
            problem = await in_background(lambda: self.solve(game, stopped))
        finally:
            stopped.set()
        self.post_message(self.Done(game, problem))

    def solve(self, game: AnyGame, stopped: Event) -> str:
        """Solve in a thread; why that cannot be, if it cannot."""
        from number_duels.solvers import Unsolvable, solve
        from number_duels.solvers.solver import bytes_to_cache

        size = bytes_to_cache(game)
        begun = False

        def report(fraction: float) -> None:
            nonlocal begun
            if stopped.is_set():
                raise Cancelled
            if not begun and fraction > 0:  # what is refused puts nothing anywhere
                begun = True
                self.post_message(self.Begun(game, size))
            self.post_message(self.Advanced(game, fraction))

        try:
            solve(game, progress=report)
        except Unsolvable as error:
            return str(error)
        except Cancelled:
            raise
        except Exception as error:  # two people can play it all the same
            return unforeseen(error)
        return ""

    def show_if_waiting(self, game: AnyGame) -> None:
        if self._game == game and not self._ready:
            self.display = True
            self.query_one(Label).update("Getting the computer ready ")

    def on_preparation_begun(self, event: Begun) -> None:
        from number_duels.solvers.solver import LARGE_CACHE_BYTES

        if event.game == self._game and event.size_bytes > LARGE_CACHE_BYTES:
            self.notify(
                f"To play well, the computer works {event.game.title} out once, and keeps"
                f" {event.size_bytes / 1e6:.0f} MB in the cache; `duels cache` empties it.",
                timeout=WORD_S,
                markup=False,
            )
            self.query_one(Label).update(
                f"Getting ready; {event.size_bytes / 1e6:.0f} MB go into the cache "
            )

    def on_preparation_advanced(self, event: Advanced) -> None:
        if event.game == self._game:
            self.query_one(ProgressBar).update(progress=event.fraction)

    def on_preparation_done(self, event: Done) -> None:
        if event.game != self._game:
            return
        self._ready, self._problem, self.display = True, event.problem, False
        if self._then:
            then, self._then = self._then, None
            self.finish(then)

    def when_ready(self, game: AnyGame, then: Callable[[], None]) -> None:
        """Do something once a game is solved."""
        self.prepare(game)
        if self._ready:
            self.finish(then)
        else:
            self._then = then
            self.query_one(Label).update("Starts as soon as the computer is ready ")

    def finish(self, then: Callable[[], None]) -> None:
        if self._problem:
            self.app.notify(self._problem, severity="error", markup=False)
        else:
            then()
