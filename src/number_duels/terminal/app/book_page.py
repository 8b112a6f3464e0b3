"""The mistake book page, where the user can search, practice and remove mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from number_duels.core.game import Seat
from number_duels.core.names import YOU
from number_duels.core.record import COMPUTER_NAME
from number_duels.core.text import counted
from number_duels.sessions.book import NOTHING_FOUND, ListedCard, listed_cards, removals
from number_duels.sessions.progress import today
from number_duels.sessions.train import Plan, opponent_of, sides
from number_duels.terminal.app.board_view import BoardView, on_other_side
from number_duels.terminal.app.dialogs import confirm
from number_duels.terminal.app.page import Menu, SearchPage
from number_duels.trainer.book import Book, BookFile
from number_duels.trainer.drills import Scope

NO_CARDS = (
    "Your book is empty. It collects the mistakes you make in drills, puzzles and saved games."
    " Press q to go back, then choose a drill."
)
WIDTHS = (13, 23)


class CardList(Menu):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Practice")]


class BookScreen(SearchPage):
    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = (
        *SearchPage.KEY_NOTES[:-2],
        ("Enter, a click", "practice the mistake now, even if it is not due"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d,delete", "remove", "Remove", key_display="d"),
        Binding("D", "remove_game", "Remove game", key_display="D"),
    ]

    def __init__(self) -> None:
        super().__init__("Mistake book")
        self._file, self._book = BookFile(), Book()
        self._found: tuple[ListedCard, ...] = ()

    def content(self) -> ComposeResult:
        yield Input(
            placeholder="/ search by game, moves, source or day",
            id="search",
            compact=True,
        )
        yield CardList("cards")
        with VerticalScroll(id="card", can_focus=False):
            yield Static("", id="card-facts", markup=False)
            yield BoardView((YOU, COMPUTER_NAME), id="card-board")
        yield Static("", id="nothing", markup=False)

    def read(self) -> None:
        try:
            self._book = self._file.read()
        except ValueError as error:
            self.complain(error)
        if self._book.notice:
            self.notify(self._book.notice, severity="warning", markup=False)
        self.show()

    def show(self) -> None:
        now, search = self.duels.clock.now(), self.query_one(Input).value
        self._found = listed_cards(self._book, now, search=search)
        self.list_lines([line(one) for one in self._found], NOTHING_FOUND if search else NO_CARDS)
        self.query_one("#card").display = bool(self._found)
        self.query_one(Input).display = bool(self._book.cards)
        count = counted(len(self._book.cards), "mistake")
        found = f"{len(self._found)} of {count}" if search else count
        self.say(
            "Mistake book",
            f"{found}  ·  {today(self._book, now)}" if self._book.cards else found,
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("remove", "remove_game"):
            return bool(self._found)
        return bool(self._book.cards) if action == "search" else True

    @property
    def highlighted(self) -> ListedCard | None:
        place = self.query_one(OptionList).highlighted
        return self._found[place] if self._found and place is not None else None

    def on_option_list_option_highlighted(self) -> None:
        if one := self.highlighted:
            facts = ", ".join(filter(None, (one.position, *one.facts, one.cost)))
            self.query_one("#card-facts", Static).update(facts)
            is_second = one.card.spot.seat is Seat.TWO  # the learner comes first, as in exercises
            parts = tuple(map(on_other_side, one.board)) if is_second else one.board
            board = self.query_one(BoardView)
            you, other = sides(Seat.ONE, opponent_of(one.card))
            board.names = you.name, other.name
            board.show(parts)

    def on_option_list_option_selected(self) -> None:
        from number_duels.terminal.app.drill import sit_down

        if one := self.highlighted:
            spot = one.card.spot
            scope = Scope(spot=spot)
            other = opponent_of(one.card)
            sit_down(self, Plan("drill", spot.game, spot.settings, scope, count=1, opponent=other))

    def action_remove(self) -> None:
        if one := self.highlighted:
            self.ask(f"Remove this mistake? {one.title}, {one.position}.", [one])

    def action_remove_game(self) -> None:
        if one := self.highlighted:
            found = listed_cards(self._book, self.duels.clock.now(), one.card.spot.game)
            self.ask(f"Remove {counted(len(found), 'mistake')} in {one.title}?", found)

    def ask(self, question: str, found: Sequence[ListedCard]) -> None:
        asked = f"{question} Your past answers are kept."
        confirm(self, asked, "Remove", "Keep", lambda: self.take_out(found))

    def take_out(self, found: Sequence[ListedCard]) -> None:
        cards = [one.card for one in found]
        try:
            self._file.append(*removals(cards, self.duels.clock.now()))
        except ValueError as error:
            self.complain(error)
        self.read()


def line(one: ListedCard) -> Content:
    style = "$accent" if one.comes_back == "today" else "$faint"
    wide_due, wide_title = WIDTHS
    return Content.assemble(
        (f" {one.comes_back:{wide_due}}", style),
        (f"{one.title:{wide_title}}", "bold"),
        one.position,
    )
