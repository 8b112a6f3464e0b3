"""The training menu, and the form for a training session."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from number_duels.core.clock import Clock
from number_duels.core.game import AnyGame
from number_duels.core.randomness import fresh_seed
from number_duels.core.text import counted
from number_duels.games import find, load, names
from number_duels.sessions.progress import next_lesson, next_training, so_far
from number_duels.sessions.train import Plan
from number_duels.terminal.app.form import Choice, ChoiceRow, Row, StartPage
from number_duels.terminal.app.page import (
    EntriesPage,
    Preparation,
    now_and_then,
    progress_text,
)
from number_duels.terminal.commands.book import Collected, collect_mistakes
from number_duels.terminal.menu_entries import MenuEntry, training_entries
from number_duels.trainer.book import Book, BookFile
from number_duels.trainer.drills import Scope, may_mix
from number_duels.trainer.exercise import MIXED, MOVE
from number_duels.trainer.puzzles import GRADES, STAR

#: Descriptions without the counts, until the book is read.
UNREAD = {
    "n": "learn a game in a few minutes, by playing it",
    "o": "your mistakes, asked again",
    "y": "a new one every day",
    "b": "your mistakes: find, practice or remove them",
}


class TrainScreen(EntriesPage):
    QUESTION = "What would you like to practice?"

    def __init__(self) -> None:
        super().__init__("Train")
        self._file = BookFile()
        self._book = Book()
        #: Whether the book was read, and whether new games were searched for mistakes.
        self._read = self._looked = False
        self._wants_mistakes = False

    def on_mount(self) -> None:
        self.list_entries()
        self.work(lambda: self.read_book(look=True), self.show)

    def on_screen_resume(self) -> None:
        # The user may have answered tasks since.
        if self._looked:
            self.work(lambda: self.read_book(look=False), self.show)

    def read_book(self, *, look: bool) -> tuple[Book, int]:
        """Return the mistake book, and how many new mistakes were added to it."""
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
        self.say("Train", f"Reading your games {progress_text(fraction)}")

    def show(self, found: tuple[Book, int]) -> None:
        self._book, new = found
        self._read = True
        if self._book.notice:
            self.notify(self._book.notice, severity="warning", markup=False)
        found_new = f"{counted(new, 'new mistake')} in your mistake book, from your own games"
        self.say("Train", found_new if new else so_far(self._book, self.duels.today))
        self.list_entries()
        if self._wants_mistakes:
            self._wants_mistakes = False
            self.perform(("today",))

    def usual_key(self) -> str:
        found = next_training(self._book, self.duels.clock.now(), self.duels.usual_game)
        return {"book": "o", "lesson": "n", "drill": "d"}[found.kind]

    def entries(self) -> Iterator[MenuEntry]:
        clock = self.duels.clock
        yield from training_entries(self._book, clock) if self._read else unread_entries(clock)

    def perform(self, words: tuple[str, ...]) -> None:
        from number_duels.terminal.app.book_page import BookScreen
        from number_duels.terminal.app.drill import sit_down

        (topic,) = words
        if topic == "today" and not self._read:  # new games may add mistakes
            self._wants_mistakes = True
        elif topic == "today":
            sit_down(self, Plan("book"))
        elif topic == "daily":
            sit_down(self, Plan("daily", day=self.duels.today))
        elif topic == "book":
            self.app.push_screen(BookScreen())
        else:
            self.app.push_screen(TrainSetupScreen(topic))


def unread_entries(clock: Clock) -> Iterator[MenuEntry]:
    for entry in training_entries(Book(), clock):
        yield entry._replace(note=UNREAD.get(entry.key, entry.note))


PHASES = (
    Choice("", "whole game", "Positions from the first turn to the last."),
    Choice("opening", "opening", "The first third of a player's turns."),
    Choice("middle", "middle", "The second third of a player's turns."),
    Choice("end", "end", "The last third of a player's turns."),
)
DIFFICULTIES = (
    Choice("", "any", "Easy, medium and hard positions."),
    Choice("easy", "easy", "Mistakes cost a lot and are easy to see."),
    Choice("medium", "medium", "Neither easy nor hard."),
    Choice("hard", "hard", "Mistakes cost little, or look like good moves."),
)
FORMS = (
    Choice(MOVE, "a move", "Choose as in a game."),
    Choice(MIXED, "a mixed strategy", "Say how often you would make each choice."),
)

GRADE_CHOICES = (
    Choice("", "any", "Two puzzles of each difficulty, easy ones first."),
    *(Choice(str(grade), STAR * grade, "One star is easy, five are hard.") for grade in GRADES),
)


TITLES = {"lesson": "Lesson", "drill": "Drills", "puzzles": "Puzzles"}


class TrainSetupScreen(StartPage):
    def __init__(self, topic: str) -> None:
        super().__init__("Train", TITLES[topic])
        self._topic = topic

    def rows(self) -> Iterator[Row]:
        known = self.duels.config.game
        # The training menu may still be reading the book, if a lesson has just been left.
        with suppress(ValueError):
            if self._topic == "lesson" and (following := next_lesson(BookFile().read())):
                known = following.game
        games = [Choice(name, find(name).title, find(name).summary) for name in names()]
        yield ChoiceRow("game", "Game", games, known)
        if self._topic == "drill":
            yield ChoiceRow("phase", "Part", PHASES, "")
            yield ChoiceRow("level", "Difficulty", DIFFICULTIES, "")
            yield ChoiceRow("form", "Your answer", FORMS, "move")
        if self._topic == "puzzles":
            yield ChoiceRow("grade", "Difficulty", GRADE_CHOICES, "")

    def on_mount(self) -> None:
        self.query_one("#row-game").focus()
        self.on_row_changed()

    def on_row_changed(self) -> None:
        self.show_help()
        self.prepare()
        for row in self.query("#row-form"):  # some games never need a mixed strategy
            row.display = may_mix(self.game_here())

    def game_here(self) -> AnyGame:
        return load(self.chosen("game"))

    def prepare(self) -> None:
        self.query_one(Preparation).prepare(self.game_here())

    def action_start(self) -> None:
        from number_duels.terminal.app.drill import sit_down

        self.duels.remember(game=self.chosen("game"))
        sit_down(self, self.plan(), instead=True)

    def plan(self) -> Plan:
        game, seed = self.chosen("game"), fresh_seed()
        if self._topic == "lesson":
            return Plan("lesson", game)
        if self._topic == "puzzles":
            grade = self.chosen("grade")
            return Plan("puzzle", game, grade=int(grade) if grade else None, seed=seed)
        form = self.chosen("form") if may_mix(self.game_here()) else MOVE
        scope = Scope(self.chosen("phase"), self.chosen("level"), form)
        return Plan("drill", game, scope=scope, seed=seed)
