"""The saved games page, where the user can search, resume, replay, review and delete games."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, OptionList, Static

from number_duels.core.game import Seat
from number_duels.core.text import counted
from number_duels.games import find, load
from number_duels.players.registry import full_name
from number_duels.sessions.narration import turn_word
from number_duels.terminal.app.dialogs import confirm
from number_duels.terminal.app.page import NARROW_WIDTH, Menu, SearchPage
from number_duels.terminal.errors import CommandError
from number_duels.terminal.saves import SavedGame, delete_save, find_saves

NO_GAMES = "No game is saved yet. Every game that you play is saved here. Press q to go back."
NOTHING_FOUND = "No game matches that. Search for a game, a name, a level, a date or a result."
USUAL_NAMES = f"{Seat.ONE} and {Seat.TWO}"
WIDTHS = (17, 22, 12, 14)
#: The width at which these columns fill the screen. On a wider one, no opponent is cut.
USUAL_WIDTH = 80


class SaveList(Menu):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Open")]


class SavedGamesScreen(SearchPage):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "review", "Review"),
        Binding("w", "replay", "Watch"),
        Binding("d,delete", "delete", "Delete", key_display="d"),
    ]

    def __init__(self) -> None:
        super().__init__("Saved games")
        self._saved: list[SavedGame] = []
        self._found: list[SavedGame] = []

    def content(self) -> ComposeResult:
        yield Input(placeholder="/ search by game, name, level or date", id="search", compact=True)
        yield SaveList("saves")
        yield Static("", id="nothing", markup=False)

    def read(self) -> None:
        self._saved = find_saves()
        self.show()

    def on_resize(self) -> None:
        self.show()

    def show(self) -> None:
        words = self.query_one(Input).value.split()
        self._found = [saved for saved in self._saved if all(map(saved.mentions, words))]
        wide = max((len(opponent_of(saved)) + 1 for saved in self._found), default=0)
        wide = min(max(wide, WIDTHS[2]), WIDTHS[2] + max(0, self.size.width - USUAL_WIDTH))
        narrow = self.size.width < NARROW_WIDTH
        lines = [line(saved, 0 if narrow else wide) for saved in self._found]
        self.list_lines(lines, NOTHING_FOUND if words else NO_GAMES)
        self.say("Saved games", counted(len(self._found), "game"))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("review", "replay", "delete"):
            return bool(self._found)
        return bool(self._saved) if action == "search" else True

    @property
    def highlighted(self) -> SavedGame | None:
        place = self.query_one(OptionList).highlighted
        return self._found[place] if self._found and place is not None else None

    def on_option_list_option_selected(self) -> None:
        if (saved := self.highlighted) and saved.record.result == "*":
            self.duels.continue_game(saved.path)
        else:
            self.action_replay()

    def action_replay(self) -> None:
        from number_duels.terminal.app.table import ReplayScreen

        if saved := self.highlighted:
            self.app.push_screen(ReplayScreen.of(saved.record))

    def action_review(self) -> None:
        from number_duels.terminal.app.review_page import ReviewScreen

        if saved := self.highlighted:
            self.app.push_screen(ReviewScreen(saved.record))

    def action_rules(self) -> None:
        if saved := self.highlighted:
            self.duels.show_rules(saved.record.match().game)

    def action_delete(self) -> None:
        if saved := self.highlighted:
            what = f"{find(saved.record.game).title} of {saved.when}, {saved.standing}"
            asked = f"Delete this game? {what}. You can't undo this."
            confirm(self, asked, "Delete", "Keep", lambda: self.delete(saved))

    def delete(self, saved: SavedGame) -> None:
        try:
            delete_save(saved.path)
        except CommandError as error:
            self.complain(error)
        self.read()


def opponent_of(saved: SavedGame) -> str:
    opponent = full_name(saved.opponent)
    return "Two people" if opponent == USUAL_NAMES else opponent


def line(saved: SavedGame, wide_opponent: int) -> Content:
    """Draw a saved game in one line, or in two lines if the opponent does not fit."""
    title = find(saved.record.game).title
    turns = counted(saved.turns, turn_word(load(saved.record.game)))
    when, opponent = saved.when, opponent_of(saved)
    style = "$accent" if saved.record.result == "*" else ""
    if not wide_opponent:
        return Content.assemble(
            (f" {title}", "bold"),
            f", {opponent}\n",
            (f"   {when}  ", "$faint"),
            (saved.standing, style),
            (f"  {turns}", "$faint"),
        )
    wide_when, wide_title, _, wide_standing = WIDTHS
    return Content.assemble(
        (f" {when:{wide_when}}", "$faint"),
        (f"{title:{wide_title}}", "bold"),
        f"{shortened(opponent, wide_opponent - 1):{wide_opponent}} ",
        (f"{saved.standing:{wide_standing}.{wide_standing - 1}}", style),
        (turns, "$faint"),
    )


def shortened(text: str, width: int) -> str:
    """Cut a text to at most `width` characters, and mark the cut with "…".

    >>> shortened("Ann and Bob", 14), shortened("Annabelle and Bob", 14)
    ('Ann and Bob', 'Annabelle and…')
    """
    return text if len(text) <= width else f"{text[: width - 1].rstrip()}…"
