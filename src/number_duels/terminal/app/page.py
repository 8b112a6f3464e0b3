"""Base classes for screens and pages, and helpers for work in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, ClassVar, TypeAlias, TypeVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Key
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer, Input, Label, OptionList, ProgressBar, Static
from textual.widgets.option_list import Option
from textual.worker import Worker

from number_duels.core.bug_reports import unforeseen
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame
from number_duels.core.player import Outage
from number_duels.core.progress_bar import filled_bar
from number_duels.terminal.errors import CommandError
from number_duels.terminal.line.console import breadth
from number_duels.terminal.menu_entries import MenuEntry

if TYPE_CHECKING:
    from number_duels.terminal.app.application import DuelsApp
    from number_duels.terminal.app.choices import AnswerView


T = TypeVar("T")
Notes: TypeAlias = tuple[tuple[str, str], ...]
#: Enter is ignored this long after a change, because it was meant for the old content.
UNSEEN_SECONDS = 0.4
TOO_SOON = "The screen has just changed. Press Enter again."
NARROW_WIDTH = 76


#: The padding of the heading, and the space between its title and its note.
BESIDE_NOTE = 7
LIST_NOTE = ("j k g G, Space", "down, up, first, last, next page")


class Menu(OptionList):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "Choose"),
        Binding("j", "cursor_down", "Down", show=False),
        Binding("k", "cursor_up", "Up", show=False),
        Binding("g", "first", "First", show=False),
        Binding("G", "last", "Last", show=False),
        Binding("space", "page_down", "Next page", show=False),
    ]

    def __init__(self, name: str) -> None:
        super().__init__(id=name, markup=False)


class KeyFooter(Footer):
    """A footer that lists the active keys, and is redrawn only when they change."""

    _drawn: tuple[tuple[str, str, bool], ...] | None = None

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)

    async def recompose(self) -> None:
        if not self.is_attached:  # the user has left the screen
            return
        active = self.screen.active_bindings.values()
        keys = tuple((one.key, one.description, on) for _, one, on, _ in active if one.show)
        if keys != self._drawn:
            self._drawn = keys
            await super().recompose()


class DuelsScreen(Screen[None]):
    KEY_NOTES: ClassVar[Notes] = ()
    #: Whether the user has left the screen. Results of its work are then dropped.
    closed = False
    appeared_at = 0.0

    def key_notes(self) -> Notes:
        return self.KEY_NOTES

    @property
    def duels(self) -> DuelsApp:
        return cast("DuelsApp", self.app)

    def on_screen_resume(self) -> None:
        self.duels.forget_remark_of_other(self)
        # Whoever opened or closed a screen with another key than Enter, means the new screen.
        if self.duels.last_key in ("", "enter"):
            self.note_change()
        else:
            self.appeared_at = -UNSEEN_SECONDS

    def note_change(self) -> None:
        self.appeared_at = self.duels.clock.monotonic()

    def is_too_soon(self, event: Key) -> bool:
        """Return whether the user pressed Enter before they could read the screen."""
        seen_at = self.appeared_at + UNSEEN_SECONDS
        return event.key == "enter" and self.duels.clock.monotonic() < seen_at

    def drops(self, event: Key) -> bool:
        """Drop an Enter that comes too soon. Any other key shows that the user has looked."""
        if event.key != "enter":
            self.appeared_at = -UNSEEN_SECONDS
        if not self.is_too_soon(event) or event.key not in self.active_bindings:
            return False
        self.remark(TOO_SOON, timeout=2)
        return True

    def note_typed(self, asked: Iterable[AnswerView]) -> None:
        # A key that is not refused shows that the user has read the screen.
        if not any(view.reason for view in asked):
            self.appeared_at = -UNSEEN_SECONDS

    def remark(self, said: str, timeout: float | None = None) -> None:
        self.app.clear_notifications()
        self.query("ToastHolder").remove()  # otherwise, Textual keeps it, empty
        self.notify(said, timeout=timeout, markup=False)
        self.duels.remarked = self

    def work(
        self, function: Callable[[], T], then: Callable[[T], None], group: str = "default"
    ) -> Worker[None]:
        """Call `function` in a thread, then call `then` with its result."""

        async def run() -> None:
            try:
                result = await in_background(function)
            except Exception as error:  # the program continues after any error
                if not self.closed:
                    self.failed(error, group)
            else:
                if self.is_running and not self.closed:
                    then(result)

        return self.run_worker(run(), exclusive=True, group=group)

    def failed(self, error: Exception, group: str) -> None:
        if isinstance(error, Outage):
            said = f"{error.reason[0].upper()}{error.reason[1:]}."
        else:
            known = isinstance(error, ValueError | CommandError)
            said = str(error) if known else unforeseen(error)
        self.complain(said, timeout=15)

    def scroll_pages(self, panel: Widget, pages: int) -> None:
        panel.scroll_relative(y=pages * max(1, panel.size.height - 1), animate=False)

    def complain(self, problem: object, timeout: float | None = None) -> None:
        self.app.notify(str(problem), severity="error", timeout=timeout, markup=False)


class Page(DuelsScreen):
    KEY_NOTES: ClassVar[Notes] = (
        ("↑ ↓", "highlight a line"),
        LIST_NOTE,
        ("Enter", "choose it"),
        ("a click", "choose it"),
    )
    AUTO_FOCUS: ClassVar[str | None] = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "app.back", "Back"),
        # Listed in the footer instead of q while the user types, because q is then a letter.
        Binding("escape", "app.back", "Back", key_display="Esc"),
    ]

    def __init__(self, heading: str, note: str = "") -> None:
        super().__init__()
        self._heading, self._note = heading, note

    def compose(self) -> ComposeResult:
        with Horizontal(id="heading"):
            yield Label(self._heading, id="title", markup=False)
            yield Label(self._note, id="note", markup=False)
        yield from self.content()
        yield KeyFooter()

    def on_resize(self) -> None:
        self.query_one(Footer).compact = self.size.width < NARROW_WIDTH
        self.fit_note()

    def content(self) -> ComposeResult:
        yield from ()

    def say(self, heading: str, note: str = "") -> None:
        self.query_one("#title", Label).update(heading)
        self.query_one("#note", Label).update(note)
        self._heading, self._note = heading, note
        self.fit_note()

    def fit_note(self) -> None:
        """Give a long note the empty row below the heading, too."""
        room = self.size.width - breadth(self._heading) - BESIDE_NOTE
        self.query_one("#heading").set_class(breadth(self._note) > room, "-long")


class ReadingPage(Page):
    KEY_NOTES: ClassVar[Notes] = ()
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll(-1)", "Scroll", key_display="↑↓"),
        Binding("k", "scroll(-1)", "Scroll", show=False),
        Binding("down,j", "scroll(1)", "Scroll", show=False),
        Binding("pageup", "page(-1)", "Page", show=False),
        Binding("pagedown,space", "page(1)", "Page", show=False),
        Binding("home,g", "first", "First line", show=False),
        Binding("end,G", "last", "Last line", show=False),
    ]

    @property
    def text(self) -> Widget:
        return self.query_one(".reading")

    def action_scroll(self, by: int) -> None:
        self.text.scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        self.scroll_pages(self.text, by)

    def action_first(self) -> None:
        self.text.scroll_home(animate=False)

    def action_last(self) -> None:
        self.text.scroll_end(animate=False)


class SearchPage(Page):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("slash", "search", "Search", key_display="/")]

    def read(self) -> None:
        raise NotImplementedError

    def show(self) -> None:
        raise NotImplementedError

    def list_lines(self, lines: Sequence[Content], if_none: str) -> None:
        entries, nothing = self.query_one(OptionList), self.query_one("#nothing", Static)
        place = entries.highlighted or 0
        entries.set_options(map(Option, lines))
        entries.display, nothing.display = bool(lines), not lines
        if lines:
            entries.highlighted = min(place, len(lines) - 1)
        nothing.update(if_none)
        self.refresh_bindings()

    def on_screen_resume(self) -> None:
        # Another page or window may have changed the list.
        self.read()
        if not self.query_one(Input).has_focus:
            self.query_one(OptionList).focus()

    def on_input_changed(self) -> None:
        self.show()

    def on_input_submitted(self) -> None:
        self.query_one(OptionList).focus()

    def action_search(self) -> None:
        self.query_one(Input).focus()

    def action_leave(self) -> None:
        search = self.query_one(Input)
        if not search.value and not search.has_focus:
            self.dismiss()
            return
        search.value = ""
        self.query_one(OptionList).focus()


TITLE_WIDTH = 22
LOW_HEIGHT = 22


class EntriesPage(Page):
    QUESTION = ""
    KEY_NOTES: ClassVar[Notes] = (
        *Page.KEY_NOTES,
        ("1, t, …", "choose the line that starts with this key"),
    )

    def __init__(self, title: str, facts: str = "") -> None:
        super().__init__(title, facts)
        self._entries: dict[str, MenuEntry] = {}

    def content(self) -> ComposeResult:
        with Vertical(id="entries-frame"):
            yield Static(self.QUESTION, id="question")
            yield Menu("entries")
        yield Static(id="marked-note", markup=False)

    def entries(self) -> Iterable[MenuEntry]:
        raise NotImplementedError

    def perform(self, words: tuple[str, ...]) -> None:
        raise NotImplementedError

    def usual_key(self) -> str:
        return next(iter(self._entries))

    def list_entries(self) -> None:
        listed = self.query_one(OptionList)
        chosen = listed.highlighted_option.id if listed.highlighted_option else None
        self._entries = {entry.key: entry for entry in self.entries()}
        options, noted = [], [one.title for one in self._entries.values() if one.note]
        wide = max(TITLE_WIDTH, *(breadth(title) + 2 for title in noted), 0)
        for entry in self._entries.values():
            apart = entry.apart and self.app.size.height >= LOW_HEIGHT
            options += [Option("", disabled=True)] if apart else []
            line = Content.assemble(
                (f"{entry.key} ", "bold $accent"),
                (entry.title.ljust(wide), "bold"),
                (entry.note, "$secondary"),
            )
            options.append(Option(line, id=entry.key))
        listed.set_options(options)
        self.mark(chosen if chosen in self._entries else self.usual_key())
        listed.focus()

    def mark(self, key: str) -> None:
        listed = self.query_one(OptionList)
        listed.highlighted = [option.id for option in listed.options].index(key)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        # A narrow list cuts the note off.
        if event.option_id in self._entries:
            self.query_one("#marked-note", Static).update(self._entries[event.option_id].note)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if self.is_active and event.option_id in self._entries:
            self.perform(self._entries[event.option_id].words)

    def on_key(self, event: Key) -> None:
        if not self.is_active:  # meant for the page that the previous key opened
            event.stop()
            self.app.post_message(Key(event.key, event.character))
        elif event.character in self._entries:
            event.stop()
            self.perform(self._entries[event.character].words)


PATIENCE_S = 1.0
SOLVES_FIRST = (
    "First, the computer solves the game: how good is each move?"
    " Only once: some seconds, {} MB on disk."
)
SOLVING = "Solving the game, only once: {} MB on disk "


def megabytes_to_solve(game: AnyGame) -> int:
    """Return how many megabytes the solution of a game adds to the cache, or 0 if it is small."""
    from number_duels.solvers.layered import MAX_TABLE_BYTES
    from number_duels.solvers.solver import LARGE_CACHE_BYTES, bytes_to_cache

    size = 0
    with suppress(ValueError):  # solving reports an unsolvable game
        size = bytes_to_cache(game)
    # A larger game is refused and adds nothing to the cache.
    return max(1, round(size / 1e6)) if LARGE_CACHE_BYTES < size <= MAX_TABLE_BYTES else 0


class Cancelled(Exception): ...


class Preparation(Horizontal):
    """A widget that solves a game in the background, with a progress bar if that takes long."""

    def __init__(self) -> None:
        super().__init__()
        self._game: AnyGame | None = None
        self._ready, self._problem = False, ""
        self._then: Callable[[], None] | None = None
        self._worker: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        yield Label("", markup=False)
        yield ProgressBar(total=1.0, show_eta=False)

    def on_mount(self) -> None:
        self.display = False

    def prepare(self, game: AnyGame, *, is_wanted: bool = False) -> None:
        """Start solving a game, unless it is being solved. A large game needs `is_wanted`."""
        if game == self._game:
            return
        self.cancel()
        megabytes = megabytes_to_solve(game)
        said = "Getting the computer ready "
        if megabytes:
            said = (SOLVING if is_wanted else SOLVES_FIRST).format(megabytes)
        self.query_one(Label).update(said)
        self.display = bool(megabytes)
        self.query_one(ProgressBar).display = is_wanted or not megabytes
        if megabytes and not is_wanted:
            self.add_class("-announces")
            return
        self._game = game
        self._worker = self.run_worker(self.work(game), exclusive=True)
        self.set_timer(PATIENCE_S, lambda: self.show_if_waiting(game))

    def cancel(self) -> None:
        if self._worker:
            self._worker.cancel()
        self._game, self._ready, self._problem, self._then = None, False, "", None
        self.remove_class("-announces")
        self.display = False

    async def work(self, game: AnyGame) -> None:
        stopped = Event()
        try:
            problem = await in_background(lambda: self.solve(game, stopped))
        finally:
            stopped.set()
        self.call_later(self.done, game, problem)

    def solve(self, game: AnyGame, stopped: Event) -> str:
        from number_duels.solvers import Unsolvable, solve

        def report(fraction: float) -> None:
            if stopped.is_set():
                raise Cancelled
            self.call_later(self.advance, game, fraction)

        try:
            solve(game, progress=report)
        except Unsolvable as error:
            return str(error)
        except Cancelled:
            raise
        except Exception as error:  # two people can still play it
            return unforeseen(error)
        return ""

    def show_if_waiting(self, game: AnyGame) -> None:
        if self._game == game and not self._ready:
            self.display = True

    def advance(self, game: AnyGame, fraction: float) -> None:
        if game == self._game:
            self.query_one(ProgressBar).update(progress=fraction)

    def done(self, game: AnyGame, problem: str) -> None:
        if game != self._game:
            return
        self._ready, self._problem, self.display = True, problem, False
        if self._then:
            then, self._then = self._then, None
            self.finish(then)

    def when_ready(self, game: AnyGame, then: Callable[[], None]) -> None:
        self.prepare(game, is_wanted=True)
        if self._ready:
            self.finish(then)
        else:
            self._then = then

    def finish(self, then: Callable[[], None]) -> None:
        if self._problem:
            self.app.notify(self._problem, severity="error", markup=False)
        else:
            then()


PROGRESS_SECONDS = 0.2
PROGRESS_CELLS = 24


def progress_text(fraction: float) -> str:
    return filled_bar(fraction, PROGRESS_CELLS, "█", "░")


async def in_background(work: Callable[[], T]) -> T:
    """Call a function in a daemon thread and return its result.

    Unlike Textual's own threads, a daemon thread does not delay the program's exit.

    >>> asyncio.run(in_background(lambda: 6 * 7))
    42
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def finish(result: T | None, error: Exception | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]  # it is a T if there is no error

    def run() -> None:
        result, problem = None, None
        try:
            result = work()
        except Exception as error:  # raised again in the awaiting coroutine
            problem = error
        with suppress(RuntimeError):  # the program has ended
            loop.call_soon_threadsafe(finish, result, problem)

    Thread(target=run, daemon=True).start()
    return await done


def now_and_then(
    report: Callable[[float], object], clock: Clock = SYSTEM_CLOCK
) -> Callable[[float], None]:
    """Return a function that calls `report` at most once every `PROGRESS_SECONDS` seconds."""
    told = clock.monotonic()

    def tell(fraction: float) -> None:
        nonlocal told
        if clock.monotonic() - told > PROGRESS_SECONDS:
            told = clock.monotonic()
            report(fraction)

    return tell
