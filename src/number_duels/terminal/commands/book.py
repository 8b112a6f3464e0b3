"""`duels book`: list, add, remove, merge and export the cards of the mistake book."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.record import Record
from number_duels.core.storage import replace_file
from number_duels.core.text import counted, printable
from number_duels.sessions.train import so_far
from number_duels.solvers.cache import Progress, silent
from number_duels.solvers.solver import LARGE_CACHE_BYTES
from number_duels.terminal.arguments import game_name
from number_duels.terminal.errors import DONE, file_errors, refusing, usage
from number_duels.terminal.line.console import Console, print_json, suggest, thinking
from number_duels.terminal.line.progress import progress_bar
from number_duels.terminal.saves import read_records, saved_games
from number_duels.trainer.book import AddCard, Book, BookFile, Card, RemoveCard, event_line
from number_duels.trainer.own_mistakes import NewCards, new_cards


def run_book(args: Namespace) -> int:
    actions = {
        "list": list_cards,
        "add": add_files,
        "remove": remove_cards,
        "merge": merge_book,
        "export": export_book,
    }
    if args.name is not None and args.action != "add":
        raise usage("--name goes with book add.")
    if args.json and args.action != "list":
        raise usage("--json goes with book list.")
    with refusing():
        return actions[args.action](args)


def words_of(args: Namespace, least: int, most: int | None, wanted: str) -> list[str]:
    """Return the words after an action, or refuse a wrong number of them."""
    words: list[str] = args.what
    if len(words) < least or (most is not None and len(words) > most):
        raise usage(f"`duels book {args.action}` takes {wanted}.")
    return words


def list_cards(args: Namespace) -> int:
    only = "".join(map(game_name, words_of(args, 0, 1, "the name of one game, or nothing")))
    book, now = collected_book(BookFile()), args.clock.now()
    if args.json:
        print_json(book_json(book, now, only))
        return DONE
    cards = [card for card in book.cards if only in ("", card.spot.game)]
    console = Console(plain=args.plain)
    if not cards:
        console.say(["No cards yet: a mistake in a drill, a puzzle or a reviewed game makes one."])
        suggest(("Begin:", "train", "drill", *([only] if only else [])))
        return DONE
    console.say([f"{so_far(book, local_day(args.clock)).capitalize()}."])
    for card in cards:
        about = f"{card.spot.game}, {card.spot.seat} after {card.spot.moves or 'the start'}"
        console.draw([f"  {card.id}  {card.comes_back(now):11}  {about}"])
    suggest(("Answer what is due:", "train", "today"), ("Remove a card:", "book", "remove", "CARD"))
    return DONE


def add_files(args: Namespace) -> int:
    """Add the mistakes of recorded games to the book, however large the solutions are."""
    records = records_of(words_of(args, 1, None, "one file of recorded games, or more"))
    with thinking(), progress_bar("Grading the games") as report:
        found = add_mistakes(BookFile(), records, name=args.name, progress=report, max_bytes=None)
    Console(plain=args.plain).say(found_lines(found))
    return DONE


def remove_cards(args: Namespace) -> int:
    """Remove cards from the book, but keep their answers."""
    file = BookFile()
    wanted = words_of(args, 1, None, "one card or more, as `duels book` lists them")
    book, now = file.read(), args.clock.now()
    for card in wanted:
        if book.card(card) is None:
            raise usage(f"There is no card {printable(card)!r} in your book; see: duels book")
    file.append(*(RemoveCard.of(card, now) for card in dict.fromkeys(wanted)))
    Console(plain=args.plain).say([f"{counted(len(set(wanted)), 'card')} removed."])
    return DONE


def found_lines(found: NewCards) -> list[str]:
    new = counted(len(found.cards), "new position")
    left_out = [f"{reason} ({count})" for reason, count in found.left_out.items()]
    return [
        f"{new} in your book, from {counted(found.games, 'game')}.",
        *([f"Not counted: {', '.join(left_out)}."] if left_out else []),
    ]


def merge_book(args: Namespace) -> int:
    (path,) = words_of(args, 1, 1, "the file of one book")
    new = BookFile().merge(Path(path))
    Console(plain=args.plain).say([f"{counted(new, 'new event')} taken in."])
    return DONE


def export_book(args: Namespace) -> int:
    path = Path(*words_of(args, 1, 1, "the name of a new file"))
    events = BookFile().read().events
    if os.path.lexists(path):
        raise usage(f"{path} exists; name another file.")
    with file_errors(path, "written"), replace_file(path) as file:
        file.write("".join(f"{event_line(event)}\n" for event in events).encode())
    Console(plain=args.plain).say([f"Your book is in {path}."])
    return DONE


def collected_book(file: BookFile) -> Book:
    """Add the mistakes of newly saved games to the book, then read it."""
    with thinking(), progress_bar("Looking through your games") as report:
        collect_mistakes(file, report)
    return file.read()


def book_json(book: Book, now: datetime, game: str) -> dict[str, object]:
    """Return the output of `duels book list --json`."""
    cards = [card for card in book.cards if game in ("", card.spot.game)]
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


# ---- mistakes of recorded games -----------------------------------------------


def collect_mistakes(file: BookFile, progress: Progress = silent) -> NewCards:
    """Add the mistakes of the saved games to the book. Each becomes a card only once."""
    return add_mistakes(file, [game.record for game in saved_games()], progress=progress)


def add_mistakes(
    file: BookFile,
    records: Iterable[Record],
    *,
    name: str | None = None,
    progress: Progress = silent,
    max_bytes: int | None = LARGE_CACHE_BYTES,
) -> NewCards:
    """Add the mistakes of some games to the book, and return the new cards."""
    found = new_cards(file.read(), records, name=name, progress=progress, max_bytes=max_bytes)
    file.append(*found.cards)
    return found


def records_of(paths: Iterable[str]) -> list[Record]:
    return [saved.record for path in paths for saved in read_records(Path(path))]


def add_position(file: BookFile, card: AddCard, clock: Clock = SYSTEM_CLOCK) -> str:
    """Add a position that the user chose to the book. Return a message about the result."""
    book = file.read()
    known = book.card(card.card)
    if known:
        return f"It is in your book already; it comes back {known.comes_back(clock.now())}."
    if card.card in book.ever_added:
        # It was removed, and a card whose source is a game would stay removed.
        card = replace(card, source="analysis")
    file.append(card)
    return f"{card.spot.seat}'s decision here is in your book; it comes back today."


# ---- dates --------------------------------------------------------------------


def local_day(clock: Clock = SYSTEM_CLOCK) -> date:
    return clock.now().astimezone().date()
