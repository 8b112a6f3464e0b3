"""The Textual application: its screens, common keys and themes."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.console import Console, RenderableType
from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import Event, InputEvent, Key
from textual.screen import Screen
from textual.theme import Theme
from textual.widget import AwaitMount
from textual.worker import WorkerFailed

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame
from number_duels.games import load, names
from number_duels.terminal.app.page import DuelsScreen
from number_duels.terminal.config import Config, read_config, remember
from number_duels.terminal.errors import DONE, INTERRUPTED, CommandError
from number_duels.terminal.line.console import command, note

if TYPE_CHECKING:
    from number_duels.players.external import Limits

SLOW_LINE_BITS_PER_SECOND = 38400


class DuelsApp(App[int]):
    TITLE = "Number Duels"
    ENABLE_COMMAND_PALETTE = False
    CSS_PATH: ClassVar = sorted(Path(__file__).parent.glob("*.tcss"))
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (76, "-normal"), (110, "-wide")]  # noqa: RUF012  # Textual declares
    VERTICAL_BREAKPOINTS = [(0, "-short"), (24, "-medium"), (34, "-tall")]  # noqa: RUF012  # them so
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "key_help", "Keys", key_display="?"),
        Binding("r,f1", "rules", "Rules", show=False),
        Binding("ctrl+c", "back", "Back", show=False, priority=True),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
        Binding(
            "ctrl+z",
            "suspend_process",
            "Pause the program; fg continues",
            show=False,
            priority=True,
        ),
    ]

    def __init__(
        self,
        *,
        calm: bool = False,
        opens: Callable[[], Iterable[Screen[None]]] = tuple,
        notice: str = "",
        limits: Limits | None = None,
        clock: Clock = SYSTEM_CLOCK,
        stays: bool = True,
    ) -> None:
        super().__init__()
        self.clock = clock
        self.opens = opens
        #: Whether the first screen appears when the opened ones are left.
        self.stays = stays
        self.notice = notice
        self.limits = limits
        self.config: Config = read_config()
        self.calm = calm or self.config.calm or slow_terminal()
        if self.calm:
            self.animation_level = "none"
        self.kept: Path | None = None
        #: The last key that the user pressed.
        self.last_key = ""
        #: Whether the last screen left a message, which stays until the next key.
        self.said_goodbye = False
        #: The screen on which a remark was made that may still be shown.
        self.remarked: Screen[None] | None = None
        self.failure: BaseException | None = None
        #: Quiet, because Textual would print all variables, including secret choices.
        self.error_console = Console(quiet=True)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = self.config.theme

    def on_mount(self) -> None:
        from number_duels.terminal.app.home import HomeScreen

        with suppress(NotImplementedError, RuntimeError):
            for number in (signal.SIGTERM, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(number, self.exit, INTERRUPTED)
        self.push_screen(HomeScreen())
        for screen in self.opens():
            self.push_screen(screen)
        if self.notice:
            self.notify(self.notice, severity="warning", markup=False)

    async def opened(self) -> None:
        # Screens handle keys only when they have their widgets.
        while opening := [screen for screen in self.screen_stack if not screen.is_mounted]:
            await AwaitMount(opening[0], opening)

    async def on_event(self, event: Event) -> None:
        if isinstance(event, InputEvent):
            await self.opened()
        if isinstance(event, Key) and self.said_goodbye:
            self.said_goodbye = False
            self.clear_notifications()
        if isinstance(event, Key) and not event.is_forwarded:
            if self.drops(event):
                return
            self.last_key = event.key
        await super().on_event(event)

    def forget_remark_of_other(self, screen: Screen[None]) -> None:
        if self.remarked not in (None, screen):
            self.clear_notifications()
            self.remarked = None

    def say_goodbye(self, said: str) -> None:
        self.clear_notifications()
        self.remarked = None
        self.notify(said, markup=False)
        self.said_goodbye = True

    def drops(self, event: Key) -> bool:
        return isinstance(self.screen, DuelsScreen) and self.screen.drops(event)

    def exit(
        self, result: int | None = None, return_code: int = 0, message: RenderableType | None = None
    ) -> None:
        # Textual cannot remove a screen that is opening.
        async def end() -> None:
            await self.opened()
            super(DuelsApp, self).exit(result, return_code, message)

        self.call_later(end)

    def _handle_exception(self, error: Exception) -> None:
        # This private method of Textual is the only place that receives the error.
        cause = error.error if isinstance(error, WorkerFailed) else error
        self.failure = self.failure or cause
        super()._handle_exception(error)

    def remember(self, **changes: str | bool | int) -> None:
        remember(**changes)
        with suppress(CommandError):
            self.config = read_config()

    async def action_back(self) -> None:
        action = getattr(self.screen, "action_leave", None)
        if action is not None:
            action()
        elif len(self.screen_stack) > 2:
            self.pop_screen()
        else:
            self.exit(DONE)

    @property
    def usual_game(self) -> str:
        return self.config.game if self.config.game in names() else names()[0]

    @property
    def today(self) -> date:
        from number_duels.terminal.commands.book import local_day

        return local_day(self.clock)

    def show_rules(self, game: AnyGame, *, in_exercise: bool = False) -> None:
        from number_duels.terminal.app.rules_page import RulesScreen

        self.push_screen(RulesScreen(game, in_exercise=in_exercise))

    def show_analysis(self, game: AnyGame) -> None:
        from number_duels.terminal.app.analysis_page import AnalysisScreen

        self.push_screen(AnalysisScreen(game, None, ""))

    def play(self, words: Sequence[str]) -> None:
        """Start a game with the words of a `duels play` command."""
        from number_duels.terminal.app.table import open_table
        from number_duels.terminal.commands.play import new_match
        from number_duels.terminal.parser import parsed

        try:
            open_table(self, new_match(parsed(list(words))))
        except CommandError as error:
            self.notify(str(error), severity="error", markup=False)

    def continue_game(self, path: Path) -> None:
        from number_duels.terminal.app.table import TableScreen
        from number_duels.terminal.commands.play import reopened

        try:
            self.push_screen(TableScreen(*reopened(path)))
        except CommandError as error:
            self.notify(str(error), severity="error", markup=False)

    def action_rules(self) -> None:
        if isinstance(self.screen, DuelsScreen):
            rules = getattr(self.screen, "action_rules", None)
            if rules is not None:
                rules()
            else:
                self.show_rules(load(self.usual_game))

    def action_key_help(self) -> None:
        from number_duels.terminal.app.dialogs import KeyHelp

        if not isinstance(self.screen, KeyHelp):
            self.push_screen(KeyHelp(self.screen))


def slow_terminal() -> bool:
    import termios

    try:
        speed = termios.tcgetattr(sys.stdout.fileno())[5]
    except (OSError, ValueError, termios.error):
        return False
    return bool(speed < getattr(termios, f"B{SLOW_LINE_BITS_PER_SECOND}"))


def watch_terminal(lost: threading.Event) -> None:
    # If the terminal closes and no shell sends SIGHUP, send it.
    gone = select.poll()
    gone.register(sys.stdin.fileno(), 0)  # poll always reports a hangup
    gone.poll()
    lost.set()
    os.kill(os.getpid(), signal.SIGHUP)


def run(
    *,
    calm: bool,
    opens: Callable[[], Iterable[Screen[None]]] = tuple,
    notice: str = "",
    limits: Limits | None = None,
    resume_flags: Mapping[Path | None, Sequence[str]] | None = None,
    stays: bool = True,
) -> int:
    """Run the application, then print how to resume an unfinished game.

    Unless `stays` is true, the application ends when the screens that it opens with are left.
    `resume_flags` maps the path of a saved game to the options for its bots and models.
    """
    os.environ.setdefault("ESCDELAY", "50")
    app = DuelsApp(calm=calm, opens=opens, notice=notice, limits=limits, stays=stays)
    lost = threading.Event()
    if sys.platform == "linux" and sys.stdin.isatty():
        threading.Thread(target=watch_terminal, args=[lost], daemon=True).start()
    try:
        status = app.run()
    finally:
        if lost.is_set():  # Textual's input thread may never end, and nobody can read output
            os._exit(INTERRUPTED)
    if app.kept:
        again = command("resume", str(app.kept), *(resume_flags or {}).get(app.kept, ()))
        note(f"The game is saved; go on with: {again}")
    if app.failure:
        raise app.failure  # `duels` reports it in one sentence
    return DONE if status is None else status


COLORS = {
    "primary": ("#7aa2f7", "#2f5aa8", "#ffffff"),
    "secondary": ("#9aa5ce", "#5a6275", "#ffffff"),
    "accent": ("#e0af68", "#8a5a00", "#ffff00"),
    "foreground": ("#d5daf0", "#22262f", "#ffffff"),
    "background": ("#16181f", "#fbfaf7", "#000000"),
    "panel": ("#20232d", "#ebe9e6", "#000000"),
    "error": ("#f7768e", "#b3261e", "#ff8080"),
    "success": ("#9ece6a", "#2e6b27", "#00ff00"),
    "seat-one": ("#7dcfff", "#00618a", "#00ffff"),
    "seat-two": ("#ff9e64", "#a8420a", "#ffff00"),
    "faint": ("#8f97b8", "#5f6472", "#d0d0d0"),
}


def theme(name: str, place: int) -> Theme:
    colors = {what: shades[place] for what, shades in COLORS.items()}
    variables = {what: colors[what] for what in ("seat-one", "seat-two", "faint")}
    variables["footer-key-foreground"] = colors["accent"]
    variables["footer-background"] = colors["panel"]
    if name == "high-contrast":
        variables["border"] = "#ffffff"
    return Theme(
        name,
        primary=colors["primary"],
        secondary=colors["secondary"],
        warning=colors["accent"],
        error=colors["error"],
        success=colors["success"],
        accent=colors["accent"],
        foreground=colors["foreground"],
        background=colors["background"],
        surface=colors["background"],
        panel=colors["panel"],
        dark=name != "light",
        variables=variables,
    )


THEMES = tuple(theme(name, place) for place, name in enumerate(("dark", "light", "high-contrast")))
