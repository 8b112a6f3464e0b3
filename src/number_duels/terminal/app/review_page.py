"""The review page: the verdict, then every move with its cost and the board before it."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from number_duels.core.record import Record, shown_names
from number_duels.core.scene import Finding, Scene
from number_duels.review.mistakes import RARE_CHOICE
from number_duels.review.words import PERFECT
from number_duels.sessions import Work
from number_duels.sessions.review import ReviewSession
from number_duels.sessions.train import TrainSession
from number_duels.solvers import solve
from number_duels.terminal.app.analysis_page import AnalysisScreen, CardPage
from number_duels.terminal.app.board_view import SEAT_STYLES, BoardView
from number_duels.terminal.app.charts import line_chart
from number_duels.terminal.app.drill import DrillScreen
from number_duels.terminal.app.page import Menu, Preparation
from number_duels.terminal.app.table import ReplayScreen
from number_duels.terminal.saves import saved_games
from number_duels.trainer.book import AddCard, BookFile

CHART_ROWS = 5
#: From this many rows on, the chart is twice as high.
TALL_HEIGHT = 34
#: From this width on, the moves have a column that says how often perfect play makes them.
ROOMY_WIDTH = 46


class MoveList(Menu):
    """The moves of a game. All four arrow keys step through them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "cursor_up", "Step", show=False),
        Binding("right", "cursor_down", "Step", show=False),
        Binding("enter", "select", "Choose", show=False),
    ]


class RetryScreen(DrillScreen):
    """A mistake that is asked again on its board. After the verdict it goes back."""

    def show_end(self, scene: Scene) -> None:
        if self.session.problem:
            self.complain(self.session.problem)
        self.dismiss()


