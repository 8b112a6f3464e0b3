"""The trainer's table: a position, an answer, what it was worth, and the next one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame
from number_duels.solvers import solve
from number_duels.terminal.app.background import now_and_then
from number_duels.terminal.app.choice_lines import Offer, example_of
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.notice import Notice
from number_duels.terminal.app.page import Page
from number_duels.terminal.app.preparation import Preparation
from number_duels.terminal.app.train.feedback import asked_content, verdict_content
from number_duels.terminal.app.train.layout import NAMES, DrillLayout
from number_duels.terminal.app.train.line import PunishingLine
from number_duels.terminal.app.train.sliders import Sliders
from number_duels.terminal.app.train.stage import Stage
from number_duels.terminal.train.sitting import Remark, Sitting, Task, Tasks, Verdict
from number_duels.trainer.answers import MIXTURE, Answer
from number_duels.trainer.book_file import BookFile


class DrillScreen(DrillLayout):
    """One task after the other, answered as at the table."""

    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = (
        ("← → ↑ ↓", "mark an answer; in a mixture: how often, and which choice"),
        ("Enter", "take the marked answer, or what is typed; then the next position"),
        ("a whole move", "as the rules write it; a mixture as 6:30 8:25"),
        ("a click", "take an answer, or move a slider"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "next", "Go on"),
        Binding("a", "again", "Again"),
        Binding("w", "line", "Why"),
        Binding("right", "line", "Step", show=False),
        Binding("left", "line(-1)", "Step back", show=False),
        Binding("x", "skip", "Skip"),
        Binding("f3", "add", "To my book"),
        Binding("r", "rules", "Rules"),
        Binding("escape", "step_back", "One step back", show=False),
    ]

    def __init__(self, tasks: Tasks, clock: Clock = SYSTEM_CLOCK) -> None:
        super().__init__("Train")
        self.sitting = Sitting(tasks, BookFile(), clock)
        self.stage = Stage.WAITING
        self.current: Task | None = None
        self.verdict: Verdict | None = None
        self.line: PunishingLine | None = None

    def on_mount(self) -> None:
        self.set_focus(None)
        self.show_board(())
        if self.sitting.book.notice:
            self.notify(self.sitting.book.notice, severity="warning", markup=False)
        self.next_task()

    def begin(self, stage: Stage, *said: str) -> None:
        """Another stage, with something said where the choices were."""
        self.stage = stage
        self.query_one(Notice).display = bool(said)
        if said:
            self.query_one(Notice).say(*said)
        self.refresh_bindings()

    # ---- the flow --------------------------------------------------------------

    def next_task(self) -> None:
        game = self.sitting.tasks.game
        if game is None:
            self.finish()
            return
        self.begin(Stage.WAITING, "Looking for a position…")
        self.query_one(Preparation).when_ready(game, partial(self.draw, game))

    def draw(self, game: AnyGame) -> None:
        def drawn() -> Task | Remark | str:
            solution = solve(game)
            solution.open_arrays(now_and_then(self.report, self.duels.clock))
            try:
                return self.sitting.draw(solution)
            except ValueError as error:
                return str(error)

        self.work(drawn, self.put)

    def put(self, found: Task | Remark | str) -> None:
        """Put a task, or say something; a bare sentence says why there is nothing."""
        self.current = self.verdict = self.line = None
        if isinstance(found, str):
            self.finish(found)
        elif isinstance(found, Remark):
            self.show_heading(found.game, found.facts)
            self.show_board(found.board)
            self.show_words_from_top(found.text)
            self.begin(Stage.SAID, "Enter goes on.")
        else:
            self.ask(found)

    def ask(self, task: Task) -> None:
        self.current, spot = task, task.spot
        self.show_heading(spot.game, task.facts)
        self.show_board(spot.board, acting=spot.seat)
        self.show_words()
        self.begin(Stage.ASKED)
        if task.exercise.form == MIXTURE:
            self.query_one(Sliders).ask(spot, self.answered)
        else:
            question = spot.question
            does = partial(spot.game.consequence, spot.view, spot.seat)
            offer = Offer(question, spot.game.parse, does, NAMES, example_of(question))
            self.query_one(Choices).ask(offer, self.chosen)

    def show_heading(self, game: AnyGame, facts: Sequence[str]) -> None:
        sitting = self.sitting
        said = [sitting.place, *facts, sitting.standing]
        self.say(game.title, "  ·  ".join(filter(None, said)))

    def chosen(self, move: Hashable) -> None:
        self.answered(Answer({str(move): 1.0}))

    def answered(self, answer: Answer) -> None:
        """Judge an answer beside the screen; it is on disk before its worth is shown."""
        task = self.current
        assert task
        self.begin(Stage.WAITING, "…")

        def judged() -> Verdict | str:
            try:
                return self.sitting.answer(task, answer)
            except ValueError as error:
                return str(error)

        self.work(judged, self.tell)

    def tell(self, verdict: Verdict | str) -> None:
        """What an answer was worth; a sentence says why it could not be kept, and is no verdict."""
        if isinstance(verdict, str):
            self.notify(verdict, severity="error", markup=False)
            assert self.current
            self.ask(self.current)
            return
        self.verdict = verdict
        why = "  w shows how it is punished." if verdict.feedback.line else ""
        said = filter(None, (verdict.comes_back, f"Enter goes on.{why}"))
        self.begin(Stage.TOLD, verdict.feedback.headline, *said)
        self.show_words()

    def finish(self, reason: str = "") -> None:
        """How it went."""
        self.query_one(Preparation).cancel()
        self.stop_asking()
        said = [reason, *self.sitting.summary(), "", "Enter goes back."]
        self.show_words_from_top("\n".join(filter(None, said[:-2])))
        self.begin(Stage.OVER, *filter(None, said))

    def stop_asking(self) -> None:
        self.query_one(Choices).stop()
        self.query_one(Sliders).stop()

    # ---- what is shown ---------------------------------------------------------

    def show_words(self) -> None:
        """What is asked, or what the answer was worth."""
        if self.current is None:
            return
        width = self.words_width()
        if self.verdict:
            self.show_words_from_top(verdict_content(self.verdict, width))
        else:
            self.show_words_from_top(asked_content(self.current, width))

    def on_resize(self) -> None:
        super().on_resize()
        if self.stage in (Stage.ASKED, Stage.TOLD):
            self.call_after_refresh(self.show_words)

    # ---- the punishing line ----------------------------------------------------

    def action_line(self, by: int = 1) -> None:
        """A step further, or back, in the line that punishes the mistake."""
        moves = self.verdict.feedback.line if self.verdict else ""
        if not self.verdict or not moves:
            return
        self.line = self.line or PunishingLine(self.verdict, moves)
        self.line.step(by)
        self.show_board(*self.line.board)
        keys = "← → go through it, Enter goes on."
        self.begin(Stage.LINE, self.line.said, f"Step {self.line.at} of {self.line.count}: {keys}")

    # ---- keys ------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Keys for an answer go there first."""
        if self.stage is Stage.ASKED:
            taken = self.query_one(Choices).key(event) or self.query_one(Sliders).key(event)
            if taken:
                event.stop()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that do nothing now are not shown."""
        told = self.stage in (Stage.TOLD, Stage.LINE)
        if action == "next":
            return told or self.stage in (Stage.SAID, Stage.OVER)
        if action == "again":
            missed = self.verdict and not self.verdict.right
            return told and bool(missed and self.sitting.tasks.can_repeat)
        if action == "line":
            return told and bool(self.verdict and self.verdict.feedback.line)
        if action == "skip":
            return self.stage is Stage.ASKED and self.sitting.tasks.can_skip
        if action == "add":
            in_book = self.verdict and self.verdict.comes_back
            return self.stage is Stage.ASKED or (told and not in_book)
        return True

    def action_next(self) -> None:
        if self.stage is Stage.OVER:
            self.dismiss()
        elif self.stage in (Stage.SAID, Stage.TOLD, Stage.LINE):
            self.next_task()

    def action_again(self) -> None:
        """The position that was missed, at once; the book has both answers."""
        if self.current:
            self.put(self.current)

    def action_skip(self) -> None:
        self.stop_asking()
        self.next_task()

    def action_add(self) -> None:
        if not self.current:
            return
        try:
            self.notify(self.sitting.add(self.current), markup=False)
        except ValueError as error:
            self.notify(str(error), severity="error", markup=False)

    def action_rules(self) -> None:
        from number_duels.terminal.app.rules_page import RulesScreen

        if self.current:
            self.app.push_screen(RulesScreen(self.current.spot.game))

    def action_step_back(self) -> None:
        """Escape takes back what was typed, or a step of an answer, or leaves."""
        if not self.query_one(Choices).step_back() and not self.query_one(Sliders).clear():
            self.action_leave()

    def action_leave(self) -> None:
        self.dismiss()


def sit_down(page: Page, tasks: Tasks, *, instead: bool = False) -> None:
    """Open the trainer's table, over a page or instead of it; a sentence where that cannot be."""
    try:
        screen = DrillScreen(tasks, page.duels.clock)
    except ValueError as error:
        page.notify(str(error), severity="error", markup=False)
        return
    if instead:
        page.app.switch_screen(screen)
    else:
        page.app.push_screen(screen)
