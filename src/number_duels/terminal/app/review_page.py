"""The review of a game: words first, then every move with its cost and the board before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from number_duels.core.board import changed
from number_duels.core.notation import write
from number_duels.core.record import Record, shown_names, with_names
from number_duels.review import Grade, Review, review
from number_duels.review.review_text import LUCK_SHOWN, decisive_line, figures, mistake_lines
from number_duels.review.words import chance, cost, either, verdict
from number_duels.terminal.app.board_view import BoardView
from number_duels.terminal.app.charts import Line, line_chart
from number_duels.terminal.app.preparation import Preparation
from number_duels.terminal.app.train.card import CardPage
from number_duels.trainer.events import AddCard
from number_duels.trainer.spot import OpenSpot

SEAT_STYLES = ("$seat-one", "$seat-two")
CHART_ROWS = 5
#: From this many rows on a chart has room to be twice as high.
TALL_HEIGHT = 34


class MoveList(OptionList):
    """The moves of a game; arrows of both directions step through it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "cursor_up", "Step", key_display="←→"),
        Binding("right", "cursor_down", "Step", show=False),
    ]


class ReviewScreen(CardPage):
    """What each move cost, what would have been right, what was luck."""

    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = (
        ("← → ↑ ↓", "another move"),
        ("Enter", "analyze the position"),
        ("Tab", "to the words, to scroll them"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "mistake", "Next mistake"),
        Binding("a", "analyze", "Analyze"),
        Binding("w", "replay", "Watch"),
    ]

    def __init__(self, record: Record) -> None:
        self._match = record.match()
        self._names = shown_names(record.players)
        title = f"{self._match.game.title}, Player 1 and Player 2"
        super().__init__("Review", with_names(title, self._names))
        self._record = record
        self._review: Review | None = None

    def content(self) -> ComposeResult:
        yield Preparation()
        yield Static("", id="verdict", markup=False)
        with Horizontal(classes="columns"):
            with Vertical(classes="left"):
                yield MoveList(id="moves", markup=False)
                yield Static("", classes="chart")
            with VerticalScroll(classes="right"):
                yield Static("", id="when", classes="faint", markup=False)
                yield BoardView(self._names)
                yield Static("", id="why", markup=False)
                yield Static("", classes="chart")

    def on_mount(self) -> None:
        self.query_one("#verdict", Static).update("Working out what each move cost …")
        self.query_one(OptionList).focus()
        self.query_one(Preparation).when_ready(self._match.game, self.work_out)

    def work_out(self) -> None:
        self.work(lambda: review(self._record), self.show)

    # ---- what is shown ---------------------------------------------------------

    def show(self, found: Review) -> None:
        self._review = found
        said = self.named(verdict(found.course[0], None, found.chances))
        self.query_one("#verdict", Static).update(
            Content.assemble(("At the start: ", "$faint"), said)
        )
        self.list_moves()
        self.show_place(0)

    def named(self, text: str) -> str:
        return with_names(text, self._names)

    def list_moves(self) -> None:
        assert self._review
        moves = self.query_one(OptionList)
        place = moves.highlighted or 0
        lines = [Content.assemble((" The game", "bold"), f"  {self.ending()}")]
        lines += [self.move_line(grade) for grade in self._review.grades]
        moves.set_options(map(Option, lines))
        moves.highlighted = place

    def ending(self) -> str:
        ends = {"1-0": f"{self._names[0]} won", "0-1": f"{self._names[1]} won", "*": "unfinished"}
        return ends.get(self._match.result, "a draw")

    def move_line(self, grade: Grade) -> Content:
        """A move, and its cost."""
        width = max(24, self.query_one(OptionList).size.width) - 2
        move = (f"{grade.drawn}: " if grade.drawn else "") + grade.words
        lost = cost(grade.loss) if grade.loss else "·"
        name = f"{self._names[grade.seat]:10.10} "
        room = width - 5 - len(name) - 6
        style = "$error bold" if grade.is_decisive else "$warning" if grade.loss else "$faint"
        return Content.assemble(
            (f"{grade.turn:>3}  ", "$faint"),
            (name, SEAT_STYLES[grade.seat]),
            f"{move:{room}.{room}}",
            (f"{lost:>6}", style),
        )

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self._review:
            self.show_place(event.option_index)

    def on_resize(self) -> None:
        if self._review:
            self.call_after_refresh(self.list_moves)
            self.call_after_refresh(self.show_chart)

    @property
    def grade(self) -> Grade | None:
        """The decision that is looked at; None: the game as a whole."""
        place = self.query_one(OptionList).highlighted
        return self._review.grades[place - 1] if self._review and place else None

    def show_place(self, place: int) -> None:
        """The board and the words for a line of the list."""
        assert self._review
        grade = self._review.grades[place - 1] if place else None
        steps = self._match.history.steps
        at = self.step_of(grade) if grade else len(steps)
        state = steps[at].before if grade else self._match.view(None)
        if grade is None:
            when = "The end" if self._match.outcome else "So far"
            said = list(self.summary(self._review))
        else:
            when = f"Before turn {grade.turn}"
            said = list(self.why(self._review, grade))
        self.query_one("#when", Static).update(when)
        board = self._match.game.board
        before = steps[at - 1].before if at else state
        marks = changed(board(before), board(state))
        self.query_one(BoardView).show(board(state), marks, grade.seat if grade else None)
        self.query_one("#why", Static).update(self.named("\n\n".join(said)))
        self.show_chart()

    def spot_here(self) -> OpenSpot | None:
        grade, history = self.grade, self._match.history
        if grade is None:
            return None
        before = replace(history, steps=history.steps[: self.step_of(grade)], concession=None)
        return OpenSpot(history.game, before, grade.seat)

    def card_here(self) -> AddCard | None:
        """A person's mistake becomes the card that the book makes of it by itself."""
        from number_duels.trainer.own_mistakes import mistake_card

        grade, spot = self.grade, self.spot_here()
        if grade and spot and grade.loss and self._record.players[grade.seat].who == "human":
            return mistake_card(self._record, spot, grade.loss)
        return super().card_here()

    def step_of(self, grade: Grade) -> int:
        """Which step of the history a decision was."""
        decided = [n for n, step in enumerate(self._match.history.steps) if step.moves]
        return decided[grade.turn - 1]

    def summary(self, found: Review) -> Iterator[str]:
        yield decisive_line(found)
        for seat, tally in found.players.items():
            yield f"{seat}: {figures(tally)}."

    def why(self, found: Review, grade: Grade) -> Iterator[str]:
        """What was wrong, and what would have been right."""
        made = [m for m in found.mistakes if m.turn == grade.turn and m.seat is grade.seat]
        if made:
            yield from mistake_lines(grade.turn, made)
        elif not grade.worst:
            yield f"{grade.seat}'s {grade.words}: every move was as good."
        else:
            others = [move for move in grade.best if move != grade.move]
            also = f" So would have been {either(others, 3)}." if others else ""
            yield f"{grade.seat}'s {grade.words} was right: it throws nothing away.{also}"

    def show_chart(self) -> None:
        """Skill and luck after every turn, for Player 1."""
        assert self._review
        found, turn = self._review, self.grade.turn if self.grade else 0
        ticks = {value: chance(value) for value in (1.0, 0.0, -1.0)}
        margin = 1 + max(map(len, ticks.values()))
        width = max(10, self.query_one(OptionList).size.width - margin - 1)
        height = CHART_ROWS if self.size.height < TALL_HEIGHT else 2 * CHART_ROWS
        lines = [Line(found.luck, "$faint", dashed=True), Line(found.skill, "$seat-one")]
        rows = line_chart(lines, width, height, ticks)
        place = margin + round(turn / max(1, len(found.course) - 1) * (width - 1))
        rows.append(Content.styled(" " * place + "▴" if turn else "", "$accent"))
        luck = "  ╌╌ luck (50%: none)" if has_luck(found) else ""
        rows.append(Content.styled(self.named(f"For Player 1: ── skill{luck}"), "$faint"))
        for chart in self.query(".chart").results(Static):
            chart.update(Content("\n").join(rows))

    # ---- keys ------------------------------------------------------------------

    def on_option_list_option_selected(self) -> None:
        self.action_analyze()

    def action_mistake(self) -> None:
        """The next move that cost something; after the last, the first."""
        if self._review is None:
            return
        here = self.query_one(OptionList).highlighted or 0
        wrong = [n for n, grade in enumerate(self._review.grades, 1) if grade.loss]
        if wrong:
            following = next((n for n in wrong if n > here), wrong[0])
            self.query_one(OptionList).highlighted = following
        else:
            self.notify("No move of this game threw anything away.")

    def action_analyze(self) -> None:
        from number_duels.terminal.app.analysis_page import AnalysisScreen

        steps, grade = self._match.history.steps, self.grade
        until = self.step_of(grade) if grade else 0
        moves = write(steps[:until])
        self.app.push_screen(
            AnalysisScreen(self._match.game, self._record.deal, moves, self._names)
        )

    def action_replay(self) -> None:
        from number_duels.terminal.app.replay import ReplayScreen

        self.app.push_screen(ReplayScreen(self._record))


def has_luck(found: Review) -> bool:
    return any(abs(luck) >= LUCK_SHOWN for luck in found.luck)
