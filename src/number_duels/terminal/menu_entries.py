"""The entries of the first menu and of the menu of training, on the full screen and in lines.

Both front ends list the same entries with the same keys. An entry stands for a command.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.record import COMPUTER_NAME, Record, shown_names, split_names, with_names
from number_duels.core.text import count_word, counted
from number_duels.games import find, names
from number_duels.players.registry import HUMAN, KINDS, full_name
from number_duels.terminal import saves

if TYPE_CHECKING:
    from number_duels.trainer.book import Book
    from number_duels.trainer.lessons import Lesson

#: The players of the arena that the page "More" offers.
METERED = ("random", "level:1", "level:3", "perfect")


class MenuEntry(NamedTuple):
    """A line of a menu: its key, its text, and the command that it stands for."""

    key: str
    title: str
    note: str
    words: tuple[str, ...]
    #: Whether an empty line comes before it.
    apart: bool = False


# ---- the first menu ------------------------------------------------------------


def home_entries(today: Today | None = None) -> Iterator[MenuEntry]:
    """Yield the entries of the first menu. Every front end adds a way out.

    `today` is None until the mistake book is read.
    """
    today = today or Today()
    games = list(saves.saved_games())
    latest = next(iter(games), None)
    kept = next((game.path for game in games if game.record.result == "*"), None)
    if latest is None and (learn := first_lesson()):
        yield learn
    if kept is not None:
        game = saves.read_records(kept)[0].record
        note = f"{find(game.game).title}, Player 1 and Player 2, turn {game.match().turn_number}"
        note = with_names(note, shown_names(game.players))
        yield MenuEntry("c", "Continue", note, ("resume", str(kept)))
    yield MenuEntry("y", "Puzzle of the day", today.puzzle, ("train", "daily"))
    if today.due:
        note = "your own mistakes: try them again"
        yield MenuEntry("d", f"{counted(today.due, 'card')} due", note, ("train", "today"))
    first, *others = games_entries("play")
    yield first._replace(apart=True)
    yield from others
    if latest is not None and all(person.who in KINDS for person in latest.record.players):
        yield like_last_time(latest.record)
    yield MenuEntry("t", "Train", "lessons, drills and puzzles", ("train",), apart=True)
    yield MenuEntry("s", "Saved games", "go on, watch again, review", ("saves",))
    yield MenuEntry("i", "Statistics", "how often you win, and what your mistakes cost", ("stats",))
    yield MenuEntry("a", "Analysis", "the winning chance of every move", ("analyze",))
    yield MenuEntry("r", "Rules", "each game in a page", ("rules",))
    yield MenuEntry("e", "Settings", "names, hints, colours", ("settings",))
    yield MenuEntry("m", "More", "solve games, measure players, play in a browser", ("more",))


def more_entries() -> Iterator[MenuEntry]:
    """Yield the entries of the page "More"."""
    yield MenuEntry("s", "Solve", "who wins if both play perfectly", ("solve",))
    yield MenuEntry("m", "Measure", "let computer players meet, and rate them", ("arena",))
    yield MenuEntry("b", "Browser", "play across a network, until Ctrl-C", ("serve",))


def measuring(game: str) -> tuple[str, ...]:
    """Return the command for a small arena of built-in players.

    Its results file is kept, so a second run is quick.
    """
    kept = saves.games_folder().parent / "arenas" / f"{game}.jsonl"
    return ("arena", "--games", game, "--pairs", "25", "--out", str(kept), "--players", *METERED)


def games_entries(command: str) -> list[MenuEntry]:
    """Return an entry per game, for a command that takes one."""
    games = map(find, names())
    return [
        MenuEntry(str(n), g.title, g.summary, (command, g.name)) for n, g in enumerate(games, 1)
    ]


def first_lesson() -> MenuEntry | None:
    """Return the entry of the shortest lesson, or None if the mistake book is in use."""
    from number_duels.trainer.book import BookFile

    first = None if BookFile().path.exists() else shortest_lesson()
    if first is None:
        return None
    title = f"New here? Learn {first.title} in {count_word(first.minutes)} minutes"
    return MenuEntry("n", title, "", ("train", "lesson", first.game))


def shortest_lesson() -> Lesson | None:
    """Return the lesson to begin with, or None if no game has one of its own."""
    from number_duels.trainer.lessons import lesson, lesson_names

    known = [lesson(name) for name in names() if name in lesson_names()]
    return min(known, key=lambda one: (one.minutes, len(one.steps)), default=None)


def like_last_time(record: Record) -> MenuEntry:
    """Return the entry that plays a recorded game again: same game, settings, seats and hints."""
    words, computers = ["--names", ",".join(person.name for person in record.players)], []
    for option, person in zip(("--one", "--two"), record.players, strict=True):
        if person.who != HUMAN:
            computers.append(full_name(person.who))
            words += [option, person.who]
    for name, value in record.settings.items():
        words += ["--first", str(value)] if name == "first" else ["--set", f"{name}={value}"]
    words += ["--hints"] if record.hints else []
    who = f"against {computers[0]}" if len(computers) == 1 else " and ".join(computers)
    note = f"{find(record.game).title}, {who or 'two people'}"
    return MenuEntry("l", "Like last time", note, ("play", record.game, *words))


def play_words(
    game: str, names: str, seat: int, opponent: str, *, hints: bool, first: str = ""
) -> tuple[str, ...]:
    """Return the command that starts a game of a person in a seat against an opponent."""
    people = list(split_names(names))
    words = ["--first", first] if first else []
    if opponent != HUMAN:
        people[2 - seat] = COMPUTER_NAME
        words += ["--one" if seat == 2 else "--two", opponent]
    words += ["--hints"] if hints else []
    return ("play", game, "--names", ",".join(people), *words)


# ---- training -------------------------------------------------------------------


def training_entries(book: Book, clock: Clock, game: str = "") -> Iterator[MenuEntry]:
    """Yield the entries of the menu of training. `game` is the title of the only one offered."""
    from number_duels.sessions.train import daily_note, today
    from number_duels.terminal.commands.book import local_day

    about = f"{game}: " if game else ""
    note = f"learn {game or 'a game'} in a few minutes, by playing it"
    yield MenuEntry("n", "Lesson", note, ("lesson",))
    yield MenuEntry("t", "Today", today(book, clock.now()), ("today",))
    yield MenuEntry("y", "Puzzle of the day", daily_note(book, local_day(clock)), ("daily",))
    note = f"{about}choose moves in many positions, and see their cost"
    yield MenuEntry("d", "Drills", note, ("drill",))
    note = f"{about}find the best move or the mistake, easy ones first"
    yield MenuEntry("p", "Puzzles", note, ("puzzles",))
    note = f"{counted(len(book.cards), 'card')}: find, practise or remove them"
    yield MenuEntry("b", "My book", note, ("book",))


class Today(NamedTuple):
    """The training that waits today: the puzzle of the day, and the cards that are due."""

    #: The puzzle of the day, or its result.
    puzzle: str = "a new one every day"
    #: The number of cards that are due.
    due: int = 0
    #: The days in a row, in a few words.
    standing: str = ""


def read_today(clock: Clock = SYSTEM_CLOCK) -> Today:
    """Read what the mistake book says about today."""
    from number_duels.sessions.train import daily_note
    from number_duels.terminal.commands.book import local_day

    book, day = read_book(clock), local_day(clock)
    due, streak = len(book.due(clock.now())), book.daily_streak(day)
    return Today(daily_note(book, day), due, f"{streak} days in a row" if streak > 1 else "")


def read_book(clock: Clock) -> Book:
    """Read the mistake book. It is empty if it can't be used, which the trainer reports."""
    from number_duels.trainer.book import Book, BookFile

    try:
        book = BookFile().read()
        book.due(clock.now())  # fails if there are cards and `fsrs` is missing
    except ValueError:
        return Book()
    return book
