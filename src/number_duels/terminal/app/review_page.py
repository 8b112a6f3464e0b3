"""The review page, which shows the cost of every move in a game."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from number_duels.core.record import Record, shown_names
from number_duels.core.scene import WORKING, Finding, Scene
from number_duels.review.words import OFTEN, PERFECT
from number_duels.sessions import Work
from number_duels.sessions.review import ReviewSession
from number_duels.sessions.train import TrainSession
from number_duels.solvers import solve
from number_duels.terminal.app.analysis_page import AnalysisScreen, CardPage
from number_duels.terminal.app.board_view import BoardView, FoldedText, seat_style
from number_duels.terminal.app.charts import line_chart
from number_duels.terminal.app.drill import DrillScreen
from number_duels.terminal.app.page import PATIENCE_S, Menu, Preparation
from number_duels.terminal.app.table import ReplayScreen
from number_duels.terminal.saves import saved_games
from number_duels.trainer.book import AddCard, BookFile

CHART_ROWS = 3
#: On screens with at least this many rows, the chart takes a third of them.
TALL_HEIGHT = 34
#: The footer of a screen this wide has room for all keys of a game with mistakes.
ALL_KEYS_WIDTH = 140
NOT_OWN = "This is not your mistake. m goes to your next one."
NO_MISTAKE = "f is for your own mistakes, and you made none in this game."
#: In lists at least this wide, a column says how often perfect play makes each move.
ROOMY_WIDTH = 46


class MoveList(Menu):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "cursor_up", "Step", show=False),
        Binding("right", "cursor_down", "Step", show=False),
        Binding("enter", "select", "Choose", show=False),
    ]

    class Resized(Message): ...

    def on_resize(self) -> None:
        self.post_message(self.Resized())


class RetryScreen(DrillScreen):
    """A screen that asks for a better move after a mistake, and closes when the task is over."""

    def show_end(self, scene: Scene) -> None:
        if self.session.problem:
            self.complain(self.session.problem)
        self.dismiss()


class ReviewScreen(CardPage):
    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = (
        ("← → ↑ ↓", "another move"),
        ("Enter", "try your next mistake again, or analyze the position"),
        ("Tab", "go to the text, so that you can scroll it"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "own_mistake", "Your next mistake"),
        Binding("m", "others_mistake", "Their next mistake"),
        Binding("m", "mistake", "Next mistake"),
        Binding("f", "retry", "Try again"),
        Binding("f", "no_retry", show=False),
        Binding("s", "solve", "Answer"),
        Binding("p", "punished", "See it punished"),
        Binding("a", "if_room('analyze')", "Analyze"),
        Binding("w", "if_room('replay')", "Watch"),
        Binding("f3", "if_room('add_card')", "Add to mistake book", key_display="F3"),
        Binding("a", "analyze", "Analyze the position", show=False),
        Binding("w", "replay", "Watch the game again", show=False),
        Binding("f3", "add_card", "Add to mistake book", key_display="F3", show=False),
    ]

    NO_CARD: ClassVar[str] = "You can add only your own moves to your book; highlight one of them."

    def __init__(self, record: Record) -> None:
        self._record, self._names = record, shown_names(record.players)
        earlier = (game.record for game in saved_games())
        self.session = ReviewSession(record.match(), self._names, earlier=earlier)
        self.scene = self.session.scene()
        self.early_key = ""
        self.waited_s = 0
        super().__init__("Review", "  ·  ".join([self.scene.title, self.scene.status[0]]))

    def content(self) -> ComposeResult:
        yield Preparation()
        yield FoldedText("", id="verdict", markup=False)
        with Horizontal(classes="columns"):
            with Vertical(classes="left"):
                yield Static("", id="columns", classes="faint", markup=False)
                yield MoveList("moves")
                yield Static("", classes="chart")
            with VerticalScroll(classes="right"):
                yield Static("", id="when", classes="faint", markup=False)
                yield BoardView(self._names, left=self.session.seat)
                yield FoldedText("", id="why", markup=False)
                yield Static("", classes="chart")

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        work = self.session.work()
        assert work
        self.query_one("#verdict", Static).update(f"{work.label} …")
        self.set_interval(PATIENCE_S, partial(self.say_seconds, work.label))
        self.query_one(Preparation).when_ready(work.game, partial(self.start, work))

    def start(self, work: Work) -> None:
        self.work(lambda: work.run(solve(work.game)), lambda _: self.show())

    def say_seconds(self, label: str) -> None:
        if self.scene.stage == WORKING:
            self.waited_s += round(PATIENCE_S)
            self.query_one("#verdict", Static).update(f"{label} … {self.waited_s} s")

    def show(self) -> None:
        self.scene = self.session.scene()
        self.query_one("#verdict", Static).update(self.scene.headline)
        self.list_moves()
        self.show_place()
        # An early key only goes to a mistake. Leaving a review unseen would surprise the user.
        if self.early_key in ("m", "f") and self.scene.offers("mistake"):
            self.call_after_refresh(self.action_mistake)

    def list_moves(self) -> None:
        moves, place = self.query_one(OptionList), self.session.place
        self.query_one("#columns", Static).update(self.heading())
        lines = [Content.assemble((" The game", "bold"), f"  {self.scene.status[1]}")]
        lines += [self.move_line(finding) for finding in self.scene.findings]
        moves.set_options(map(Option, lines))
        moves.highlighted = place

    @property
    def row_width(self) -> int:
        return max(24, self.query_one(OptionList).size.width) - 2

    @property
    def often_width(self) -> int:
        mixed = any(finding.often for finding in self.scene.findings)
        return len(PERFECT) + 2 if mixed and self.row_width >= ROOMY_WIDTH else 0

    def heading(self) -> str:
        often = self.often_width
        room = self.row_width - 5 - 11 - often - 7
        turn, perfect = self.session.turn_word, PERFECT if often else ""
        return f"{turn:>5} {'player':10} {'move':{room}}{perfect:>{often}}{'cost':>7}"

    def move_line(self, finding: Finding) -> Content:
        name = f"{self._names[finding.seat]:10.10} "
        often = f"{finding.often:>{self.often_width}}" if self.often_width else ""
        room = self.row_width - 5 - len(name) - len(often) - 7
        shown = finding.cost or ("forced" if finding.forced else "·")
        style = "$faint" if finding.verdict.right else "$warning"
        style = "$error bold" if finding.blunder else style
        return Content.assemble(
            (f"{finding.turn:>3}  ", "$faint"),
            (name, seat_style(finding.seat, self.session.seat)),
            f"{finding.words:{room}.{room}}",
            (often, "$faint"),
            (f"{shown:>7}", style),
        )

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self.scene.findings:
            place = event.option_index
            self.session.act("go", self.scene.findings[place - 1].key if place else "")
            self.show_place()
            self.query_one(VerticalScroll).scroll_home(animate=False)

    def on_move_list_resized(self) -> None:
        if self.scene.chart:
            self.list_moves()
            self.show_chart()

    def show_place(self) -> None:
        scene = self.scene = self.session.scene()
        self.query_one("#when", Static).update(scene.path)
        # A short screen has no room for both the text about the game and its first board.
        is_short = self.is_short
        board = self.query_one(BoardView)
        board.display = self.session.here is not None or not is_short
        board.prepare(None if is_short else self.session.match.game)
        board.show(scene.board, scene.changed, next(iter(scene.to_move), None))
        if scene.verdict:
            said = [f"{scene.verdict.headline} " + "\n".join(scene.verdict.sentences)]
            if scene.offers("solve"):
                # On a short screen, only the footer names the keys.
                keys = "" if is_short else " f: try again, s: show the answer."
                said.append(f"Which move is better?{keys}")
        else:
            figures = (one for table in scene.tables for one in table.sentences)
            whose = "your " if len(self.session.own) == 1 else ""
            own = f"m: {whose}next mistake, f: try again."
            keys = own if self.can_retry else self.others_mistakes
            now = f"{scene.prompt} {keys}".rstrip()
            often = OFTEN if self.often_width else ""
            said = ["\n".join(figures), now, scene.detail, *scene.notes, often]
        self.query_one("#why", Static).update("\n\n".join(filter(None, said)))
        self.refresh_bindings()
        self.show_chart()

    def show_chart(self) -> None:
        assert self.scene.chart
        width, chart = max(10, self.query_one(OptionList).size.width - 1), self.scene.chart
        height, here = self.size.height // 3, self.session.here
        if self.is_short:
            height, chart = CHART_ROWS, replace(chart, note="")
        rows = line_chart(chart, width, height, here.turn if here else None)
        for drawn in self.query(".chart").results(Static):
            drawn.update(Content("\n").join(rows))

    @property
    def is_short(self) -> bool:
        return self.size.height < TALL_HEIGHT

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "retry":
            return self.can_retry
        if action == "no_retry":
            return self.scene.stage != WORKING and not self.can_retry
        if action == "if_room":
            return self.has_room
        if action in ("analyze", "replay", "add_card"):
            return not self.has_room
        if action in ("own_mistake", "others_mistake", "mistake"):
            return self.scene.offers("mistake") and action == self.mistake_action
        return self.scene.offers(action) if action in ("punished", "solve") else True

    @property
    def mistake_action(self) -> str:
        """Return the action of m, whose label says whose mistakes it goes to."""
        if len(self.session.own) != 1:
            return "mistake"
        return "own_mistake" if self.session.has_own_mistakes else "others_mistake"

    @property
    def has_room(self) -> bool:
        """Return whether the footer has room for all keys."""
        is_calm = self.scene.stage != WORKING and not self.scene.offers("mistake")
        return is_calm or self.size.width >= ALL_KEYS_WIDTH

    def action_if_room(self, action: str) -> None:
        getattr(self, f"action_{action}")()

    @property
    def can_retry(self) -> bool:
        return (
            self.session.has_own_mistakes
            if self.session.here is None
            else self.scene.offers("retry")
        )

    def on_key(self, event: Key) -> None:
        if self.scene.stage == WORKING:
            self.early_key = event.key

    def card_here(self) -> AddCard | None:
        return self.session.card(self.duels.clock)

    def on_option_list_option_selected(self) -> None:
        if self.session.here is None and self.session.has_own_mistakes:
            self.action_mistake()  # the analysis would show the answer
        elif self.can_retry:
            self.action_retry()
        else:
            self.action_analyze()

    def action_own_mistake(self) -> None:
        self.action_mistake()

    def action_others_mistake(self) -> None:
        self.action_mistake()

    def action_mistake(self) -> None:
        place = self.session.place
        self.session.act("mistake")
        if self.session.place == place:
            whose = "your" if self.mistake_action == "own_mistake" else "the"
            self.remark(f"That was {whose} only mistake.")
        self.query_one(OptionList).highlighted = self.session.place

    def action_retry(self) -> None:
        if self.session.here is None:
            self.action_mistake()  # the viewer's own mistakes come first
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
        if session.state.given and not session.state.items:
            self.action_solve()

    def action_no_retry(self) -> None:
        self.remark(NOT_OWN if self.session.has_own_mistakes else NO_MISTAKE)

    @property
    def others_mistakes(self) -> str:
        """Say whose mistakes the viewer can go to, if the viewer made none."""
        seats = {finding.seat for finding in self.scene.findings if not finding.verdict.right}
        return "".join(f"m: {self._names[seat]}'s next mistake." for seat in seats)

    def action_solve(self) -> None:
        self.session.act("solve")
        self.show_place()
        text = self.query_one(VerticalScroll)
        self.call_after_refresh(text.scroll_end, animate=False)

    def action_punished(self) -> None:
        found, game = self.session.punishment(), self.session.match.game
        if found:
            self.app.push_screen(ReplayScreen(game, self._names, found, self.session.seat))

    def action_analyze(self) -> None:
        game, at, left = self.session.match.game, self.scene.at, self.session.seat
        self.app.push_screen(AnalysisScreen(game, self._record.deal, at, self._names, left))

    def action_rules(self) -> None:
        self.duels.show_rules(self.session.match.game)

    def action_replay(self) -> None:
        self.app.push_screen(ReplayScreen.of(self._record))
