"""The home screen, and the menu of further commands."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import ClassVar

from textual.app import SuspendNotSupported
from textual.binding import Binding, BindingType
from textual.events import Key

from number_duels.core.text import count_word
from number_duels.games import load, names
from number_duels.terminal.app.page import EntriesPage
from number_duels.terminal.errors import DONE
from number_duels.terminal.line import console
from number_duels.terminal.menu_entries import (
    MenuEntry,
    Today,
    games_entries,
    home_entries,
    measuring,
    more_entries,
    read_today,
)
from number_duels.terminal.saves import saved_games

PAGES = {
    "train": "train_page:TrainScreen",
    "saves": "saved_games_page:SavedGamesScreen",
    "stats": "statistics_page:StatisticsScreen",
    "settings": "settings_page:SettingsScreen",
}
QUIT_KEYS = ("q", "ctrl+c")
NAME, ABOUT = "Number Duels", f"two players, {count_word(len(names()))} games"


class HomeScreen(EntriesPage, inherit_bindings=False):
    """The first screen. Escape does nothing here, so it cannot end the program by accident."""

    QUESTION = "What would you like to do?"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "app.back", "Quit"),
        Binding("ctrl+c", "app.back", "Quit", show=False, priority=True),
    ]

    def __init__(self) -> None:
        super().__init__(NAME, ABOUT)
        self._today = Today()
        #: Whether another screen has just closed. Then, quitting takes a second key.
        self._is_back = False
        #: The finished games whose mistakes the book has or had before the program started.
        self._searched = finished_games()

    def on_screen_suspend(self) -> None:
        self._is_back = True

    def drops(self, event: Key) -> bool:
        if event.key not in QUIT_KEYS:
            self._is_back = False
        return super().drops(event)

    def action_leave(self) -> None:
        if self._is_back:
            self._is_back = False
            self.remark("Press q again to quit.", timeout=3)
        else:
            self.app.exit(DONE)

    def on_screen_resume(self) -> None:
        if self._is_back and not self.duels.stays:
            self.app.exit(DONE)
            return
        self.show_today()
        if (found := finished_games()) > self._searched:
            # The games just played may add mistakes to the book, which the entries count.
            self._searched = found
            self.work(collect_mistakes, lambda _: self.show_today())

    def show_today(self) -> None:
        self._today = read_today(self.duels.clock)
        self.say(NAME, self._today.standing or ABOUT)
        self.list_entries()

    def list_entries(self) -> None:
        # If the first entry has changed, highlight the default entry.
        earlier = next(iter(self._entries), "")
        super().list_entries()
        if earlier and earlier != next(iter(self._entries)):
            self.mark(self.usual_key())

    def entries(self) -> Iterator[MenuEntry]:
        yield from home_entries(self._today)
        yield MenuEntry("q", "Quit", "", ("quit",))

    def usual_key(self) -> str:
        first = next(iter(self._entries))
        return str(names().index(self.duels.usual_game) + 1) if first.isdecimal() else first

    def perform(self, words: tuple[str, ...]) -> None:
        app, game = self.duels, self.duels.usual_game
        match words:
            case ("resume", path):
                app.continue_game(Path(path))
            case ("play", name):
                from number_duels.terminal.app.new_game import NewGameScreen

                app.push_screen(NewGameScreen(name))
            case ("play", *_):
                app.play(words)
            case ("train", kind, *name):
                self.train(kind, *name)
            case ("analyze",):
                app.show_analysis(load(game))
            case ("rules",):
                app.show_rules(load(game))
            case ("more",):
                app.push_screen(MoreScreen())
            case ("quit",):
                self.action_leave()
            case _:
                module, name = PAGES[words[0]].split(":")
                page = import_module(f"number_duels.terminal.app.{module}")
                app.push_screen(getattr(page, name)())

    def train(self, kind: str, game: str = "") -> None:
        from number_duels.sessions.train import Plan
        from number_duels.terminal.app.drill import sit_down

        if game:  # the game to play afterwards
            self.duels.remember(game=game)
        kind = "book" if kind == "today" else kind
        sit_down(self, Plan(kind, game, day=self.duels.today))


def finished_games() -> frozenset[Path]:
    return frozenset(game.path for game in saved_games() if game.record.result != "*")


def collect_mistakes() -> None:
    from number_duels.terminal.commands import book
    from number_duels.trainer.book import BookFile

    with suppress(ValueError):  # the training menu says what is wrong with the book
        book.collect_mistakes(BookFile())


class MoreScreen(EntriesPage):
    QUESTION = "Which command?"

    def __init__(self) -> None:
        super().__init__("More", "you can also run these as commands")

    def on_mount(self) -> None:
        self.list_entries()

    def entries(self) -> Iterable[MenuEntry]:
        return more_entries()

    def perform(self, words: tuple[str, ...]) -> None:
        if words == ("arena",):
            self.app.push_screen(MeasureScreen())
        else:
            self.run_below(words)

    def run_below(self, words: tuple[str, ...]) -> None:
        try:
            with self.app.suspend():
                run_command(words)
        except SuspendNotSupported:
            self.complain(
                "This terminal cannot leave full-screen mode; run the command in a shell instead."
            )


class MeasureScreen(MoreScreen):
    QUESTION = "Which game?"

    def entries(self) -> Iterable[MenuEntry]:
        return games_entries("arena")

    def perform(self, words: tuple[str, ...]) -> None:
        self.run_below(measuring(words[1]))


def run_command(words: tuple[str, ...]) -> None:
    """Run a command in its own process, then wait for Enter. Ctrl-C stops only that process."""
    earlier = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        console.note(f"$ {console.command(*words)}")
        subprocess.run([sys.executable, "-m", "number_duels", *words], check=False)
        sys.stdout.write("\nPress Enter to go back to full-screen mode...")
        sys.stdout.flush()
        sys.stdin.readline()
    finally:
        signal.signal(signal.SIGINT, earlier)
