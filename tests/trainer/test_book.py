"""The mistake book as a value: what merging two books means, and what follows from the events."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from number_duels.trainer.book import (
    AddCard,
    AnswerGiven,
    Book,
    RemoveCard,
    TrainingEvent,
    event_json,
    event_line,
    read_event,
)
from tests.trainer.events import DAY, MONDAY, SPOTS, added, answered, removed

MINUTE = timedelta(minutes=1)
GAME = SPOTS[0].game.name

# Few ids and few moments, so that events meet: the same one twice, and two under one id.
ids = st.integers(0, 5).map(lambda n: f"{n:016x}")
times = st.integers(0, 4).map(lambda n: MONDAY + n * MINUTE)
places = st.integers(0, 2)
costs = st.floats(0, 2)
adds = st.builds(
    lambda event_id, n, time, source, cost: replace(added(n, time, source, cost), id=event_id),
    *(ids, places, times, st.sampled_from(["game", "analysis"]), costs),
)
answers = st.builds(
    lambda event_id, n, time, right, note: replace(
        answered(n, time, right=right, note=note), id=event_id
    ),
    *(ids, places, times, st.booleans(), st.text(st.characters(categories=["L", "N"]))),
)
removals = st.builds(
    lambda event_id, n, time: replace(removed(n, time), id=event_id), ids, places, times
)
books = st.lists(adds | answers | removals, max_size=8).map(lambda events: Book(tuple(events)))


# ---- merging -------------------------------------------------------------------


@given(books, books)
def test_who_merges_into_whom_does_not_matter(one: Book, two: Book) -> None:
    assert one.merged(two) == two.merged(one)
    assert one.merged(two).cards == two.merged(one).cards


@given(books, books, books)
def test_in_which_order_machines_are_merged_does_not_matter(
    one: Book, two: Book, three: Book
) -> None:
    assert one.merged(two).merged(three) == one.merged(two.merged(three))


@given(books, books)
def test_merging_again_adds_nothing(one: Book, two: Book) -> None:
    both = one.merged(two)
    assert one.merged(one) == one
    assert both.merged(one) == both.merged(both) == both


@given(books, books)
def test_merging_loses_nothing(one: Book, two: Book) -> None:
    known = {event.id for event in (*one.events, *two.events)}
    both = one.merged(two).events
    assert sorted(event.id for event in both) == sorted(known)
    assert [event.time for event in both] == sorted(event.time for event in both)


# ---- cards ---------------------------------------------------------------------


def test_a_card_remembers_where_it_came_from() -> None:
    (card,) = Book((added(cost=1.25, played="2026-10-02"),)).cards
    assert (card.spot, card.id) == (SPOTS[0].spot, SPOTS[0].id)
    assert (card.source, card.cost, card.played) == ("game", 1.25, "2026-10-02")


def test_a_card_added_twice_is_one_card() -> None:
    (card,) = Book((added(cost=0.5), added(time=MONDAY + DAY, cost=1.0))).cards
    assert (card.added, card.cost) == (MONDAY, 0.5)


def test_the_longest_overdue_card_comes_first_then_the_worst_mistake() -> None:
    later, small, large = added(0, MONDAY + DAY, cost=2.0), added(1, cost=0.1), added(2, cost=1.5)
    book = Book((later, small, large))
    assert [card.id for card in book.due(MONDAY + DAY)] == [large.card, small.card, later.card]
    assert [card.id for card in book.due(MONDAY)] == [large.card, small.card]
    assert book.card(small.card) == book.cards[1]
    assert book.card("f" * 16) is None


def test_every_answer_in_its_spot_counts_for_a_card_whatever_it_was_asked_for() -> None:
    drill = answered(time=MONDAY + MINUTE, kind="drill", right=False)
    (card,) = Book((added(), drill, answered(1, MONDAY + MINUTE))).cards
    assert (card.tries, card.misses) == (1, 1)
    assert card.due == MONDAY + MINUTE + DAY


def test_the_answer_for_which_a_card_was_made_is_no_repetition_of_it() -> None:
    missed = answered(kind="drill", right=False)
    for event_id in ("0" * 16, "f" * 16):  # chance orders what happens at once
        (card,) = Book((replace(missed, id=event_id), added(source="drill"))).cards
        assert (card.tries, card.due) == (0, MONDAY)


def test_a_removed_card_comes_back_only_when_somebody_asks_for_it() -> None:
    events = (added(), answered(time=MONDAY + MINUTE), removed(time=MONDAY + DAY))
    assert Book(events).cards == ()
    found_again = added(time=MONDAY + 2 * DAY, source="game")
    assert Book((*events, found_again)).cards == ()
    wanted = added(time=MONDAY + 2 * DAY, source="analysis")
    (card,) = Book((*events, wanted)).cards
    assert (card.tries, card.due) == (0, MONDAY + 2 * DAY)
    assert Book((*events, wanted, removed(time=MONDAY + 3 * DAY))).cards == ()


def test_a_card_stays_removed_where_the_clock_of_the_other_machine_is_slow() -> None:
    assert Book((removed(time=MONDAY - MINUTE), added())).cards == ()


# ---- the daily puzzle, and lessons ----------------------------------------


def solved(*days: int, right: bool = True) -> list[AnswerGiven]:
    """The puzzles of some days after Monday, each solved on its evening."""
    return [
        answered(time=time, kind="daily", right=right, note=time.date().isoformat())
        for time in (MONDAY + day * DAY for day in days)
    ]


@pytest.mark.parametrize(
    ("days", "today", "streak"),
    [
        ((), 3, 0),
        ((0, 1, 2, 3), 3, 4),
        ((0, 1, 2), 3, 3),  # today is still to come
        ((0, 1), 3, 0),
        ((0, 2, 3), 3, 2),
    ],
)
def test_a_streak_is_days_in_a_row(days: tuple[int, ...], today: int, streak: int) -> None:
    assert Book(tuple(solved(*days))).daily_streak((MONDAY + today * DAY).date()) == streak


@pytest.mark.parametrize(("days", "longest"), [((), 0), ((3,), 1), ((0, 1, 2, 5, 6), 3)])
def test_the_longest_streak_is_kept_after_it_ended(days: tuple[int, ...], longest: int) -> None:
    assert Book(tuple(solved(*days))).longest_streak == longest


def test_a_day_that_was_missed_is_not_in_a_streak() -> None:
    missed, tuesday = solved(0, right=False), date(2026, 10, 6)
    assert Book((*missed, *solved(1))).daily_streak(tuesday) == 1
    puzzle = [replace(one, kind="puzzle") for one in solved(0)]
    assert Book((*puzzle, *solved(1))).daily_streak(tuesday) == 1


def test_a_note_that_is_no_day_is_not_in_a_streak() -> None:
    (tuesday,) = solved(1)
    odd = replace(tuesday, id="f" * 16, note=f"{tuesday.note}T00:00")
    assert Book((odd,)).longest_streak == 0
    assert Book((odd, tuesday, *solved(0))).daily_streak(date(2026, 10, 6)) == 2


def test_a_puzzle_that_is_explained_ends_the_streak() -> None:
    tries = [replace(*solved(1, right=False), id=f"{n:016x}") for n in range(3)]
    tuesday = date(2026, 10, 6)
    assert Book((*solved(0), *tries[:2])).daily_streak(tuesday) == 1
    assert Book((*solved(0), *tries)).daily_streak(tuesday) == 0


def test_a_puzzle_of_the_day_counts_on_its_day_alone_wherever_that_is() -> None:
    for hours, streak in ((-34, 1), (-35, 0), (16, 1), (19, 0)):  # from Monday evening
        (late,) = solved(0)
        late = replace(late, time=MONDAY + timedelta(hours=hours))
        assert Book((late,)).daily_streak(MONDAY.date()) == streak
    (odd,) = solved(0)
    assert Book((replace(odd, note="yesterday"),)).daily_streak(MONDAY.date()) == 0


def test_a_lesson_goes_on_where_it_was_left() -> None:
    steps = [
        answered(time=MONDAY + n * MINUTE, kind="lesson", note=f"step {n}", right=bool(n % 2))
        for n in range(3)
    ]
    assert Book(tuple(steps)).lesson_place(GAME) == "step 1"
    second = answered(time=MONDAY + 3 * MINUTE, kind="lesson", note="step 2", right=False)
    assert Book((*steps, second)).lesson_place(GAME) == "step 2", "there is no third try"
    assert Book(tuple(steps)).lesson_place("another") == Book().lesson_place(GAME) == ""


# ---- written down --------------------------------------------------------------


@given(adds | answers | removals)
def test_an_event_is_read_as_it_was_written(event: TrainingEvent) -> None:
    assert read_event(json.loads(event_line(event))) == event


WRONG: dict[str, tuple[TrainingEvent, dict[str, object], str]] = {
    "event": (added(), {"event": "win"}, "not an event of a mistake book"),
    "id": (added(), {"id": "x"}, "its id must look like"),
    "card": (removed(), {"card": "0F" * 8}, "its card must look like"),
    "time": (removed(), {"time": "yesterday"}, "its time must look like"),
    "local time": (removed(), {"time": "2026-10-03T19:30:00"}, "its time must look like"),
    "wrong clock": (removed(), {"time": "9999-12-31T23:59:59Z"}, "between the years"),
    "cost": (added(), {"cost": 2.5}, "between 0 and 2"),
    "no cost": (added(), {"cost": True}, "must be a number"),
    "huge cost": (added(), {"cost": 10**400}, "between 0 and 2"),
    "source": (added(), {"source": "dream"}, "one of game, drill"),
    "kind": (answered(), {"kind": ["book"]}, "one of drill, book"),
    "form": (answered(), {"form": "song"}, "one of move, mixture"),
    "right": (answered(), {"right": 1}, "true or false"),
    "answer": (answered(), {"answer": 7}, "its answer must be text"),
    "long": (answered(), {"note": "a" * 2001}, "longer than 2000 characters"),
    "no spot": (added(), {"spot": None}, "position is missing"),
    "seat": (added(), {"spot": {**event_json(added()), "settings": {}, "moves": ""}}, "seat"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_event_is_refused_in_a_sentence(case: str) -> None:
    event, wrong, sentence = WRONG[case]
    read_event(event_json(event))
    with pytest.raises(ValueError, match=sentence) as refused:
        read_event({**event_json(event), **wrong})
    assert str(refused.value).endswith(".")


def test_only_objects_are_events() -> None:
    nothing: dict[str, object] = {}
    for data in (None, 7, "add", ["event"], nothing):
        with pytest.raises(ValueError, match="not an event"):
            read_event(data)


def test_events_of_every_kind_have_an_id_of_their_own() -> None:
    made: list[TrainingEvent] = []
    for _ in range(9):
        made += [added(), answered(), removed()]
    assert len({event.id for event in made}) == len(made)
    assert {type(event) for event in made} == {AddCard, AnswerGiven, RemoveCard}
