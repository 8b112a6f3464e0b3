"""The home screen: a menu of everything, with a key per entry."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from number_duels.core.record import shown_names, with_names
from number_duels.core.text import count_word
from number_duels.games import find, load, names
from number_duels.terminal.app.page import EntriesPage, Entry
from number_duels.terminal.saves import latest_unfinished, read_records

LEARN = "learn to play perfectly"


class HomeScreen(EntriesPage, inherit_bindings=False):
    """The first screen.

    Escape does nothing here, so that one press too many does not end the program.
    """

    QUESTION = "What would you like to do?"
    KEY_NOTES: ClassVar[tuple[tuple[str, str], ...]] = (
        *EntriesPage.KEY_NOTES,
        ("1, s, …", "choose the line that begins with it"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.back", "Quit")]

    def __init__(self) -> None:
        super().__init__("Number Duels", f"two players, {count_word(len(names()))} games")
        self._training = ""

    def on_screen_resume(self) -> None:
        """Update the entries, because games may have been played or deleted."""
        self.list_entries()
        self.count_cards()

    def count_cards(self) -> None:
        """Count the positions due today in the background, then show the number."""

        def due() -> str:
            from number_duels.terminal.commands.book import due_today

            return due_today(self.duels.clock)

        def show(said: str) -> None:
            self._training = said and f"{LEARN}; today: {said}"
            self._entries["l"] = entry = self.training()
            self.query_one(OptionList).replace_option_prompt("l", entry.line)

        self.work(due, show)

    def usual_key(self) -> str:
        return "c" if "c" in self._entries else str(names().index(self.usual_game()) + 1)

    def entries(self) -> Iterator[Entry]:
        app, kept = self.duels, latest_unfinished()
        if kept is not None:
            yield Entry("c", "Continue", unfinished(kept), partial(app.continue_game, kept))
        for n, game in enumerate(map(find, names()), 1):
            start, apart = partial(app.show_new_game, game.name), n == 1 and kept is not None
            yield Entry(str(n), game.title, game.summary, start, apart)
        yield self.training()
        yield Entry("s", "Saved games", "go on, watch again, review", app.show_saved_games)
        about = "how you play, and where chances are lost"
        yield Entry("t", "Statistics", about, app.show_statistics)
        about = "the winning chance of every move"
        yield Entry("a", "Analysis", about, lambda: app.show_analysis(load(self.usual_game())))
        about = "each game in a page"
        yield Entry("r", "Rules", about, lambda: app.show_rules(load(self.usual_game())))
        yield Entry("e", "Settings", "names, hints, colours", app.show_settings)
        yield Entry("q", "Quit", "", app.exit)

    def training(self) -> Entry:
        return Entry("l", "Train", self._training or LEARN, self.duels.show_training, apart=True)

    def usual_game(self) -> str:
        known = self.duels.config.game
        return known if known in names() else names()[0]


def unfinished(path: Path) -> str:
    """Describe a saved game: its title, its players and its turn."""
    record = read_records(path)[0].record
    turn = record.match().turn_number
    note = f"{find(record.game).title}, Player 1 and Player 2, turn {turn}"
    return with_names(note, shown_names(record.players))
