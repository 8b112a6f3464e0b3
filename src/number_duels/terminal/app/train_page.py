"""The trainer's pages: the menu of training, and the form that sets it up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import ClassVar

from number_duels.core.clock import Clock
from number_duels.core.game import AnyGame
from number_duels.core.randomness import fresh_seed
from number_duels.core.text import counted
from number_duels.games import find, load, names
from number_duels.sessions.train import DAILY_TRIES, Plan, daily_tries, so_far, today
from number_duels.terminal.app.form import Choice, ChoiceRow, Row, StartPage
from number_duels.terminal.app.page import EntriesPage, Entry, Preparation, now_and_then
from number_duels.terminal.commands.book import Collected, collect_mistakes, local_day
from number_duels.terminal.line.progress import filled_bar
from number_duels.trainer.book import Book, BookFile
from number_duels.trainer.drills import Scope, may_mix
from number_duels.trainer.exercise import MOVE
from number_duels.trainer.puzzles import GRADES, STAR, daily

PROGRESS_CELLS = 20


class TrainScreen(EntriesPage):
    """The menu: today's cards, drills, puzzles, a lesson and the mistake book."""

    QUESTION = "What would you like to practise?"
    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = (
        *EntriesPage.KEY_NOTES,
        ("t, d, …", "choose the line that begins with it"),
    )

    def __init__(self) -> None:
        super().__init__("Train")
        self._file = BookFile()
        self._book = Book()
        self._looked = False

    def on_mount(self) -> None:
        self.list_entries()
        self.work(lambda: self.read_book(look=True), self.show)

    def on_screen_resume(self) -> None:
        """Read the book again, because tasks may have been answered."""
        if self._looked:
            self.work(lambda: self.read_book(look=False), self.show)

    # ---- the book --------------------------------------------------------------

    def read_book(self, *, look: bool) -> tuple[Book, int]:
        """Read the book in a thread. With `look`, first add the mistakes of new games.

        Return the book and the number of new cards.
        """
        found = Collected(0)
        try:
            if look:
                report = partial(self.call_later, self.show_progress)
                found = collect_mistakes(self._file, now_and_then(report, self.duels.clock))
                self._looked = True
            book = self._file.read()
            book.due(self.duels.clock.now())  # computed and cached in this thread
        except ValueError as error:
            return Book(notice=str(error)), 0
        return replace(book, notice=found.problem or book.notice), found.new

    def show_progress(self, fraction: float) -> None:
        bar = filled_bar(fraction, PROGRESS_CELLS, "█", "░")
        self.say("Train", f"Looking through your games {bar}")

    def show(self, found: tuple[Book, int]) -> None:
        self._book, new = found
        if new:
            self.notify(f"{counted(new, 'new card')} in your book, from your own games.")
        if self._book.notice:
            self.notify(self._book.notice, severity="warning", markup=False)
        self.say("Train", so_far(self._book, local_day(self.duels.clock)))
        self.list_entries()

    # ---- entries ---------------------------------------------------------------

    def usual_key(self) -> str:
        return "t"

    def entries(self) -> Iterator[Entry]:
        clock, set_up = self.duels.clock, self.set_up
        about = today(self._book, clock.now())
        yield Entry("t", "Today", about, lambda: self.train(Plan("book")))
        about = "positions that come up, that matter, that you get wrong"
        yield Entry("d", "Drills", about, partial(set_up, "drills"))
        about = daily_note(self._book, clock)
        yield Entry("y", "Puzzle of the day", about, self.solve_daily)
        about = "only one move is right, or what looks best is wrong"
        yield Entry("p", "Puzzles", about, partial(set_up, "puzzles"))
        about = "a game in a few minutes, instead of its rules"
        yield Entry("n", "Lesson", about, partial(set_up, "lesson"))
        about = f"{counted(len(self._book.cards), 'card')}; find, practise or remove them"
        yield Entry("b", "My book", about, self.show_book)

    def show_book(self) -> None:
        from number_duels.terminal.app.book_page import BookScreen

        self.app.push_screen(BookScreen())

    def solve_daily(self) -> None:
        self.train(Plan("daily", day=local_day(self.duels.clock)))

    def set_up(self, what: str) -> None:
        self.app.push_screen(TrainSetupScreen(what))

    def train(self, plan: Plan) -> None:
        from number_duels.terminal.app.drill import sit_down

        sit_down(self, plan)


