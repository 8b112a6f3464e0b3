"""What is to be trained: which game, which part of it, how hard, and how it is answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Button, Static

from number_duels.core.randomness import fresh_seed
from number_duels.games import find, load, names
from number_duels.terminal.app.form import FORM_NOTES, Choice, ChoiceRow, Form, Row
from number_duels.terminal.app.page import Page
from number_duels.terminal.app.preparation import Preparation
from number_duels.terminal.train.lessons import LessonTasks
from number_duels.terminal.train.puzzles import PuzzleTasks, fitting_puzzles
from number_duels.terminal.train.sitting import Tasks
from number_duels.terminal.train.tasks import USUAL_COUNT, DrillTasks
from number_duels.trainer.book_file import BookFile
from number_duels.trainer.drills import Scope
from number_duels.trainer.puzzles import GRADES, STAR

TITLES = {
    "drills": "Drills",
    "puzzles": "Puzzles",
    "lesson": "Lesson",
}
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
    Choice("hard", "hard", "What is wrong is tempting, or costs little."),
)
FORMS = (
    Choice("move", "a move", "Choose as in a game."),
    Choice("mixture", "a mixture", "Say how often you choose what; a reader must not profit."),
)

GRADE_CHOICES = (
    Choice("", "any", "From easy to hard."),
    *(Choice(str(grade), STAR * grade, "One star is easy, five are hard.") for grade in GRADES),
)


class TrainSetupScreen(Page):
    """All of it prefilled: Enter starts at once."""

    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = FORM_NOTES
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Start", priority=True),
        Binding("f1", "rules", "Rules"),
    ]

    def __init__(self, what: str) -> None:
        super().__init__("Train", TITLES[what])
        self._what = what

    def content(self) -> ComposeResult:
        with Form():
            yield from self.rows()
        yield Static("", id="help", markup=False)
        with Horizontal(id="bottom"):
            yield Button("Start", id="start", compact=True, variant="primary")
            yield Preparation()

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

    def chosen(self, name: str) -> str:
        return self.query_one(f"#row-{name}", ChoiceRow).value

    # ---- while it is chosen ----------------------------------------------------

    def on_mount(self) -> None:
        self.query_one("#row-game").focus()
        self.prepare()

    def on_row_changed(self) -> None:
        self.show_help()
        self.prepare()

    def on_descendant_focus(self) -> None:
        self.show_help()

    def show_help(self) -> None:
        note = self.focused.note if isinstance(self.focused, Row) else ""
        self.query_one("#help", Static).update(note[:1].upper() + note[1:], layout=False)

    def prepare(self) -> None:
        """The game is solved while somebody still chooses."""
        self.query_one(Preparation).prepare(load(self.chosen("game")))

    # ---- and then --------------------------------------------------------------

    def on_button_pressed(self) -> None:
        self.action_start()

    def action_start(self) -> None:
        try:
            tasks = self.tasks()
        except ValueError as error:
            self.notify(str(error), severity="warning", markup=False)
            return
        from number_duels.terminal.app.train.drill import sit_down

        self.duels.remember(game=self.chosen("game"))
        sit_down(self, tasks, instead=True)

    def tasks(self) -> Tasks:
        """What was chosen; a ValueError says why there is nothing."""
        game, book, seed = load(self.chosen("game")), BookFile().read(), fresh_seed()
        if self._what == "lesson":
            return LessonTasks(game, book.lesson_place(game.name))
        if self._what == "puzzles":
            grade = self.chosen("grade")
            found = fitting_puzzles(game.name, int(grade) if grade else None)
            return PuzzleTasks(found, book, seed, USUAL_COUNT)
        scope = Scope(self.chosen("phase"), self.chosen("level"), self.chosen("form"))
        return DrillTasks(game, scope, book.learner(game.name), seed)

    def action_rules(self) -> None:
        from number_duels.terminal.app.rules_page import RulesScreen

        self.app.push_screen(RulesScreen(load(self.chosen("game"))))
