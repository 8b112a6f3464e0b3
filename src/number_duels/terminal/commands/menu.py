"""`duels` without a command: the full screen if possible, else a text menu."""

from __future__ import annotations

from argparse import Namespace
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice

from number_duels.core.questions import Answer, Prompt, Question, find, refusal
from number_duels.core.record import check_names, split_names
from number_duels.core.text import count_word
from number_duels.games import find as find_game
from number_duels.games import names
from number_duels.players.registry import HUMAN, KINDS, described
from number_duels.terminal import saves
from number_duels.terminal.config import Config, read_config, remember
from number_duels.terminal.errors import DONE, INTERRUPTED, CommandError
from number_duels.terminal.line.console import Console, full_screen, thinking
from number_duels.terminal.main import execute
from number_duels.terminal.parser import parsed

NEWEST = 9
#: The players of the arena that the menu offers.
METERED = ("random", "level:1", "level:3", "perfect")
GO_BACK = "Press Enter to go back to the menu..."


def start(args: Namespace) -> int:
    """Open the full-screen application, or show the menu if the terminal can't show it."""
    if not args.plain and full_screen():
        from number_duels.terminal.app.application import run

        return run(calm=args.calm)
    return menu(args)


def menu(args: Namespace) -> int:
    console = Console(plain=args.plain)
    console.say(
        [
            "Welcome to Number Duels!",
            f"Two players, {count_word(len(names()))} games, a few numbers.",
            "",
        ]
    )
    options = ("--plain",) if args.plain else ()
    while True:
        words = choose(console, "What would you like to do? ", first_page(read_config()), "Quit")
        if words is None:
            console.say(["Goodbye!"])
            return DONE
        try:
            if whole := complete(console, words):
                perform(console, (*whole, *options))
        except KeyboardInterrupt:  # back to the menu
            console.draw([""])


def first_page(config: Config) -> list[MenuEntry]:
    page = [
        *games_page("play"),
        MenuEntry("t", "Train", "drills, puzzles and lessons of a game", ("train",)),
        MenuEntry("r", "Rules", "read the rules of a game", ("rules",)),
        MenuEntry("a", "Analyze", "see the winning chance of every first move", ("analyze",)),
        MenuEntry("s", "Solve", "who wins if both play perfectly", ("solve",)),
        MenuEntry("m", "Measure", "let computer players meet, and rate them", ("arena",)),
        MenuEntry("b", "Browser", "play across a network, until Ctrl-C", ("serve",)),
    ]
    if config.game:
        title, setup = find_game(config.game).title, GameSetup.remembered(config.game, config)
        against = "by two people" if config.opponent == HUMAN else f"against {config.opponent}"
        again = setup.words(config.opponent)
        page.append(MenuEntry("l", "Like last time", f"{title}, {against}", again))
    if (path := saves.latest_unfinished()) is not None:
        title = find_game(saves.read_records(path)[0].record.game).title
        page.append(MenuEntry("c", "Continue", f"go on with {title}", ("resume", str(path))))
    if any(saves.saved_games()):
        page.append(MenuEntry("w", "Watch", "see one of your games again", ("replay",)))
        page.append(MenuEntry("v", "Review", "see what each move of a game cost", ("review",)))
    return page


def games_page(command: str) -> list[MenuEntry]:
    games = map(find_game, names())
    return [
        MenuEntry(str(n), g.title, g.summary, (command, g.name)) for n, g in enumerate(games, 1)
    ]


def saved_page(command: str) -> list[MenuEntry]:
    page = []
    for n, game in enumerate(islice(saves.saved_games(), NEWEST), 1):
        title, about = find_game(game.record.game).title, f"{game.when}, {game.standing}"
        page.append(MenuEntry(str(n), title, about, (command, str(game.path))))
    return page


def complete(console: Console, words: tuple[str, ...]) -> tuple[str, ...]:
    """Ask for the missing words of a command. Return () to go back to the menu."""
    match words:
        case ("play", game):
            return set_up(console, GameSetup.remembered(game, read_config()))
        case ("rules" | "analyze" | "train",):
            return choose(console, "Which game? ", games_page(words[0])) or ()
        case ("arena",):
            chosen = choose(console, "Which game? ", games_page("arena"))
            return measuring(chosen[1]) if chosen else ()
        case ("replay" | "review",):
            return choose(console, "Which game? ", saved_page(words[0])) or ()
        case _:
            return words


def measuring(game: str) -> tuple[str, ...]:
    """Return the command for a small arena of built-in players.

    Its results file is kept, so a second run is quick.
    """
    kept = saves.games_folder().parent / "arenas" / f"{game}.jsonl"
    return ("arena", "--games", game, "--pairs", "25", "--out", str(kept), "--players", *METERED)


