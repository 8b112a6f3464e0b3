"""The `duels` command without arguments, which opens full-screen mode or a text menu."""

from __future__ import annotations

from argparse import Namespace
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice

from number_duels.core.clock import Clock
from number_duels.core.questions import Answer, Prompt, Question, find, refusal
from number_duels.core.record import check_names, split_names
from number_duels.core.text import count_word
from number_duels.games import find as find_game
from number_duels.games import names
from number_duels.players.registry import HUMAN, KINDS, described, full_name
from number_duels.terminal import saves
from number_duels.terminal.config import (
    PREFERENCES,
    Config,
    change,
    choices,
    config_path,
    meaning,
    read_config,
    remember,
)
from number_duels.terminal.errors import DONE, INTERRUPTED, CommandError
from number_duels.terminal.line.console import Console, breadth, on_full_screen, thinking
from number_duels.terminal.main import execute
from number_duels.terminal.menu_entries import (
    MenuEntry,
    games_entries,
    home_entries,
    measuring,
    more_entries,
    play_words,
    read_book,
    read_today,
    training_entries,
)
from number_duels.terminal.parser import parsed

NEWEST = 9
GO_BACK = "Press Enter to go back to the menu..."


def start(args: Namespace) -> int:
    if on_full_screen(args):
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
        entries = list(home_entries(read_today(args.clock)))
        words = choose(console, "What would you like to do? ", entries, "Quit")
        if words is None:
            console.say(["Goodbye!"])
            return DONE
        try:
            if words == ("settings",):
                change_settings(console)
            elif whole := complete(console, words, args.clock):
                perform(console, (*whole, *options))
        except KeyboardInterrupt:  # back to the menu
            console.draw([""])


def complete(console: Console, words: tuple[str, ...], clock: Clock) -> tuple[str, ...]:
    """Complete a command by asking questions. Return () if the user goes back to the menu."""
    match words:
        case ("play", game):
            config = read_config()
            first = "1" if "first" in find_game(game).describe_settings() else ""
            return set_up(console, GameSetup(game, config.names, config.seat, config.hints, first))
        case ("rules" | "analyze" | "arena",):
            chosen = choose(console, "Which game? ", games_entries(words[0])) or ()
            return measuring(chosen[1]) if chosen[:1] == ("arena",) else chosen
        case ("more",):
            chosen = choose(console, "Which command? ", list(more_entries())) or ()
            return complete(console, chosen, clock)
        case ("train",):
            return choose_training(console, clock)
        case ("saves",):
            return saved_game(console)
        case _:
            return words


def choose_training(console: Console, clock: Clock, game: str = "") -> tuple[str, ...]:
    title = find_game(game).title if game else ""
    entries = list(training_entries(read_book(clock), clock, title))
    chosen = choose(console, "What would you like to practice? ", entries)
    if chosen is None or chosen[0] == "book":
        return chosen or ()
    if chosen[0] in ("today", "daily"):
        return ("train", *chosen)
    if not game:
        named = choose(console, "Which game? ", games_entries("train"))
        game = named[1] if named else ""
    return ("train", *chosen, game) if game else ()


def saved_game(console: Console) -> tuple[str, ...]:
    page = []
    for n, game in enumerate(islice(saves.saved_games(), NEWEST), 1):
        title, about = find_game(game.record.game).title, f"{game.when}, {game.standing}"
        page.append(MenuEntry(str(n), title, about, (str(game.path), game.record.result)))
    if not page:
        console.say(["No game is saved yet. Every game that you play is saved here.", ""])
        return ()
    chosen = choose(console, "Which game? ", page)
    if chosen is None:
        return ()
    path, result = chosen
    unfinished = result == "*"
    entries = [
        *([MenuEntry("c", "Continue", "play on", ("resume", path))] if unfinished else []),
        MenuEntry("w", "Watch", "turn by turn", ("replay", path)),
        MenuEntry("v", "Review", "what each move cost", ("review", path)),
        MenuEntry("d", "Delete", "you can't undo this", ("saves", "--delete", path)),
    ]
    return choose(console, "What would you like to do with it? ", entries) or ()


def perform(console: Console, words: tuple[str, ...]) -> None:
    """Run a command as if it had been typed. After a game, offer to play it again."""
    again = [MenuEntry("y", "Yes", "the same game again", words)]
    while True:
        status = DONE
        try:
            # Drop what is typed meanwhile, unless the command asks questions.
            asks = words[0] in ("play", "resume", "train", "saves")
            with nullcontext() if asks else thinking():
                status = execute(parsed(list(words)))
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


NEXT_FIRST = {"1": "2", "2": "random", "random": "1"}


@dataclass(frozen=True)
class GameSetup:
    game: str
    names: str
    seat: int
    hints: bool
    #: The player with the first turn: "1", "2" or "random", or "" if there are no turns.
    first: str

    def words(self, opponent: str) -> tuple[str, ...]:
        setup = self.game, self.names, self.seat, opponent
        return play_words(*setup, hints=self.hints, first=self.first)

    def page(self) -> list[MenuEntry]:
        one, two = split_names(self.names)
        page = []
        for n, kind in enumerate(KINDS, 1):
            human = kind == HUMAN
            title = "Two people" if human else f"Against {full_name(kind).lower()}"
            about = "take turns at this keyboard" if human else described(kind, self.game)
            page.append(MenuEntry(str(n), title, about, (kind,)))
        page.append(MenuEntry("n", "Names", f"{one} and {two}", ("names",)))
        you = (one, two)[self.seat - 1]
        page.append(MenuEntry("s", "Side", f"you play as {you} against the computer", ("seat",)))
        if self.first:
            starter = {"1": one, "2": two}.get(self.first, "a random player")
            page.append(MenuEntry("f", "First", f"{starter} takes the first turn", ("first",)))
        hints = "on in games against the computer" if self.hints else "off"
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
    # Enter or Ctrl-C keeps the old names.
    reason = None
    while True:
        prompt = Prompt("Both names, separated by a comma: ", reason=reason)
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


WAY_BACK = "Full-screen mode opens the next time you run `duels`."


def change_settings(console: Console) -> None:
    console.say([f"Changes are saved immediately, in {config_path()}.", ""])
    while chosen := choose(console, "Which one? ", settings_page(config := read_config())):
        (name,) = chosen
        allowed, value = choices(name), getattr(config, name)
        if allowed:
            value = allowed[(allowed.index(value) + 1) % len(allowed)]
        else:
            value = ask_names(console, value)
        try:
            change(config, **{name: value})
        except CommandError as error:
            console.say([str(error), ""])
        if name == "plain" and value is False:
            console.say([WAY_BACK, ""])


def settings_page(config: Config) -> list[MenuEntry]:
    values = {name: getattr(config, name) for name in PREFERENCES}
    shown = {n: ("off", "on")[v] if isinstance(v, bool) else v for n, v in values.items()}
    wide = max(map(breadth, shown.values()))
    return [
        MenuEntry(str(n), name.capitalize(), f"{value:{wide}}  {meaning(name)}", (name,))
        for n, (name, value) in enumerate(shown.items(), 1)
    ]


def choose(
    console: Console, prompt: str, entries: list[MenuEntry], way_out: str = "Back"
) -> tuple[str, ...] | None:
    """Show a menu and ask for one of its entries. Return its `words`, or None for `way_out`."""
    entries = [*entries, MenuEntry("n" if way_out == "No" else "q", way_out, "", ())]
    wide = max(len(entry.title) for entry in entries if entry.note or not entry.words)
    for entry in entries:
        if entry.apart:
            console.say([""])
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
