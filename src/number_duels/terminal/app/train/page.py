"""The trainer's own page: what is due today, and everything that can be trained."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from number_duels.core.clock import Clock
from number_duels.core.text import counted
from number_duels.sessions.train import DAILY_TRIES, Plan, daily_tries, so_far, today
from number_duels.terminal.app.background import now_and_then
from number_duels.terminal.app.entries import EntriesPage, Entry, entry_line
from number_duels.terminal.train.records import collect_mistakes
from number_duels.terminal.train.status import local_day
from number_duels.terminal.ui.progress import filled_bar
from number_duels.trainer.book import Book, BookFile
from number_duels.trainer.puzzles import daily

PROGRESS_CELLS = 20


class Found(NamedTuple):
    """The book, and how many of its cards were found just now."""

    book: Book
    new: int


class TrainScreen(EntriesPage):
    """Today's positions, drills, puzzles, a lesson."""

    QUESTION = "What would you like to practise?"
    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = (
        *EntriesPage.KEY_NOTES,
        ("t, d, …", "choose the line that begins with it"),
    )

    class Progress(Message):
        """How much of one's games has been looked through."""

        def __init__(self, fraction: float) -> None:
            super().__init__()
            self.fraction = fraction

    def __init__(self) -> None:
        super().__init__("Train")
        self._file = BookFile()
        self._book = Book()
        self._looked = False

    def on_mount(self) -> None:
        self.list_entries()
        self.work(self.looked_through, self.show)

    def on_screen_resume(self) -> None:
        """Something may have been answered since."""
        if self._looked:
            self.work(lambda: self.read_book(0), self.show)

    # ---- the book --------------------------------------------------------------

    def looked_through(self) -> Found:
        """The book, with the mistakes of games that were played since; in a thread."""
        try:
            report = now_and_then(self.report, self.duels.clock)
            new = len(collect_mistakes(self._file, report).cards)
        except ValueError as error:
            return Found(Book(notice=str(error)), 0)
        self._looked = True
        return self.read_book(new)

    def read_book(self, new: int) -> Found:
        try:
            book = self._file.read()
            book.due(self.duels.clock.now())  # worked out here, where nobody waits
        except ValueError as error:
            return Found(Book(notice=str(error)), 0)
        return Found(book, new)

    def report(self, fraction: float) -> None:
        self.post_message(self.Progress(fraction))

    def on_train_screen_progress(self, event: Progress) -> None:
        bar = filled_bar(event.fraction, PROGRESS_CELLS, "█", "░")
        self.say("Train", f"Looking through your games {bar}")

    def show(self, found: Found) -> None:
        self._book = found.book
        if found.new:
            self.notify(f"{counted(found.new, 'new position')} in your book, from your own games.")
        if found.book.notice:
            self.notify(found.book.notice, severity="warning", markup=False)
        self.say("Train", so_far(found.book, local_day(self.duels.clock)))
        self.list_entries()

    # ---- what can be done ------------------------------------------------------

    def list_entries(self) -> None:
        listed = self.query_one(OptionList)
        chosen = listed.highlighted_option.id if listed.highlighted_option else None
        self._entries = {entry.key: entry for entry in self.entries()}
        listed.set_options(Option(entry_line(one), id=one.key) for one in self._entries.values())
        listed.highlighted = list(self._entries).index(chosen if chosen in self._entries else "t")
        listed.focus()

    def entries(self) -> Iterator[Entry]:
        yield Entry("t", "Today", today(self._book, self.duels.clock.now()), self.repeat)
        about = "positions that come up, that matter, that you miss"
        yield Entry("d", "Drills", about, lambda: self.set_up("drills"))
        yield Entry(
            "y", "Puzzle of the day", daily_note(self._book, self.duels.clock), self.solve_daily
        )
        about = "only one move is right, or what looks best is wrong"
        yield Entry("p", "Puzzles", about, lambda: self.set_up("puzzles"))
        about = "a game in a few minutes, instead of its rules"
        yield Entry("n", "Lesson", about, lambda: self.set_up("lesson"))

    def set_up(self, what: str) -> None:
        from number_duels.terminal.app.train.setup import TrainSetupScreen

        self.app.push_screen(TrainSetupScreen(what))

    def repeat(self) -> None:
        self.train(Plan("book"))

    def solve_daily(self) -> None:
        self.train(Plan("daily", day=local_day(self.duels.clock)))

    def train(self, plan: Plan) -> None:
        from number_duels.terminal.app.train.drill import sit_down

        sit_down(self, plan)


def daily_note(book: Book, clock: Clock) -> str:
    """The puzzle of the day, or how it went, in a few words."""
    day = local_day(clock)
    puzzle, tries = daily(day), daily_tries(book, day)
    about = f"{puzzle.spot.open().game.title} {puzzle.stars}"
    if any(tries):
        return f"{about}, solved; another one tomorrow"
    return f"{about}, explained; another one tomorrow" if len(tries) >= DAILY_TRIES else about
