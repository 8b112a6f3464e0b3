"""When cards come back: as fsrs says, in the evenings of many months, on two machines."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import fsrs
import pytest

from number_duels.trainer.book import Book, BookFile, Card
from number_duels.trainer.schedule import EARLY, PARAMETERS, scheduler
from tests.trainer.events import DAY, MONDAY, SPOTS, added, answered

SECOND = timedelta(seconds=1)
EVENINGS = 140


def one_card(*answers: tuple[datetime, bool]) -> Card:
    """The only card of a book, after answers."""
    given = [answered(time=time, right=right) for time, right in answers]
    (card,) = Book((added(), *given)).cards
    return card


def days_between(pattern: str) -> list[int]:
    """After how many days a card comes back that is answered whenever it is due."""
    answers, days, time = list[tuple[datetime, bool]](), list[int](), MONDAY + SECOND
    for letter in pattern:
        answers.append((time, letter == "+"))
        due = one_card(*answers).due
        days.append((due - time).days)
        time = due
    return days


@pytest.mark.parametrize(
    ("pattern", "days"),
    [("+++++", [2, 11, 46, 163, 497]), ("-++++", [1, 2, 6, 17, 44]), ("++-++", [2, 11, 2, 5, 12])],
)
def test_a_card_comes_back_later_each_time_it_is_right(pattern: str, days: list[int]) -> None:
    assert days_between(pattern) == days


# ---- an evening ----------------------------------------------------------------


def test_a_new_card_is_due_at_once() -> None:
    assert one_card().is_due(MONDAY)
    assert one_card().comes_back(MONDAY) == "today"


def test_a_card_comes_back_an_hour_earlier_on_the_next_evening_and_counts_as_in_time() -> None:
    wrong = (MONDAY + SECOND, False)
    early, late = MONDAY + DAY - timedelta(hours=1), MONDAY + DAY + timedelta(hours=1)
    assert one_card(wrong).is_due(early)
    on_early, on_late = one_card(wrong, (early, True)), one_card(wrong, (late, True))
    assert on_early.due.date() == on_late.due.date() == (MONDAY + 3 * DAY).date()


def test_a_card_does_not_come_back_on_the_same_evening() -> None:
    wrong = one_card((MONDAY + SECOND, False))
    assert not wrong.is_due(MONDAY + timedelta(hours=5))
    assert wrong.comes_back(MONDAY + timedelta(hours=5)) == "tomorrow"


def test_until_a_card_comes_back_is_said_in_days() -> None:
    card = one_card((MONDAY + SECOND, True), (MONDAY + 2 * DAY + SECOND, True))
    said = [card.comes_back(MONDAY + days * DAY + 2 * SECOND) for days in (2, 10, 12, 13)]
    assert said == ["in 11 days", "in 3 days", "tomorrow", "today"]


def test_without_the_library_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "fsrs", None)
    scheduler.cache_clear()
    book = Book((added(), answered()))
    with pytest.raises(ValueError, match=r"needs fsrs: pip install 'number-duels\[play\]'"):
        book.due(MONDAY)
    assert book.learner(SPOTS[0].game.name).spots  # all else is there without it


# ---- many months ---------------------------------------------------------------


class ByHand:
    """The cards of a learner, kept with fsrs alone: no file, no events, no merging."""

    def __init__(self) -> None:
        self.scheduler = fsrs.Scheduler(
            PARAMETERS, learning_steps=(), relearning_steps=(), enable_fuzzing=False
        )
        self.cards: dict[str, fsrs.Card] = {}

    def add(self, card: str, now: datetime) -> None:
        self.cards.setdefault(card, fsrs.Card(card_id=1, due=now))

    def answer(self, card: str, now: datetime, *, right: bool) -> None:
        due = self.cards[card].due
        rating = fsrs.Rating.Good if right else fsrs.Rating.Again
        # Due within hours: the evening's cards are answered together, each as on its hour.
        on_its_hour = due if now < due and due - now <= EARLY else now
        self.cards[card], _ = self.scheduler.review_card(self.cards[card], rating, on_its_hour)

    @property
    def dues(self) -> dict[str, datetime]:
        return {card: kept.due for card, kept in self.cards.items()}

    def due(self, now: datetime) -> set[str]:
        return {card for card, kept in self.cards.items() if kept.due - now <= EARLY}


def evening(file: BookFile, by_hand: ByHand, now: datetime, rng: Random) -> int:
    """Answer whatever is due in one machine's book; how many cards it was."""
    due = file.read().due(now)
    for card in due:
        now += timedelta(seconds=40)
        right = rng.random() < 0.8
        place = next(n for n, spot in enumerate(SPOTS) if spot.id == card.id)
        file.append(answered(place, now, right=right))
        by_hand.answer(card.id, now, right=right)
    assert not file.read().due(now)
    return len(due)


def test_over_months_of_evenings_on_two_machines_cards_come_back_as_fsrs_says(
    tmp_path: Path,
) -> None:
    rng, by_hand, asked = Random(17), ByHand(), 0
    files = [BookFile(tmp_path / "laptop.jsonl"), BookFile(tmp_path / "desktop.jsonl")]
    for day in range(EVENINGS):
        now = MONDAY + day * DAY + timedelta(minutes=rng.randint(-180, 180))
        here, there = rng.sample(files, 2)
        if day % 6 == 0:
            place = rng.randrange(len(SPOTS))  # now and then one that the other machine has
            here.append(added(place, now))
            by_hand.add(SPOTS[place].id, now)
        if day % 9 == 8:
            here.merge(there.path)
            there.merge(here.path)
            book = here.read()
            assert book == there.read()
            assert {card.id: card.due for card in book.cards} == by_hand.dues
            assert {card.id for card in book.due(now)} == by_hand.due(now)
        asked += evening(here, by_hand, now, rng)
    assert asked > 60
