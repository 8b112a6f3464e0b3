"""Events of a book to try things with: a few spots, and evenings after a Monday."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import number_duels as nd
from number_duels.trainer.book import AddCard, AnswerGiven, RemoveCard
from number_duels.trainer.spot import OpenSpot, Spot
from tests.review.positions import SMALL

MONDAY = datetime(2026, 10, 5, 20, tzinfo=UTC)
DAY = timedelta(days=1)


def first_spots() -> list[OpenSpot]:
    """The first decisions of a small game: both players', whatever was played before."""
    game = nd.load("number-knot", **SMALL["number-knot"])
    moves = ("", *map(str, nd.Match(game).options(nd.Seat.ONE)))
    return [
        Spot(game.name, game.settings, None, text, nd.Seat(bool(text))).open() for text in moves
    ]


SPOTS = first_spots()


def added(
    n: int = 0, time: datetime = MONDAY, source: str = "game", cost: float = 0.5, played: str = ""
) -> AddCard:
    return AddCard.of(SPOTS[n], time, source=source, cost=cost, played=played)


def answered(
    n: int = 0,
    time: datetime = MONDAY,
    *,
    right: bool = True,
    kind: str = "book",
    phase: str = "opening",
    note: str = "",
) -> AnswerGiven:
    given = "" if right else "S1"
    return AnswerGiven.of(
        SPOTS[n],
        time,
        kind=kind,
        form="move",
        answer=given,
        cost=0.0 if right else 0.5,
        right=right,
        phase=phase,
        note=note,
    )


def removed(n: int = 0, time: datetime = MONDAY) -> RemoveCard:
    return RemoveCard.of(SPOTS[n].id, time)
