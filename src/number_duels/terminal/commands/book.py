"""The command `duels book`, which lists and changes the mistake book."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.progress_bar import progress_bar
from number_duels.core.record import Record
from number_duels.core.storage import replace_file
from number_duels.core.text import counted, printable
from number_duels.games import full_name
from number_duels.sessions.book import NOTHING_FOUND, listed_cards, removals
from number_duels.sessions.progress import so_far
from number_duels.solvers.cache import Progress, silent
from number_duels.solvers.solver import LARGE_CACHE_BYTES
from number_duels.terminal.arguments import game_name
from number_duels.terminal.errors import DONE, file_errors, refusing, usage
from number_duels.terminal.line.console import Console, note, print_json, suggest, thinking
from number_duels.terminal.saves import read_records, saved_games
from number_duels.trainer.book import AddCard, Book, BookFile, Card, event_line
from number_duels.trainer.own_mistakes import NewCards, new_cards

EMPTY = "Your book is empty. It collects the mistakes you make in drills, puzzles and saved games."


def run_book(args: Namespace) -> int:
    actions = {
        "list": show_cards,
        "find": show_cards,
        "add": add_files,
        "remove": remove_cards,
        "merge": merge_book,
        "export": export_book,
    }
    if args.name is not None and args.action != "add":
        raise usage("--name works only with book add.")
    if args.json and args.action not in ("list", "find"):
        raise usage("--json works only with book list or book find.")
    with refusing():
        return actions[args.action](args)


def words_of(args: Namespace, least: int, most: int | None, wanted: str) -> list[str]:
    words: list[str] = args.what
    if len(words) < least or (most is not None and len(words) > most):
        raise usage(f"`duels book {args.action}` takes {wanted}.")
    return words


def show_cards(args: Namespace) -> int:
    only = search = ""
    if args.action == "find":
        search = " ".join(words_of(args, 1, None, "one or more words"))
    else:
        only = "".join(map(game_name, words_of(args, 0, 1, "the name of one game, or nothing")))
    book, now = collected_book(BookFile()), args.clock.now()
    found = listed_cards(book, now, only, search)
    if args.json:
        print_json(book_json(book, now, only, [one.card for one in found]))
        return DONE
    console = Console(plain=args.plain)
    if not found and book.cards:
        console.say([NOTHING_FOUND])
        return DONE
    if not found:
        console.say([EMPTY])
        suggest(("Begin:", "train", "drill", *([only] if only else [])))
        return DONE
    console.say([f"{so_far(book, local_day(args.clock)).capitalize()}."])
    for one in found:
        about = ", ".join(filter(None, (one.title, one.position, *one.facts, one.cost)))
        console.draw([f"  {one.card.id}  {one.comes_back:11}  {about}"])
    suggest(("Repeat them:", "train", "today"), ("Remove one:", "book", "remove", "ID"))
    return DONE


def add_files(args: Namespace) -> int:
    paths = words_of(args, 1, None, "one or more files of recorded games")
    records = [saved.record for path in paths for saved in read_records(Path(path))]
    with thinking(), progress_bar("Grading the games") as report:
        found = add_mistakes(BookFile(), records, name=args.name, progress=report, max_bytes=None)
    Console(plain=args.plain).say(found_lines(found))
    return DONE


def remove_cards(args: Namespace) -> int:
    file = BookFile()
    wanted = words_of(args, 1, None, "ids that `duels book` lists, or the name of a game")
    book = file.read()
    cards: dict[str, Card] = {}
    for word in wanted:
        if card := book.card(word):
            cards[card.id] = card
        else:
            cards |= {card.id: card for card in cards_of(book, word)}
    file.append(*removals(cards.values(), args.clock.now()))
    Console(plain=args.plain).say([f"{counted(len(cards), 'mistake')} removed."])
    return DONE


def cards_of(book: Book, named: str) -> list[Card]:
    try:
        game = full_name(named)
    except ValueError:
        raise usage(
            f"There is no mistake {printable(named)!r} in your book; see: duels book"
        ) from None
    return [card for card in book.cards if card.spot.game == game]


def found_lines(found: NewCards) -> list[str]:
    new = counted(len(found.cards), "new mistake")
    left_out = [f"{reason} ({count})" for reason, count in found.left_out.items()]
    return [
        f"{new} in your book, from {counted(found.games, 'game')}.",
        *([f"Not counted: {', '.join(left_out)}."] if left_out else []),
    ]


def merge_book(args: Namespace) -> int:
    (path,) = words_of(args, 1, 1, "the name of one book file")
    new = BookFile().merge(Path(path))
    Console(plain=args.plain).say([f"{counted(new, 'new event')} merged into your book."])
    return DONE


def export_book(args: Namespace) -> int:
    path = Path(*words_of(args, 1, 1, "the name of a new file"))
    events = BookFile().read().events
    if os.path.lexists(path):
        raise usage(f"{path} exists already; name another file.")
    with file_errors(path, "written"), replace_file(path) as file:
        file.write("".join(f"{event_line(event)}\n" for event in events).encode())
    Console(plain=args.plain).say([f"Your book was exported to {path}."])
    return DONE


def collected_book(file: BookFile) -> Book:
    with thinking(), progress_bar("Reading your games") as report:
        found = collect_mistakes(file, report)
    if found.problem:
        note(found.problem)
    return file.read()


def book_json(book: Book, now: datetime, game: str, cards: Sequence[Card]) -> dict[str, object]:
    answers = [answer for answer in book.answers if game in ("", answer.spot.game)]
    return {
        "today": sum(card.is_due(now) for card in cards),
        "answers": len(answers),
        "right": sum(answer.right for answer in answers),
        "daily_streak": book.daily_streak(now.astimezone().date()),
        "cards": [card_json(card, now) for card in cards],
    }


def card_json(card: Card, now: datetime) -> dict[str, object]:
    return {
        "card": card.id,
        **card.spot.to_json(),
        "source": card.source,
        "cost": card.cost,
        "due": card.due.astimezone(UTC).isoformat(),
        "is_due": card.is_due(now),
        "tries": card.tries,
        "misses": card.misses,
    }


class Collected(NamedTuple):
    """How many cards are new, or an error message if they could not be saved."""

    new: int
    problem: str = ""


def collect_mistakes(file: BookFile, progress: Progress = silent) -> Collected:
    """Add each mistake in the saved games to the book, unless it was added before."""
    found = new_cards(file.read(), (game.record for game in saved_games()), progress=progress)
    try:
        file.append(*found.cards)
    except ValueError as problem:
        return Collected(0, str(problem))
    return Collected(len(found.cards))


def add_mistakes(
    file: BookFile,
    records: Iterable[Record],
    *,
    name: str | None = None,
    progress: Progress = silent,
    max_bytes: int | None = LARGE_CACHE_BYTES,
) -> NewCards:
    found = new_cards(file.read(), records, name=name, progress=progress, max_bytes=max_bytes)
    file.append(*found.cards)
    return found


def add_position(file: BookFile, card: AddCard, clock: Clock = SYSTEM_CLOCK) -> str:
    book = file.read()
    known = book.card(card.card)
    if known:
        return (
            f"This position is already in your book; it comes back {known.comes_back(clock.now())}."
        )
    file.append(book.asked_for(card))
    return f"This position is now in your book, with {card.spot.seat} to move; it comes back today."


def local_day(clock: Clock = SYSTEM_CLOCK) -> date:
    return clock.now().astimezone().date()
