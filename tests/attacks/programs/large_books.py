"""Somebody puts answers that were never given into a book, as many as fit into each request."""

from __future__ import annotations

import os
from collections import Counter
from datetime import UTC, datetime
from time import sleep

from number_duels.core.game import Seat
from number_duels.trainer.book import AnswerGiven, event_json
from number_duels.trainer.spot import Spot
from tests.attacks.frame import Answer, Finding, Target, answers, ask
from tests.web.people import GAME

BOUND = "no book has more events than it may have"
SHORT_SETTINGS = {"book_events": 150}
EVENTS_PER_REQUEST = 120


def attack(target: Target) -> Finding:
    """Attack."""
    found: Counter[int] = Counter()
    with target.client() as client:
        cookie = cookie_of(ask(client, "POST", "/api/me", {"name": "Reader"}))
        for _ in target.moments():
            answer = ask(client, "POST", "/api/train/book/file", made_up(), Cookie=cookie)
            found[answer.status] += 1
        book = ask(client, "GET", "/api/train/book/file", Cookie=cookie)
        while book.status == 429:
            sleep(1)
            book = ask(client, "GET", "/api/train/book/file", Cookie=cookie)
    kept = book.body.count(b"\n")
    held = found[200] > 0 and 0 < kept <= target.config.book_events
    return Finding(held and found.keys() <= {200, 429}, f"{answers(found)}; {kept} events kept")


def made_up() -> dict[str, object]:
    """A request full of answers that no book has."""
    spot = Spot(GAME, {}, None, "", Seat.ONE).open()
    given = AnswerGiven.of(
        spot,
        datetime.now(UTC),
        kind="drill",
        form="move",
        answer=str(spot.options[0]),
        cost=0.0,
        right=True,
    )
    line = event_json(given)
    return {"events": [{**line, "id": os.urandom(8).hex()} for _ in range(EVENTS_PER_REQUEST)]}


def cookie_of(answer: Answer) -> str:
    """The cookie of a new profile."""
    named = {name.lower(): value for name, value in answer.headers.items()}
    return named["set-cookie"].partition(";")[0]
