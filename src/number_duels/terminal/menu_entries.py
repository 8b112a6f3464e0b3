"""The entries of the home menu and the training menu, for full-screen mode and line mode."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.record import COMPUTER_NAME, Record, shown_names, split_names
from number_duels.core.text import counted
from number_duels.games import find, names
from number_duels.players.levels import LEVELS
from number_duels.players.registry import HUMAN, KINDS, full_name
from number_duels.sessions.narration import turn_word
from number_duels.terminal import saves
from number_duels.terminal.saves import SavedGame

if TYPE_CHECKING:
    from number_duels.trainer.book import Book

LEVEL = "level:"
PRACTICE = "Practice mistakes"
METERED = ("random", "level:1", "level:3", "perfect")


class MenuEntry(NamedTuple):
    key: str
    title: str
    note: str
    words: tuple[str, ...]
    apart: bool = False


def home_entries(today: Today | None = None) -> Iterator[MenuEntry]:
    """Yield the entries of the home menu. `today` is None until the mistake book is read."""
    today = today or Today()
    games = list(saves.saved_games())
    latest = next(iter(games), None)
    kept = next((game.path for game in games if game.record.result == "*"), None)
    learn = first_lesson() if latest is None else None
    if learn:
        yield learn
    if kept is not None:
        game = saves.read_records(kept)[0].record
        match = game.match()
        place = f"{turn_word(match.game)} {match.turn_number}"
        note = f"{match.game.title}, {place}, {' and '.join(shown_names(game.players))}"
        yield MenuEntry("c", "Continue", note, ("resume", str(kept)))
    if today.due:
        note = counted(today.due, "mistake")
        yield MenuEntry("o", PRACTICE, note, ("train", "today"))
    puzzle = MenuEntry("y", "Daily puzzle", today.puzzle, ("train", "daily"))
    words = ("train", "lesson", today.lesson)
    if today.lesson_begun:
        yield MenuEntry("n", "Go on with the lesson", today.lesson_note, words)
    if not today.puzzle_done:
        yield puzzle
    if today.lesson and not today.lesson_begun and not learn:
        yield MenuEntry("n", "Next lesson", today.lesson_note, words)
    first, *others = games_entries("play", games)
    yield first._replace(apart=True)
    yield from others
    if latest is not None and all(person.who in KINDS for person in latest.record.players):
        yield like_last_time(latest.record, games)
    yield MenuEntry("t", "Train", "lessons, drills and puzzles", ("train",), apart=True)
    if today.puzzle_done:
        yield puzzle
    yield MenuEntry("s", "Saved games", "continue, replay or review a game", ("saves",))
    yield MenuEntry("i", "Statistics", "how often you win, and what your mistakes cost", ("stats",))
    yield MenuEntry("a", "Analysis", "the winning chance of every move", ("analyze",))
    yield MenuEntry("r", "Rules", "the rules of each game, on one page", ("rules",))
    yield MenuEntry("e", "Settings", "names, hints, colors", ("settings",))
    yield MenuEntry("m", "More", "solve games, measure players, play in a browser", ("more",))


def more_entries() -> Iterator[MenuEntry]:
    yield MenuEntry("s", "Solve", "who wins if both play perfectly", ("solve",))
    yield MenuEntry(
        "m", "Measure", "let computer players play each other, and rate them", ("arena",)
    )
    yield MenuEntry(
        "b", "Browser", "start a server to play in a browser; Ctrl-C stops it", ("serve",)
    )


def measuring(game: str) -> tuple[str, ...]:
    kept = saves.games_folder().parent / "arenas" / f"{game}.jsonl"
    return ("arena", "--games", game, "--pairs", "25", "--out", str(kept), "--players", *METERED)


def games_entries(command: str, played: Sequence[SavedGame] = ()) -> list[MenuEntry]:
    """Return an entry per game. Its note also names the level after the highest beaten one."""
    games = map(find, names())
    return [
        MenuEntry(str(n), g.title, f"{g.summary}{level_words(g.name, played)}", (command, g.name))
        for n, g in enumerate(games, 1)
    ]


def first_lesson() -> MenuEntry | None:
    """Return an entry for the first lesson, or None if the user already has a mistake book."""
    from number_duels.sessions.progress import next_lesson
    from number_duels.trainer.book import Book, BookFile

    first = None if BookFile().path.exists() else next_lesson(Book())
    if first is None:
        return None
    minutes = counted(first.minutes, "minute")
    title = f"New here? Learn {first.title} in {minutes}, or just play a game below"
    return MenuEntry("n", title, "", ("train", "lesson", first.game))


def like_last_time(record: Record, played: Iterable[SavedGame] = ()) -> MenuEntry:
    """Return an entry that repeats the last game, or offers the next level after a win."""
    title = "Like last time"
    words, computers = ["--names", ",".join(person.name for person in record.players)], []
    for option, person in zip(("--one", "--two"), record.players, strict=True):
        if person.who != HUMAN:
            who = level_after(person.who, record.game, played)
            title = "Like last time" if who == person.who else "Next level"
            computers.append(full_name(who).replace("Level", "level"))
            words += [option, who]
    for name, value in record.settings.items():
        words += ["--first", str(value)] if name == "first" else ["--set", f"{name}={value}"]
    words += ["--hints"] if record.hints else []
    who = f"against {computers[0]}" if len(computers) == 1 else " and ".join(computers)
    note = f"{find(record.game).title}, {who or 'two people'}"
    return MenuEntry("l", title, note, ("play", record.game, *words))


def level_words(game: str, played: Iterable[SavedGame]) -> str:
    highest = max(beaten_levels(game, played), default=0)
    following = full_name(next_level(highest)).replace("Level", "level")
    return f" Next: {following}." if highest else ""


def next_level(beaten: int) -> str:
    return f"{LEVEL}{beaten + 1}" if beaten < LEVELS[-1] else "perfect"


def level_after(who: str, game: str, played: Iterable[SavedGame]) -> str:
    """Return the level above the highest beaten one, or `who` if the user has not beaten `who`."""
    beaten = beaten_levels(game, played)
    if not who.startswith(LEVEL) or int(who.removeprefix(LEVEL)) not in beaten:
        return who
    return next_level(max(beaten))


def level_before(who: str) -> str:
    """Return the computer player that is a level easier, or `who` if there is none.

    >>> [level_before(who) for who in ("perfect", "level:3", "level:1", "random", "human")]
    ['level:5', 'level:2', 'level:1', 'random', 'human']
    """
    if who == "perfect":
        return f"{LEVEL}{LEVELS[-1]}"
    level = int(who.removeprefix(LEVEL)) if who.startswith(LEVEL) else 0
    return f"{LEVEL}{level - 1}" if level > LEVELS[0] else who


def beaten_levels(game: str, played: Iterable[SavedGame]) -> list[int]:
    wins = {"1-0": 0, "0-1": 1}
    return [
        int(opponent.who.removeprefix(LEVEL))
        for one in played
        if one.record.game == game and one.record.result in wins and not one.record.takebacks
        for winner in [wins[one.record.result]]
        for opponent in [one.record.players[1 - winner]]
        if one.record.players[winner].who == HUMAN and opponent.who.startswith(LEVEL)
    ]


def play_words(
    game: str, names: str, seat: int, opponent: str, *, hints: bool, first: str = ""
) -> tuple[str, ...]:
    people = list(split_names(names))
    words = ["--first", first] if first else []
    if opponent != HUMAN:
        people[2 - seat] = COMPUTER_NAME
        words += ["--one" if seat == 2 else "--two", opponent]
    words += ["--hints"] if hints else []
    return ("play", game, "--names", ",".join(people), *words)


def training_entries(book: Book, clock: Clock, game: str = "") -> Iterator[MenuEntry]:
    from number_duels.sessions.progress import daily_note, next_lesson_words, today
    from number_duels.terminal.commands.book import local_day

    about = f"{game}: " if game else ""
    following = "" if game else next_lesson_words(book)
    note = f"learn {game or 'a game'} in a few minutes, by playing it"
    note = f"next: {following}" if following and book.answers else note
    yield MenuEntry("n", "Lesson", note, ("lesson",))
    due = len(book.due(clock.now()))
    note = counted(due, "mistake") if due else today(book, clock.now())
    yield MenuEntry("o", PRACTICE, note, ("today",))
    yield MenuEntry("y", "Daily puzzle", daily_note(book, local_day(clock)), ("daily",))
    note = f"{about}choose moves in many positions, and see their cost"
    yield MenuEntry("d", "Drills", note, ("drill",))
    note = f"{about}find the best move or the mistake, easy puzzles first"
    yield MenuEntry("p", "Puzzles", note, ("puzzles",))
    note = f"{counted(len(book.cards), 'mistake')}: find, practice or remove them"
    yield MenuEntry("b", "Mistake book", note, ("book",))


class Today(NamedTuple):
    puzzle: str = "a new one every day"
    puzzle_done: bool = False
    due: int = 0
    standing: str = ""
    lesson: str = ""
    lesson_note: str = ""
    lesson_begun: bool = False


def read_today(clock: Clock = SYSTEM_CLOCK) -> Today:
    from number_duels.sessions.progress import (
        daily_note,
        lesson_note,
        next_lesson,
        next_lesson_words,
        standing,
    )
    from number_duels.terminal.commands.book import local_day
    from number_duels.trainer.book import is_explained

    book, day, now = read_book(clock), local_day(clock), clock.now()
    following, tries = next_lesson(book), book.daily_tries(day)
    return Today(
        daily_note(book, day),
        any(tries) or is_explained(tries),
        len(book.due(now)),
        standing(book, day, now),
        following.game if following else "",
        next_lesson_words(book),
        bool(following and lesson_note(book, following.game)),
    )


def read_book(clock: Clock) -> Book:
    # An unusable book counts as empty.
    from number_duels.trainer.book import Book, BookFile

    try:
        book = BookFile().read()
        book.due(clock.now())  # fails if there are cards and `fsrs` is missing
    except ValueError:
        return Book()
    return book