class ReviewScreen(CardPage):
    """The cost of each move, the best move instead, and the effect of luck."""

    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = (
        ("← → ↑ ↓", "another move"),
        ("Enter", "go to your mistakes and try them again, else analyze the position"),
        ("Tab", "to the words, to scroll them"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "mistake", "Next mistake"),
        Binding("t", "retry", "Try again"),
        Binding("s", "solve", "Answer"),
        Binding("p", "punished", "Punishment"),
        Binding("a", "analyze", "Analyze the position", show=False),
        Binding("w", "replay", "Watch the game again", show=False),
        Binding("f3", "add_card", "Add to my book", show=False),
    ]

    NO_CARD: ClassVar[str] = "Mark one of your own moves: only they go into your book."

    def __init__(self, record: Record) -> None:
        self._record, self._names = record, shown_names(record.players)
        earlier = (game.record for game in saved_games())
        self.session = ReviewSession(record.match(), self._names, earlier=earlier)
        self.scene = self.session.scene()
        super().__init__("Review", "  ·  ".join([self.scene.title, self.scene.status[0]]))

    def content(self) -> ComposeResult:
        yield Preparation()
        yield Static("", id="verdict", markup=False)
        with Horizontal(classes="columns"):
            with Vertical(classes="left"):
                yield MoveList("moves")
                yield Static("", classes="chart")
            with VerticalScroll(classes="right"):
                yield Static("", id="when", classes="faint", markup=False)
                yield BoardView(self._names)
                yield Static("", id="why", markup=False)
                yield Static("", classes="chart")

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        work = self.session.work()
        assert work
        self.query_one("#verdict", Static).update(f"{work.label} …")
        self.query_one(Preparation).when_ready(work.game, partial(self.start, work))

    def start(self, work: Work) -> None:
        self.work(lambda: work.run(solve(work.game)), lambda _: self.show())

    # ---- display ---------------------------------------------------------------

    def show(self) -> None:
        self.scene = self.session.scene()
        self.query_one("#verdict", Static).update(self.scene.headline)
        self.list_moves()
        self.show_place()

    def list_moves(self) -> None:
        moves, place = self.query_one(OptionList), self.session.place
        lines = [self.first_line()]
        lines += [self.move_line(finding) for finding in self.scene.findings]
        moves.set_options(map(Option, lines))
        moves.highlighted = place

    @property
    def row_width(self) -> int:
        return max(24, self.query_one(OptionList).size.width) - 2

    def first_line(self) -> Content:
        """Return the line of the whole game, with the titles of the columns where they fit."""
        title, ended = " The game", f"  {self.scene.status[1]}"
        mixed = any(finding.often for finding in self.scene.findings)
        titles = f"  {PERFECT if mixed else ''}{'cost':>6}"
        room = self.row_width - len(title) - len(titles)
        shown = self.row_width >= ROOMY_WIDTH and len(ended) <= room
        return Content.assemble((title, "bold"), f"{ended:{room}}{titles}" if shown else ended)

    def move_line(self, finding: Finding) -> Content:
        width = self.row_width
        name = f"{self._names[finding.seat]:10.10} "
        often = f"  {finding.often:>{len(PERFECT)}}" if width >= ROOMY_WIDTH else ""
        room = width - 5 - len(name) - len(often) - 6
        shown = finding.cost or (RARE_CHOICE if finding.kind == RARE_CHOICE else "·")
        style = "$faint" if finding.verdict.right else "$warning"
        style = "$error bold" if finding.decisive else style
        return Content.assemble(
            (f"{finding.turn:>3}  ", "$faint"),
            (name, SEAT_STYLES[finding.seat]),
            f"{finding.words:{room}.{room}}",
            (often, "$faint"),
            (f"{shown:>6}", style),
        )

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self.scene.findings:
            place = event.option_index
            self.session.act("go", self.scene.findings[place - 1].key if place else "")
            self.show_place()

    def on_resize(self) -> None:
        super().on_resize()
        if self.scene.chart:
            self.call_after_refresh(self.list_moves)
            self.call_after_refresh(self.show_chart)

    def show_place(self) -> None:
        """Show the board and the words for the marked line."""
        scene = self.scene = self.session.scene()
        self.query_one("#when", Static).update(scene.path)
        self.query_one(BoardView).show(scene.board, scene.changed, next(iter(scene.to_move), None))
        if scene.verdict:
            said = [scene.verdict.headline, " ".join(scene.verdict.sentences)]
            if scene.offers("solve"):
                said.append("What is better? t: try again, s: show the answer.")
        else:
            figures = (one for table in scene.tables for one in table.sentences)
            keys = "m: next mistake, t: try again." if self.session.has_own_mistakes else ""
            now = f"{scene.prompt} {keys}".rstrip()
            said = ["\n".join(figures), now, scene.detail, *scene.notes]
        self.query_one("#why", Static).update("\n\n".join(filter(None, said)))
        self.refresh_bindings()
        self.show_chart()

    def show_chart(self) -> None:
        assert self.scene.chart
        width = max(10, self.query_one(OptionList).size.width - 1)
        height = CHART_ROWS if self.size.height < TALL_HEIGHT else 2 * CHART_ROWS
        here = self.session.here
        rows = line_chart(self.scene.chart, width, height, here.turn if here else None)
        for chart in self.query(".chart").results(Static):
            chart.update(Content("\n").join(rows))

    # ---- keys ------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.scene.offers(action) if action in ("punished", "retry", "solve") else True

    def on_key(self, event: Key) -> None:
        if self.is_too_soon(event):
            event.stop()

    def card_here(self) -> AddCard | None:
        return self.session.card(self.duels.clock)

    def on_option_list_option_selected(self) -> None:
        if self.scene.offers("retry"):
            self.action_retry()
        elif self.session.has_own_mistakes and not self.session.here:
            self.action_mistake()  # the analysis would show the answer
        else:
            self.action_analyze()

    def action_mistake(self) -> None:
        """Go to the next move that cost something, or to the first after the last."""
        if not self.scene.chart:  # the costs are not known yet
            return
        try:
            self.session.act("mistake")
        except ValueError as error:
            self.notify(str(error))
        self.query_one(OptionList).highlighted = self.session.place

    def action_retry(self) -> None:
        """Ask a mistake again, on the board, with the verdict of the trainer."""
        plan = self.session.retry()
        if plan is None:
            return
        try:
            session = TrainSession(plan, BookFile(), self.duels.clock)
        except ValueError as error:
            self.complain(error)
        else:
            self.app.push_screen(RetryScreen(session), lambda _: self.retried(session))

    def retried(self, session: TrainSession) -> None:
        """Show the right move if the learner found it, or used all tries."""
        if session.state.given and not session.state.items:
            self.action_solve()

    def action_solve(self) -> None:
        """Show the right move."""
        self.session.act("solve")
        self.show_place()

    def action_punished(self) -> None:
        found = self.session.punishment()
        if found:
            self.app.push_screen(ReplayScreen(self._record, found))

    def action_analyze(self) -> None:
        game, at = self.session.match.game, self.scene.at
        self.app.push_screen(AnalysisScreen(game, self._record.deal, at, self._names))

    def action_rules(self) -> None:
        self.duels.show_rules(self.session.match.game)

    def action_replay(self) -> None:
        self.app.push_screen(ReplayScreen(self._record))
