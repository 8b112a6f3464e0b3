"""`duels` alone: a menu for newcomers, from which everything can be reached."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass

from number_duels.core.questions import Answer, Prompt, Question, find, refusal
from number_duels.core.text import count_word
from number_duels.games import find as find_game
from number_duels.games import names
from number_duels.players.registry import KINDS
from number_duels.terminal import saves
from number_duels.terminal.commands.play import standing
from number_duels.terminal.errors import DONE, CommandError
from number_duels.terminal.main import execute
from number_duels.terminal.parser import parsed
from number_duels.terminal.ui.console import Console

NEWEST = 9
#: Who meets when somebody just wants to see it.
METERED = ("random", "level:1", "level:3", "perfect")


@dataclass(frozen=True)
class Entry:
    """One line of a menu, and the words of the command that it stands for."""

    key: str
    title: str
    note: str
    words: tuple[str, ...]


def menu(args: Namespace) -> int:
    """Show the menu until the user has had enough."""
    console = Console(plain=args.plain)
    console.say(
        [
            "Welcome to Number Duels!",
            f"Two players, {count_word(len(names()))} games, a few numbers.",
            "",
        ]
    )
    while True:
        words = choose(console, "What would you like to do? ", first_page(), "Quit")
        words = words and complete(console, words)
        if words is None:
            console.say(["Goodbye!"])
            return DONE
        if words:
            perform(console, (*words, *(["--plain"] if args.plain else [])))


def first_page() -> list[Entry]:
    """What can be done now."""
    page = [
        *games_page("play"),
        Entry("r", "Rules", "read the rules of a game", ("rules",)),
        Entry("a", "Analyze", "see what every first move is worth", ("analyze",)),
        Entry("s", "Solve", "who wins if both play perfectly", ("solve",)),
        Entry("m", "Measure", "let computer players meet, and rate them", ("arena",)),
        Entry("b", "Browser", "play across a network, until Ctrl-C", ("serve",)),
    ]
    if (path := saves.latest_unfinished()) is not None:
        title = find_game(saves.read_records(path)[0].record.game).title
        page.append(Entry("c", "Continue", f"go on with {title}", ("resume", str(path))))
    if any(saves.saved_games()):
        page.append(Entry("w", "Watch", "see one of your games again", ("replay",)))
        page.append(Entry("v", "Review", "see what each move of a game cost", ("review",)))
    return page


def games_page(command: str) -> list[Entry]:
    """All games, numbered."""
    games = map(find_game, names())
    return [Entry(str(n), g.title, g.summary, (command, g.name)) for n, g in enumerate(games, 1)]


def opponents_page(words: tuple[str, ...]) -> list[Entry]:
    """Who can sit on the other side."""
    page = [Entry("1", "Two people", "take turns at this keyboard", words)]
    for n, (kind, note) in enumerate(KINDS.items(), 1):
        if kind != "human":
            page.append(Entry(str(n), f"Against {kind}", note, (*words, "--hints", "--two", kind)))
    return page


def saved_page(command: str) -> list[Entry]:
    """The newest games."""
    page = []
    for n, (path, record) in enumerate(saves.saved_games(), 1):
        if n > NEWEST:
            break
        title = find_game(record.game).title
        page.append(Entry(str(n), title, standing(record), (command, str(path))))
    return page


def complete(console: Console, words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Ask for what a command still needs; nothing: back to the menu."""
    match words:
        case ("play", _):
            return choose(console, "Who plays? ", opponents_page(words)) or ()
        case ("rules" | "analyze",):
            return choose(console, "Which game? ", games_page(words[0])) or ()
        case ("arena",):
            chosen = choose(console, "Which game? ", games_page("arena"))
            return measuring(chosen[1]) if chosen else ()
        case ("replay" | "review",):
            return choose(console, "Which game? ", saved_page(words[0])) or ()
        case _:
            return words


def measuring(game: str) -> tuple[str, ...]:
    """A small arena of built-in players; its games are kept, so that it is quick the next time."""
    kept = saves.games_folder().parent / "arenas" / f"{game}.jsonl"
    return ("arena", "--games", game, "--pairs", "25", "--out", str(kept), "--players", *METERED)


def perform(console: Console, words: tuple[str, ...]) -> None:
    """Run a command, as if it had been typed; a game can be played again."""
    while True:
        try:
            execute(parsed(list(words)))
        except CommandError as error:
            console.say([str(error)])
        console.say([""])
        again = [Entry("y", "Yes", "the same again", words)]
        if words[0] != "play" or choose(console, "Play again? ", again, "No") is None:
            return


def choose(
    console: Console, prompt: str, entries: list[Entry], way_out: str = "Back"
) -> tuple[str, ...] | None:
    """The words of the chosen entry; None is the way out."""
    entries = [*entries, Entry("n" if way_out == "No" else "q", way_out, "", ())]
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
        if isinstance(found, Entry):
            console.say([""])
            return found.words or None
        reason = refusal(question, reply)