def run_quietly(words: tuple[str, ...]) -> int:
    """Run a command. Drop what is typed meanwhile, unless the command asks questions."""
    asks = words[0] in ("play", "resume", "train")
    with nullcontext() if asks else thinking():
        return execute(parsed(list(words)))


def perform(console: Console, words: tuple[str, ...]) -> None:
    """Run a command as if it had been typed. Offer to play a game again."""
    again = [MenuEntry("y", "Yes", "the same again", words)]
    while True:
        status = DONE
        try:
            status = run_quietly(words)
        except CommandError as error:
            console.say([str(error)])
        console.say([""])
        if status == INTERRUPTED:
            return
        if words[0] != "play":
            if console.keyboard:
                console.ask(Prompt(GO_BACK))
                console.say([""])
            return
        if choose(console, "Play again? ", again, "No") is None:
            return


# ---- setting up a game --------------------------------------------------------


NEXT_FIRST = {"1": "2", "2": "random", "random": "1"}


@dataclass(frozen=True)
class GameSetup:
    """The choices for a new game."""

    game: str
    names: str
    seat: int
    hints: bool
    #: The player with the first turn: "1", "2" or "random". Empty if the game has no first turn.
    first: str

    @classmethod
    def remembered(cls, game: str, config: Config) -> GameSetup:
        first = "1" if "first" in find_game(game).describe_settings() else ""
        return cls(game, config.names, config.seat, config.hints, first)

    def words(self, opponent: str) -> tuple[str, ...]:
        words = ["play", self.game, "--names", self.names]
        if self.first:
            words += ["--first", self.first]
        if opponent != HUMAN:
            words += ["--one" if self.seat == 2 else "--two", opponent]
            words += ["--hints"] if self.hints else []
        return tuple(words)

    def page(self) -> list[MenuEntry]:
        """Return the opponents and the other choices as menu entries."""
        one, two = split_names(self.names)
        page = []
        for n, kind in enumerate(KINDS, 1):
            human = kind == HUMAN
            title = "Two people" if human else f"Against {kind}"
            about = "take turns at this keyboard" if human else described(kind, self.game)
            page.append(MenuEntry(str(n), title, about, (kind,)))
        page.append(MenuEntry("n", "Names", f"{one} and {two}", ("names",)))
        you = (one, two)[self.seat - 1]
        page.append(MenuEntry("s", "Seat", f"you are {you} against the computer", ("seat",)))
        if self.first:
            starter = {"1": one, "2": two}.get(self.first, "chance decides who")
            page.append(MenuEntry("f", "First", f"{starter} takes the first turn", ("first",)))
        hints = "on against the computer" if self.hints else "off"
        page.append(MenuEntry("h", "Hints", hints, ("hints",)))
        return page

    def changed(self, what: str, console: Console) -> GameSetup:
        match what:
            case "names":
                return replace(self, names=ask_names(console, self.names))
            case "seat":
                return replace(self, seat=3 - self.seat)
            case "first":
                return replace(self, first=NEXT_FIRST[self.first])
        return replace(self, hints=not self.hints)


def set_up(console: Console, setup: GameSetup) -> tuple[str, ...]:
    """Ask for the opponent and other changes. Return () to go back to the menu."""
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
    """Ask for both names. Enter or Ctrl-C keeps the old ones."""
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


# ---- a page of entries --------------------------------------------------------


@dataclass(frozen=True)
class MenuEntry:
    """A line of a menu, and the words of its command."""

    key: str
    title: str
    note: str
    words: tuple[str, ...]


def choose(
    console: Console, prompt: str, entries: list[MenuEntry], way_out: str = "Back"
) -> tuple[str, ...] | None:
    """Ask for an entry. Return its words, or None for the way out."""
    entries = [*entries, MenuEntry("n" if way_out == "No" else "q", way_out, "", ())]
    wide = max(len(entry.title) for entry in entries)
    for entry in entries:
        key = console.paint(entry.key, "bold")
        console.say([f"  {key}  {entry.title:{wide}}  {entry.note}".rstrip()])
    answers = (Answer(e.key, e.title, e, (e.title.casefold(),)) for e in entries)
    question = Question(f"\n{prompt}", tuple(answers))
    reason = None
    while True:
        reply = console.ask(Prompt(question.prompt, reason=reason))
        found = find(question, reply)
        if isinstance(found, MenuEntry):
            console.say([""])
            return found.words or None
        reason = refusal(question, reply)
