"""A full book, a full server: nothing that a card needs goes, and nothing of somebody else's."""

from __future__ import annotations

from asyncio import Task, create_task, wait
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import ColumnElement, Table

import number_duels as nd
from number_duels.trainer.book import (
    AddCard,
    AnswerGiven,
    Book,
    RemoveCard,
    TrainingEvent,
    event_json,
)
from number_duels.trainer.spot import OpenSpot, Spot
from number_duels.web.db.schema import training_events
from number_duels.web.service.training import make_room, spare_events
from tests.web.browsers import Browser
from tests.web.local import LocalServer
from tests.web.test_train_book import SPOT, ask, give, lines
from tests.web.training import Training

NOW = datetime.now(UTC) - timedelta(hours=1)
SPOTS = [
    Spot.from_json({**SPOT, "moves": moves, "seat": seat}).open()
    for moves, seat in (("", 1), ("S1", 2), ("S2", 2))
]
CARD, OTHER, LOOSE = SPOTS
#: In the loose spot; only a mistake would make a card.
VALUES = nd.solve(LOOSE.game).values(LOOSE.state, LOOSE.seat)
RIGHT, WRONG = (str(choose(VALUES, key=VALUES.__getitem__)) for choose in (max, min))


def at(second: int) -> datetime:
    return NOW + timedelta(seconds=second)


def add(spot: OpenSpot, second: int, source: str = "drill") -> AddCard:
    return AddCard.of(spot, at(second), source=source, cost=0.5)


def answer(spot: OpenSpot, second: int, *, right: bool = True) -> AnswerGiven:
    given = str(spot.options[0])
    return AnswerGiven.of(
        spot, at(second), kind="drill", form="move", answer=given, cost=0.0, right=right
    )


def remove(spot: OpenSpot, second: int) -> RemoveCard:
    return RemoveCard.of(spot.id, at(second))


def test_what_can_go_goes_in_its_order_and_no_card_changes() -> None:
    loose = [answer(LOOSE, 9), answer(OTHER, 12), answer(LOOSE, 15)]
    twice = [add(CARD, 2), add(CARD, 14)]
    removed = [add(OTHER, 1), add(OTHER, 5)]
    removals = [remove(OTHER, 4)]
    needed: list[TrainingEvent] = [
        remove(CARD, 3),
        add(CARD, 6),
        answer(CARD, 8),
        answer(CARD, 13, right=False),
        remove(OTHER, 20),
    ]
    book = Book((*needed, *removals, *removed, *twice, *loose))
    wanted = [event.id for group in (loose, twice, removed, removals) for event in group]
    assert list(spare_events(book)) == wanted
    for count in range(len(wanted) + 1):
        left = Book(tuple(e for e in book.events if e.id not in wanted[:count]))
        assert left.cards == book.cards
        assert Book((*left.events, add(OTHER, 30, "game"))).cards == book.cards


def test_a_full_book_takes_what_fits_and_every_removal() -> None:
    full = Book((add(CARD, 1), answer(CARD, 2), answer(CARD, 3), add(OTHER, 4)))
    assert make_room(full, [answer(CARD, 9)], 4) is None
    assert make_room(full, [add(LOOSE, 9)], 4) is None
    room = make_room(full, [answer(LOOSE, 9)], 4)
    assert room is not None
    assert (room.kept, room.gone) == ((), ()), "it would go at once"
    for most in (4, 2):  # two books that became one may have too many
        gone = remove(CARD, 9)
        room = make_room(full, [gone], most)
        assert room is not None
        assert room.kept == (gone,)
        assert room.size <= len(full.events)
    assert make_room(full, [remove(LOOSE, 9)], 4) is None, "there is no such card"
    loose = answer(LOOSE, 1)
    newer = answer(LOOSE, 9)
    room = make_room(full.merged(Book((loose,))), [newer], 5)
    assert room is not None
    assert (room.kept, room.gone, room.size) == ((newer,), (loose.id,), 5)
    over = full.merged(Book((loose,)))
    assert make_room(over, [answer(CARD, 9)], 3) is None, "nothing new in a book that has too many"


