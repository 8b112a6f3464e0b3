"""What the menu asks before a game: who plays, under which names, in which seat, who is first."""

from __future__ import annotations

from dataclasses import dataclass, replace

from number_duels.core.questions import Prompt
from number_duels.core.record import check_names, split_names
from number_duels.games import find as find_game
from number_duels.players.registry import HUMAN, KINDS
from number_duels.terminal.commands.menu_page import Entry, choose
from number_duels.terminal.config import Config, remember
from number_duels.terminal.ui.console import Console

NEXT_FIRST = {"1": "2", "2": "random", "random": "1"}


@dataclass(frozen=True)
class GameSetup:
    """One new game, as far as it is chosen."""

    game: str
    names: str
    seat: int
    hints: bool
    #: Who takes the first turn; empty in a game in which nobody does.
    first: str

    @classmethod
    def remembered(cls, game: str, config: Config) -> GameSetup:
        """A game as it was set up the last time."""
        first = "1" if "first" in find_game(game).describe_settings() else ""
        return cls(game, config.names, config.seat, config.hints, first)

    def words(self, opponent: str) -> tuple[str, ...]:
        """The command that plays it."""
        words = ["play", self.game, "--names", self.names]
        if self.first:
            words += ["--first", self.first]
        if opponent != HUMAN:
            words += ["--one" if self.seat == 2 else "--two", opponent]
            words += ["--hints"] if self.hints else []
        return tuple(words)

    def page(self) -> list[Entry]:
        """Who can sit on the other side, and what else can be chosen."""
        one, two = split_names(self.names)
        page = []
        for n, (kind, note) in enumerate(KINDS.items(), 1):
            title = "Two people" if kind == HUMAN else f"Against {kind}"
            about = "take turns at this keyboard" if kind == HUMAN else note
            page.append(Entry(str(n), title, about, (kind,)))
        page.append(Entry("n", "Names", f"{one} and {two}", ("names",)))
        you = (one, two)[self.seat - 1]
        page.append(Entry("s", "Seat", f"you are {you} against the computer", ("seat",)))
        if self.first:
            starter = {"1": one, "2": two}.get(self.first, "chance decides who")
            page.append(Entry("f", "First", f"{starter} takes the first turn", ("first",)))
        hints = "on against the computer" if self.hints else "off"
        page.append(Entry("h", "Hints", hints, ("hints",)))
        return page

    def changed(self, what: str, console: Console) -> GameSetup:
        """The same game with something else chosen."""
        match what:
            case "names":
                return replace(self, names=ask_names(console, self.names))
            case "seat":
                return replace(self, seat=3 - self.seat)
            case "first":
                return replace(self, first=NEXT_FIRST[self.first])
        return replace(self, hints=not self.hints)


def set_up(console: Console, setup: GameSetup) -> tuple[str, ...]:
    """Ask who plays, and whatever the player wants to change; nothing: back to the menu."""
    while True:
        chosen = choose(console, "Who plays? ", setup.page())
        if chosen is None:
            return ()
        (what,) = chosen
        if what in KINDS:
            remember(
                game=setup.game,
                opponent=what,
                names=setup.names,
                seat=setup.seat,
                hints=setup.hints,
            )
            return setup.words(what)
        setup = setup.changed(what, console)


def ask_names(console: Console, names: str) -> str:
    """Both names; Enter alone, or Ctrl-C, leaves them as they are."""
    reason = None
    while True:
        prompt = Prompt("Both names, with a comma between them: ", reason=reason)
        try:
            reply = console.ask(prompt).strip()
            if reply:
                check_names(*split_names(reply))
        except KeyboardInterrupt:
            console.draw([""])
            return names
        except ValueError as error:
            reason = str(error)
            continue
        console.say([""])
        return reply or names