def daily_note(book: Book, clock: Clock) -> str:
    """Describe the puzzle of the day, or its result, in a few words."""
    day = local_day(clock)
    puzzle, tries = daily(day), daily_tries(book, day)
    about = f"{puzzle.spot.open().game.title} {puzzle.stars}"
    if any(tries):
        return f"{about}, solved; another one tomorrow"
    return f"{about}, explained; another one tomorrow" if len(tries) >= DAILY_TRIES else about


# ---- training setup -----------------------------------------------------------


PHASES = (
    Choice("", "all of it", "Positions from the first turn to the last."),
    Choice("opening", "opening", "The first third of a player's turns."),
    Choice("middle", "middle", "The second third of a player's turns."),
    Choice("end", "end", "The last third of a player's turns."),
)
LEVELS = (
    Choice("", "any", "Whatever comes up."),
    Choice("easy", "easy", "A mistake costs much, and looks like one."),
    Choice("medium", "medium", "Between the two."),
    Choice("hard", "hard", "Mistakes are tempting, or cost little."),
)
FORMS = (
    Choice("move", "a move", "Choose as in a game."),
    Choice("mixture", "a mixed strategy", "Say how often you choose what, where that matters."),
)

GRADE_CHOICES = (
    Choice("", "any", "From easy to hard."),
    *(Choice(str(grade), STAR * grade, "One star is easy, five are hard.") for grade in GRADES),
)


class TrainSetupScreen(StartPage):
    """The form that chooses a game, and the part of it to train."""

    def __init__(self, what: str) -> None:
        super().__init__("Train", what.capitalize())
        self._what = what

    def rows(self) -> Iterator[Row]:
        known = self.duels.config.game
        games = [Choice(name, find(name).title, find(name).summary) for name in names()]
        yield ChoiceRow("game", "Game", games, known)
        if self._what == "drills":
            yield ChoiceRow("phase", "Part", PHASES, "")
            yield ChoiceRow("level", "Level", LEVELS, "")
            yield ChoiceRow("form", "Your answer", FORMS, "move")
        if self._what == "puzzles":
            yield ChoiceRow("grade", "Grade", GRADE_CHOICES, "")

    # ---- changes in the form ---------------------------------------------------

    def on_mount(self) -> None:
        self.query_one("#row-game").focus()
        self.on_row_changed()

    def on_row_changed(self) -> None:
        self.show_help()
        self.prepare()
        for row in self.query("#row-form"):  # a mixed strategy is asked for only where one mixes
            row.display = may_mix(self.game_here())

    def game_here(self) -> AnyGame:
        return load(self.chosen("game"))

    def prepare(self) -> None:
        self.query_one(Preparation).prepare(self.game_here())

    # ---- starting --------------------------------------------------------------

    def action_start(self) -> None:
        from number_duels.terminal.app.drill import sit_down

        self.duels.remember(game=self.chosen("game"))
        sit_down(self, self.plan(), instead=True)

    def plan(self) -> Plan:
        game, seed = self.chosen("game"), fresh_seed()
        if self._what == "lesson":
            return Plan("lesson", game)
        if self._what == "puzzles":
            grade = self.chosen("grade")
            return Plan("puzzle", game, grade=int(grade) if grade else None, seed=seed)
        form = self.chosen("form") if may_mix(self.game_here()) else MOVE
        scope = Scope(self.chosen("phase"), self.chosen("level"), form)
        return Plan("drill", game, scope=scope, seed=seed)
