"""The first screen: all that can be done, each with its key."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from number_duels.core.record import shown_names, with_names
from number_duels.core.text import count_word
from number_duels.games import find, load, names
from number_duels.terminal.app.page import EntriesPage, Entry, entry_line

LEARN = "learn to play perfectly"


class HomeScreen(EntriesPage, inherit_bindings=False):
    """Continue, a new game of each kind, training, saved games, statistics, settings, rules, quit.

    Escape does nothing here: one press too many on the way back must not end the program.
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
        """Games may have been played or deleted since."""
        found = self.query_one(OptionList)
        entries = list(self.entries())
        chosen = found.highlighted_option.id if found.highlighted_option else None
        self._entries = {entry.key: entry for entry in entries}
        found.set_options(
            option for n, entry in enumerate(entries) for option in shown(entry, first=n == 0)
        )
        keys = [option.id for option in found.options]
        usual = next((e.key for e in entries if e.title == self.last_title()), entries[0].key)
        found.highlighted = keys.index(chosen if chosen in self._entries else usual)
        found.focus()
        self.count_cards()

    def count_cards(self) -> None:
        """Say how many positions are due today; worked out beside the screen."""

        def due() -> str:
            from number_duels.terminal.commands.book import due_today

            return due_today(self.duels.clock)

        def show(said: str) -> None:
            self._training = said and f"{LEARN}; today: {said}"
            self._entries["l"] = entry = self.training()
            self.query_one(OptionList).replace_option_prompt("l", entry_line(entry))

        self.work(due, show)

    def last_title(self) -> str:
        known = self.duels.config.game
        return "Continue" if "c" in self._entries else find(known).title if known in names() else ""

    def entries(self) -> Iterator[Entry]:
        yield from self.unfinished()
        for n, game in enumerate(map(find, names()), 1):
            yield Entry(str(n), game.title, game.summary, partial(self.new_game, game.name))
        yield self.training()
        yield Entry("s", "Saved games", "go on, watch again, review", self.saved_games)
        yield Entry("t", "Statistics", "how you play, and where chances are lost", self.statistics)
        yield Entry("a", "Analysis", "the winning chance of every move", self.analysis)
        yield Entry("r", "Rules", "each game in a page", self.rules)
        yield Entry("e", "Settings", "names, hints, colours", self.settings)
        yield Entry("q", "Quit", "", self.app.exit)

    def training(self) -> Entry:
        return Entry("l", "Train", self._training or LEARN, self.train)

    def unfinished(self) -> Iterator[Entry]:
        """The game that was interrupted last, if there is one."""
        from number_duels.terminal.saves import latest_unfinished, read_records

        path = latest_unfinished()
        if path is not None:
            record = read_records(path)[0].record
            turn = record.match().turn_number
            note = f"{find(record.game).title}, Player 1 and Player 2, turn {turn}"
            said = with_names(note, shown_names(record.players))
            yield Entry("c", "Continue", said, partial(self.continue_game, path))

    # ---- what an entry opens ---------------------------------------------------

    def continue_game(self, path: Path) -> None:
        from number_duels.terminal.app.table import continue_game

        continue_game(self.duels, path)

    def new_game(self, name: str) -> None:
        from number_duels.terminal.app.new_game import NewGameScreen

        self.app.push_screen(NewGameScreen(name))

    def saved_games(self) -> None:
        from number_duels.terminal.app.saved_games_page import SavedGamesScreen

        self.app.push_screen(SavedGamesScreen())

    def train(self) -> None:
        from number_duels.terminal.app.train_page import TrainScreen

        self.app.push_screen(TrainScreen())

    def statistics(self) -> None:
        from number_duels.terminal.app.statistics_page import StatisticsScreen

        self.app.push_screen(StatisticsScreen())

    def analysis(self) -> None:
        from number_duels.terminal.app.analysis_page import AnalysisScreen

        self.app.push_screen(AnalysisScreen(load(self.usual_game()), None, ""))

    def rules(self) -> None:
        from number_duels.terminal.app.rules_page import RulesScreen

        self.app.push_screen(RulesScreen(load(self.usual_game())))

    def settings(self) -> None:
        from number_duels.terminal.app.settings_page import SettingsScreen

        self.app.push_screen(SettingsScreen())

    def usual_game(self) -> str:
        known = self.duels.config.game
        return known if known in names() else names()[0]


def shown(entry: Entry, *, first: bool) -> Iterator[Option]:
    """An entry in the list; groups stand apart."""
    if entry.key == "l" or (entry.key == "1" and not first):
        yield Option("", disabled=True)
    yield Option(entry_line(entry), id=entry.key)
