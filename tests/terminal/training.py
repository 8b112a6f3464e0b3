"""What the trainer asks at a desk, and what its book has."""

from __future__ import annotations

from datetime import datetime

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.sessions.train import Plan, Task, TrainSession
from number_duels.trainer.book import Book, BookFile
from number_duels.trainer.drills import Scope
from tests.clock import ManualClock
from tests.sessions.training import MemoryBook, worked
from tests.terminal.desk import Desk


def loaded(name: str, **settings: int) -> AnyGame:
    """Any game, by its name."""
    return nd.load(name, **settings)


KNOT, CARDS = loaded("number-knot"), loaded("high-low-battle", cards=5, rounds=3)


class TickingClock(ManualClock):
    """A clock on which no two moments are the same, and which is otherwise a test's to advance."""

    def now(self) -> datetime:
        self.advance(1)
        return super().now()


def book_file(desk: Desk) -> BookFile:
    return BookFile(desk.folder / "data" / "number-duels" / "training.jsonl")


def book_of(desk: Desk) -> Book:
    return book_file(desk).read()


def drills(game: AnyGame, seed: int, count: int, scope: Scope | None = None) -> list[Task]:
    """The drills that a newcomer gets with this seed."""
    session = TrainSession(drill_plan(game, seed, count, scope), MemoryBook())
    found = []
    for _ in range(count):
        worked(session)
        found.append(session.asked_task())
        session.act("skip")
    return found


def drill_plan(game: AnyGame, seed: int, count: int, scope: Scope | None = None) -> Plan:
    return Plan("drill", game.name, game.settings, scope or Scope(), count=count, seed=seed)