def kept(told: Training) -> bool:
    """Whether an answer is in the book; the verdict comes all the same."""
    assert told.scene["verdict"]
    return not any(
        "full" in note or "no room for more answers" in note for note in told.scene["notes"]
    )


def test_a_full_book_gives_verdicts_and_keeps_its_cards(
    own_server: Callable[..., LocalServer],
) -> None:
    with own_server(book_events="4").client() as http:
        ann = Browser(http, "Ann")
        merge(ann, [add(CARD, 1), answer(CARD, 2), add(OTHER, 3)])
        for n in range(3):
            assert kept(give(ann, RIGHT, LOOSE.spot.to_json(), id=f"{n:016x}"))
        assert [line["id"] for line in lines(ann)][3:] == [f"{2:016x}"]
        assert kept(give(ann, "A1", id="ab" * 8)), "a card's answer comes before a drill's"
        written = lines(ann)
        assert not kept(give(ann, "A1"))
        assert kept(give(ann, "A1", id="ab" * 8)), "this one was kept"
        assert not kept(give(ann, WRONG, LOOSE.spot.to_json()))
        new = {"spot": LOOSE.spot.to_json(), "source": "drill"}
        refused = ask(ann, "POST", body=new)
        assert (refused.status_code, "remove mistakes" in refused.text) == (409, True)
        assert lines(ann) == written
        assert ask(ann, "POST", body={**new, "spot": SPOT}).status_code == 201, "it is there"
        assert ask(ann, "DELETE", f"/cards/{CARD.id}").status_code == 204
        assert ask(ann, "POST", body=new).status_code == 201, "as the sentence says"
        assert len(lines(ann)) == 4


def merge(one: Browser, events: Sequence[TrainingEvent]) -> None:
    sent = {"events": [event_json(event) for event in events]}
    assert ask(one, "POST", "/file", sent).json() == {"added": len(events)}


def test_nothing_is_taken_from_one_book_because_of_another(
    own_server: Callable[..., LocalServer],
) -> None:
    server = own_server(training_events=6)
    with server.client() as first, server.client() as second:
        ann, stranger = Browser(first, "Ann"), Browser(second, "Stranger")
        merge(ann, [add(CARD, -900), answer(CARD, -800)])
        written = lines(ann)
        merge(stranger, [answer(LOOSE, n) for n in range(6)])
        server.sweep()
        assert not kept(give(ann, "A1"))
        assert lines(ann)[:2] == written
        merged = ask(stranger, "POST", "/file", {"events": [event_json(answer(LOOSE, 99))]})
        assert merged.status_code == 503
        assert merged.json()["error"].endswith(".")
        refused = ask(ann, "POST", body={"spot": LOOSE.spot.to_json(), "source": "drill"})
        assert refused.status_code == 503
        assert ask(ann, "DELETE", f"/cards/{CARD.id}").status_code == 204
        assert len(lines(stranger)) >= 6


def test_a_slow_sweep_does_not_replace_a_newer_count(
    own_server: Callable[..., LocalServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = own_server(training_events=2)
    expiry = server.service.expiry
    count = expiry.repository.count
    later: list[Task[None]] = []

    async def slow_at_first(table: Table, *which: ColumnElement[bool]) -> int:
        if table is not training_events:
            return await count(table, *which)
        if later:
            return 2
        later.append(create_task(expiry.sweep()))
        # A sweep that did not wait for its turn would end here.
        await wait(later, timeout=0.2)
        return 0

    async def sweep_twice() -> None:
        await expiry.sweep()
        await later[0]

    monkeypatch.setattr(expiry.repository, "count", slow_at_first)
    server.run(sweep_twice())
    assert expiry.books_full
