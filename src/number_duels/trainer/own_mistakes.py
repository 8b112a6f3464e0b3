"""Find the mistakes in a person's games, and turn them into cards for the mistake book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import Seat
from number_duels.core.record import Record
from number_duels.core.text import printable
from number_duels.review.mistakes import is_mistake
from number_duels.review.player_stats import NO_PEOPLE, RESULTS, TWO_PEOPLE, UNFINISHED, Grader
from number_duels.solvers.cache import Progress, silent
from number_duels.solvers.solver import LARGE_CACHE_BYTES
from number_duels.trainer.book import AddCard, Book
from number_duels.trainer.spot import OpenSpot

__all__ = ["mistakes"]


@dataclass(frozen=True)
class NewCards:
    """Cards that are not in a book yet, and how many games were skipped for each reason."""

    cards: tuple[AddCard, ...]
    games: int
    left_out: Mapping[str, int]


def new_cards(
    book: Book,
    records: Iterable[Record],
    *,
    name: str | None = None,
    progress: Progress = silent,
    max_bytes: int | None = LARGE_CACHE_BYTES,
    clock: Clock = SYSTEM_CLOCK,
) -> NewCards:
    """Return cards for a player's mistakes that were never in `book`."""
    records = sorted(records, key=lambda record: record.started)
    grader, left_out = Grader(max_bytes), Counter[str]()
    found: dict[str, AddCard] = {}
    for place, record in enumerate(records):

        def report(fraction: float, done: int = place) -> None:
            progress((done + fraction) / len(records))

        report(0.0)
        try:
            made = mistakes(record, own_seat(record, name), grader, report, clock)
        except ValueError as reason:
            left_out[str(reason)] += 1
            continue
        for card in made:
            if card.card not in book.ever_added:
                found.setdefault(card.card, card)
    progress(1.0)
    return NewCards(tuple(found.values()), len(records) - left_out.total(), left_out)


def own_seat(record: Record, name: str | None = None) -> Seat:
    if record.result not in RESULTS:
        raise ValueError(UNFINISHED)
    if name is not None:
        seats = [seat for seat in Seat if record.players[seat].name == name]
        if not seats:
            raise ValueError(f"without {printable(name)}")
        return seats[0]
    people = [seat for seat in Seat if record.players[seat].who == "human"]
    if len(people) != 1:
        raise ValueError(TWO_PEOPLE if people else NO_PEOPLE)
    return people[0]


def mistakes(
    record: Record,
    seat: Seat,
    grader: Grader | None = None,
    progress: Progress = silent,
    clock: Clock = SYSTEM_CLOCK,
) -> tuple[AddCard, ...]:
    """Return a seat's mistakes as cards to add. Raise `Ungraded` if the game cannot be graded.

    >>> record = Record("number-knot", {"first": 1}, None, 7, moves="S5 A3 S9", result="1-0")
    >>> [(card.spot.moves, card.cost) for card in mistakes(record, Seat.TWO)]
    [('S5', 1.0)]
    """
    grader = grader or Grader(LARGE_CACHE_BYTES)
    losses = grader.grade(record, progress).losses[seat]
    history = record.match().history
    places = [place for place, step in enumerate(history.steps) if seat in step.moves]
    found = []
    for place, (loss, _) in zip(places, losses, strict=True):
        if is_mistake(loss):
            before = replace(history, steps=history.steps[:place])
            spot = OpenSpot(history.game, before, seat)
            found.append(mistake_card(record, spot, loss, clock))
    return tuple(found)


def mistake_card(
    record: Record, spot: OpenSpot, cost: float, clock: Clock = SYSTEM_CLOCK
) -> AddCard:
    played = record.started[:10]
    return AddCard.of(spot, clock.now(), source="game", cost=cost, played=played)
