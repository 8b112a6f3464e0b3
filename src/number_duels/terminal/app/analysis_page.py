"""The analysis page, which shows the winning chance of every move in a position."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Key
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option as Choice

from number_duels.core.game import AnyGame, Seat
from number_duels.core.names import SEAT_NAMES
from number_duels.core.scene import Row, Scene, Table
from number_duels.games import load, names
from number_duels.review.words import BAR_WIDTH, bar, capital
from number_duels.sessions import Work
from number_duels.sessions.analyze import AnalyzeSession
from number_duels.solvers import solve
from number_duels.terminal.app.board_view import BoardView, FoldedText
from number_duels.terminal.app.page import Menu, Page, Preparation
from number_duels.trainer.book import AddCard, BookFile


class CardPage(Page):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f3", "add_card", "Add to mistake book", key_display="F3")
    ]

    NO_CARD: ClassVar[str] = (
        "There is nothing to decide here; highlight a move or go to another position."
    )

    def card_here(self) -> AddCard | None:
        """Return a card for the position shown, or None if there is no decision to practice."""
        raise NotImplementedError

    def action_add_card(self) -> None:
        from number_duels.terminal.commands.book import add_position

        card = self.card_here()
        if card is None:
            self.notify(self.NO_CARD)
            return
        try:
            said = add_position(BookFile(), card, self.duels.clock)
        except ValueError as error:
            self.complain(error)
        else:
            self.notify(said, markup=False)


SHORT_BAR_WIDTH = 8
NO_TABLE = Table(())


class OptionMenu(Menu):
    """A list of options. The right arrow plays an option, and the left arrow takes a move back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "select", "Choose", show=False),
        Binding("left", "screen.act('back')", "Take back", show=False),
    ]


