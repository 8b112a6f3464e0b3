"""The trainer's table: shows the scenes of a session, and sends it what is pressed."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from number_duels.core.names import SEAT_NAMES
from number_duels.core.scene import ASKED, OVER, SAID, TOLD, WORKING, Scene
from number_duels.sessions import Work
from number_duels.sessions.train import Plan, Task, TrainSession
from number_duels.solvers import solve
from number_duels.terminal.app.background import now_and_then
from number_duels.terminal.app.choice_lines import Offer, example_of
from number_duels.terminal.app.choices import Choices
from number_duels.terminal.app.notice import Notice
from number_duels.terminal.app.page import Page
from number_duels.terminal.app.preparation import Preparation
from number_duels.terminal.app.train.feedback import scene_content
from number_duels.terminal.app.train.layout import DrillLayout
from number_duels.terminal.app.train.sliders import Sliders
from number_duels.trainer.book import BookFile


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
        Binding("a", "act('again')", "Again"),
        Binding("w", "line", "Why"),
        Binding("right", "line", "Step", show=False),
        Binding("left", "line(-1)", "Step back", show=False),
        Binding("x", "act('skip')", "Skip"),
        Binding("f3", "add", "To my book"),
        Binding("r", "rules", "Rules"),
        Binding("escape", "step_back", "One step back", show=False),
    ]

    def __init__(self, session: TrainSession) -> None:
        super().__init__("Train")
        self.session = session
        #: What is on the screen: nothing new while something is worked out.
        self.scene = Scene(WORKING, "")
        #: Which frame of the punishing line is shown; 0: none.
        self.frame = 0

    def on_mount(self) -> None:
        self.set_focus(None)
        self.show_board(())
        if self.session.book.notice:
            self.notify(self.session.book.notice, severity="warning", markup=False)
        self.go_on()

    # ---- the flow --------------------------------------------------------------

    def go_on(self) -> None:
        """Do what takes time, then show what there is to see."""
        work = self.session.work()
        if work is None:
            self.show_scene()
            return
        self.wait(f"{work.label}…")
        self.query_one(Preparation).when_ready(work.game, partial(self.start, work))

    def start(self, work: Work) -> None:
        def done() -> str:
            solution = solve(work.game)
            solution.open_arrays(now_and_then(self.report, self.duels.clock))
            work.run(solution)
            return ""

        self.work(done, lambda _: self.go_on())

    def act(self, key: str, text: str = "") -> None:
        """Send an action; where it takes a moment, beside the screen."""

        def acted() -> str:
            try:
                self.session.act(key, text)
            except ValueError as error:
                return str(error)
            return ""

        self.wait("…")
        self.work(acted, self.acted)

    def acted(self, problem: str) -> None:
        """A sentence says why something could not be kept; the question stands."""
        if problem:
            self.notify(problem, severity="error", markup=False)
        self.go_on()

    def wait(self, said: str) -> None:
        self.scene = Scene(WORKING, self.scene.title)
        self.say_below(said)

    def say_below(self, *said: str) -> None:
        """Something where the choices are."""
        self.query_one(Notice).display = bool(said)
        if said:
            self.query_one(Notice).say(*said)
        self.refresh_bindings()

    # ---- what is shown ---------------------------------------------------------

    def show_scene(self) -> None:
        scene = self.scene = self.session.scene()
        self.frame = 0
        if scene.stage == OVER:
            self.show_end(scene)
            return
        self.say(scene.title, "  ·  ".join(scene.status))
        self.show_board(scene.board, acting=scene.you)
        self.show_words()
        if scene.stage == SAID:
            self.say_below("Enter goes on.")
        elif scene.verdict:
            why = "  w shows how it is punished." if scene.frames else ""
            self.say_below(scene.verdict.headline, *scene.notes, f"Enter goes on.{why}")
        else:
            self.say_below()
            self.ask(scene)

    def ask(self, scene: Scene) -> None:
        task = self.session.task
        assert isinstance(task, Task)
        assert scene.question
        spot = task.spot
        if scene.mixture:
            self.query_one(Sliders).ask(spot, partial(self.act, "answer"))
        else:
            does = partial(spot.game.consequence, spot.view, spot.seat)
            example = example_of(scene.question)
            offer = Offer(scene.question, spot.game.parse, does, SEAT_NAMES, example)
            self.query_one(Choices).ask(offer, self.chosen)

    def chosen(self, move: Hashable) -> None:
        self.act("answer", str(move))

    def show_end(self, scene: Scene) -> None:
        """How it went."""
        self.query_one(Preparation).cancel()
        self.stop_asking()
        self.show_words_from_top("\n".join(scene.lines))
        self.say_below(*scene.lines, "Enter goes back.")

    def stop_asking(self) -> None:
        self.query_one(Choices).stop()
        self.query_one(Sliders).stop()

    def show_words(self) -> None:
        """What is said, what is asked, or what the answer was worth."""
        if self.scene.stage == SAID:
            self.show_words_from_top("\n".join(self.scene.lines))
        elif self.scene.stage in (ASKED, TOLD):
            self.show_words_from_top(scene_content(self.scene, self.words_width()))

    def on_resize(self) -> None:
        super().on_resize()
        self.call_after_refresh(self.show_words)

    # ---- keys ------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        """Keys for an answer go there first."""
        if self.scene.stage == ASKED:
            taken = self.query_one(Choices).key(event) or self.query_one(Sliders).key(event)
            if taken:
                event.stop()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that do nothing now are not shown."""
        possible: dict[str, Callable[[], bool]] = {
            "next": lambda: self.scene.stage == OVER or self.scene.offers("next"),
            "act": lambda: self.scene.offers(str(parameters[0])),
            "line": lambda: bool(self.scene.frames),
            "add": lambda: self.scene.offers("add"),
        }
        return possible[action]() if action in possible else True

    def action_next(self) -> None:
        if self.scene.stage == OVER:
            self.dismiss()
        else:
            self.action_act("next")

    def action_act(self, key: str) -> None:
        self.stop_asking()
        self.session.act(key)
        self.go_on()

    def action_line(self, by: int = 1) -> None:
        """A step further, or back, in the line that punishes the mistake."""
        frames = self.scene.frames
        self.frame = max(0, min(len(frames) - 1, self.frame + by))
        shown = frames[self.frame]
        self.show_board(shown.board, shown.changed)
        keys = "← → go through it, Enter goes on."
        self.say_below(shown.said, f"Step {self.frame} of {len(frames) - 1}: {keys}")

    def action_add(self) -> None:
        try:
            self.notify(self.session.act("add"), markup=False)
        except ValueError as error:
            self.notify(str(error), severity="error", markup=False)

    def action_rules(self) -> None:
        from number_duels.terminal.app.rules_page import RulesScreen

        if self.session.game:
            self.app.push_screen(RulesScreen(self.session.game))

    def action_step_back(self) -> None:
        """Escape takes back what was typed, or a step of an answer, or leaves."""
        if not self.query_one(Choices).step_back() and not self.query_one(Sliders).clear():
            self.action_leave()

    def action_leave(self) -> None:
        self.dismiss()


def sit_down(page: Page, plan: Plan, *, instead: bool = False) -> None:
    """Open the trainer's table, over a page or instead of it; a sentence where that cannot be."""
    try:
        session = TrainSession(plan, BookFile(), page.duels.clock)
    except ValueError as error:
        page.notify(str(error), severity="error", markup=False)
        return
    if session.state.stage == OVER:
        page.notify("\n".join(session.summary()), markup=False)
    elif instead:
        page.app.switch_screen(DrillScreen(session))
    else:
        page.app.push_screen(DrillScreen(session))
