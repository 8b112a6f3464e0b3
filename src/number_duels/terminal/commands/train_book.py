"""The mistake book at the command line: what is due, and what goes into it and out of it."""

from __future__ import annotations

import os
from argparse import Namespace
from datetime import UTC, datetime
from pathlib import Path

from number_duels.core.storage import replace_file
from number_duels.core.text import counted
from number_duels.terminal.arguments import usage
from number_duels.terminal.errors import DONE, CommandError
from number_duels.terminal.train.records import add_mistakes, collect_mistakes, records_of
from number_duels.terminal.ui.console import Console, print_json, thinking
from number_duels.terminal.ui.progress import progress_bar
from number_duels.trainer.book import Book, BookFile, Card, event_line
from number_duels.trainer.own_mistakes import NewCards


def add_files(args: Namespace) -> int:
    """Mistakes of recorded games into the book; who names a file wants all of it graded."""
    records = records_of(args.add)
    with thinking(), progress_bar("Grading the games") as report:
        found = add_mistakes(BookFile(), records, name=args.name, progress=report, max_bytes=None)
    Console(plain=args.plain).say(found_lines(found))
    return DONE


def found_lines(found: NewCards) -> list[str]:
    """What was found in games, in a sentence or two."""
    new = counted(len(found.cards), "new position")
    left_out = [f"{reason} ({count})" for reason, count in found.left_out.items()]
    return [
        f"{new} in your book, from {counted(found.games, 'game')}.",
        *([f"Not counted: {', '.join(left_out)}."] if left_out else []),
    ]


def merge_book(args: Namespace) -> int:
    """Take in the book of another machine."""
    new = BookFile().merge(Path(args.merge))
    Console(plain=args.plain).say([f"{counted(new, 'new event')} taken in."])
    return DONE


def export_book(args: Namespace) -> int:
    """Write the book to a new file."""
    path = Path(args.export)
    events = BookFile().read().events
    if os.path.lexists(path):
        raise usage(f"{path} exists; name another file.")
    try:
        with replace_file(path) as file:
            file.write("".join(f"{event_line(event)}\n" for event in events).encode())
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
    Console(plain=args.plain).say([f"Your book is in {path}."])
    return DONE


def collected_book(file: BookFile) -> Book:
    """The book, with the mistakes of games that were played since."""
    with thinking(), progress_bar("Looking through your games") as report:
        collect_mistakes(file, report)
    return file.read()


def book_json(book: Book, now: datetime, game: str) -> dict[str, object]:
    """The book as `duels train --book --json` prints it."""
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


def show_json(book: Book, now: datetime, game: str) -> int:
    print_json(book_json(book, now, game))
    return DONE