class AnalysisScreen(CardPage):
    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = (
        ("↑ ↓", "highlight a move"),
        ("Enter →", "play it"),
        ("a move", "type one or more moves, written as in the rules"),
        ("Tab", "go to the text, so that you can scroll it"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("backspace", "act('back')", "Take back", key_display="←"),
        Binding("greater_than_sign", "act('forward')", "Forward", key_display=">", show=False),
        Binding("f1,r", "rules", "Rules", show=False),
        Binding("f2", "other_game", "Next game", key_display="F2"),
    ]

    def __init__(
        self,
        game: AnyGame,
        deal: str | None,
        moves: str,
        names: tuple[str, str] = SEAT_NAMES,
        left: Seat = Seat.ONE,
    ) -> None:
        super().__init__("Analysis", game.title)
        self.session = AnalyzeSession(game, deal, moves, names)
        self.scene = self.session.scene()
        self.listed = NO_TABLE
        self.left = left

    def content(self) -> ComposeResult:
        yield Preparation()
        with Horizontal(classes="columns"):
            with Vertical(classes="left"):
                yield Static("", id="line", classes="faint", markup=False)
                yield BoardView(self.session.names, left=self.left)
                with VerticalScroll(id="words"):
                    yield FoldedText("", id="said", markup=False)
            with Vertical(classes="right"):
                yield Static("", id="columns", classes="faint", markup=False)
                yield OptionMenu("options")
                yield Input(
                    placeholder="type one or more moves",
                    id="typed",
                    compact=True,
                    select_on_focus=False,
                )

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self.query_one("#said", Static).update(self.scene.detail)
        self.go_on()

    def go_on(self) -> None:
        scene = self.scene = self.session.scene()
        self.query_one("#line", Static).update(scene.path)
        self.query_one(BoardView).show(scene.board, scene.changed, next(iter(scene.to_move), None))
        work = self.session.work()
        if work:
            self.listed = NO_TABLE
            self.query_one(Preparation).when_ready(work.game, partial(self.start, work))
        else:
            self.show_figures(scene)

    def start(self, work: Work) -> None:
        self.work(lambda: work.run(solve(work.game)), lambda _: self.go_on())

    def show_figures(self, scene: Scene) -> None:
        table = self.listed = next(filter(partial(may_follow, scene), scene.tables), NO_TABLE)
        said = "\n".join([scene.detail, *table.sentences, scene.prompt]).rstrip()
        notes = "\n".join(["", "", *scene.notes])
        self.query_one("#said", Static).update(Content.assemble(said, (notes, "$faint")))
        options = self.query_one(OptionList)
        heading, *lines = list_lines(table, options.size.width) if table.rows else [""]
        self.query_one("#columns", Static).update(heading)
        options.set_options(map(Choice, lines))
        options.highlighted = 0 if lines else None

    def card_here(self) -> AddCard | None:
        spot, now = self.session.spot, self.duels.clock.now()
        return AddCard.of(spot, now, source="analysis", cost=0.0) if spot else None

    def on_option_list_option_selected(self) -> None:
        place = self.query_one(OptionList).highlighted
        if place is not None and self.listed.rows:
            self.act("go", self.listed.rows[place].key)

    def act(self, key: str, text: str = "") -> bool:
        try:
            self.session.act(key, text)
        except ValueError as error:
            self.notify(str(error), severity="warning", markup=False)
            return False
        self.go_on()
        return True

    def action_act(self, key: str) -> None:
        if self.scene.offers(key):
            self.act(key)

    def on_key(self, event: Key) -> None:
        # Letters and digits go to the input, so that a move can be typed at any time.
        typed = self.query_one(Input)
        character = event.character or ""
        if character.isalnum() and (typed.value or not self.is_page_key(character)):
            event.stop()
            typed.focus()
            typed.insert_text_at_cursor(character)

    def is_page_key(self, key: str) -> bool:
        moves = "".join(row.key for row in self.listed.rows).casefold()
        return key == "q" or (key in "jkgGr" and key.casefold() not in moves)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if self.act("type", event.value.strip()):
            event.input.value = ""
            self.query_one(OptionList).focus()

    def action_leave(self) -> None:
        if self.query_one(Input).has_focus:
            self.query_one(Input).value = ""
            self.query_one(OptionList).focus()
        else:
            self.dismiss()

    def action_other_game(self) -> None:
        following = (names().index(self.session.game.name) + 1) % len(names())
        self.app.switch_screen(AnalysisScreen(load(names()[following]), None, ""))

    def action_rules(self) -> None:
        self.duels.show_rules(self.session.game)


def may_follow(scene: Scene, table: Table) -> bool:
    if table.kind == "options":
        return table.rows[0].seat in scene.to_move[:1]
    return table.kind == "draws"


def list_lines(table: Table, room: int) -> Iterator[Content]:
    head = table.title or table.head
    wide = max(len(head), *(len(row.words) for row in table.rows))
    room -= wide + 4  # the list's margins take 4 columns
    cells = [max(len(column), 4) for column in table.columns]
    while len(cells) > 1 and room < SHORT_BAR_WIDTH + sum(cells) + 2 * len(cells):
        cells.pop()
    room -= sum(cells) + 2 * len(cells)
    bar_width = BAR_WIDTH if room >= BAR_WIDTH else SHORT_BAR_WIDTH
    fits = room >= bar_width + 2 + max(len(row.said) for row in table.rows)

    def figures(texts: tuple[str, ...]) -> str:
        return "".join(f"  {text:>{cell}}" for text, cell in zip(texts, cells, strict=False))

    def line(row: Row) -> Content:
        return Content.assemble(
            (f"{capital(row.words):{wide}}  ", "bold" if row.good else ""),
            (bar(row.share, bar_width), "$primary"),
            (figures(row.cells), "$secondary"),
            (f"  {row.said}" if fits else "", "$secondary"),
        )

    yield Content(f"{head:{wide}}  {'':{bar_width}}{figures(table.columns)}")
    yield from map(line, table.rows)
