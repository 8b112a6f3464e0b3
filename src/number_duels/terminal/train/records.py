"""Mistakes of recorded games for the book: one's own saved games, and files that are named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.record import Record
from number_duels.solvers.cache import Progress, silent
from number_duels.solvers.solver import LARGE_CACHE_BYTES
from number_duels.terminal.saves import read_records, saved_games
from number_duels.trainer.book import AddCard, BookFile
from number_duels.trainer.own_mistakes import NewCards, new_cards


def collect_mistakes(file: BookFile, progress: Progress = silent) -> NewCards:
    """Put the mistakes of one's own saved games into the book; each becomes a card once."""
    return add_mistakes(file, [record for _, record in saved_games()], progress=progress)


def add_mistakes(
    file: BookFile,
    records: Iterable[Record],
    *,
    name: str | None = None,
    progress: Progress = silent,
    max_bytes: int | None = LARGE_CACHE_BYTES,
) -> NewCards:
    """Put the mistakes of some games into the book, and say what was found."""
    found = new_cards(file.read(), records, name=name, progress=progress, max_bytes=max_bytes)
    file.append(*found.cards)
    return found


def records_of(paths: Iterable[str]) -> list[Record]:
    """The records of some files; one that cannot be used is refused in a sentence."""
    return [saved.record for path in paths for saved in read_records(Path(path))]


def add_position(file: BookFile, card: AddCard, clock: Clock = SYSTEM_CLOCK) -> str:
    """Put a position into the book because somebody wants it there; what became of it."""
    book = file.read()
    known = book.card(card.card)
    if known:
        when = known.comes_back(clock.now())
        return f"It is in your book already; it comes back {'today' if when == 'now' else when}."
    if card.card in book.ever_added:
        # It was removed, and a game by itself does not bring a removed card back.
        card = replace(card, source="analysis")
    file.append(card)
    return f"{card.spot.seat}'s decision here is in your book; it comes back today."
