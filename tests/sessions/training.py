"""Training sessions without a face: a book in memory, and all work done at once."""

from __future__ import annotations

import number_duels as nd
from number_duels.core.names import OPPONENT, YOU
from number_duels.core.record import with_names
from number_duels.core.scene import Scene
from number_duels.sessions.train import Task, TrainSession
from number_duels.trainer.book import Book, TrainingEvent


class MemoryBook:
    """A book that is kept in memory; where it is full, it says so."""

    def __init__(self, *events: TrainingEvent) -> None:
        self.book = Book(events)
        self.problem = ""

    def read(self) -> Book:
        return self.book

    def append(self, *events: TrainingEvent) -> None:
        if self.problem:
            raise ValueError(self.problem)
        self.book = Book((*self.book.events, *events))


def worked(session: TrainSession) -> Scene:
    """What there is to see once all work is done."""
    while work := session.work():
        solution = nd.solve(work.game)
        solution.open_arrays()
        work.run(solution)
    return session.scene()


def mistake(task: Task) -> str:
    """A move that costs something."""
    return next(str(move) for move in task.spot.options if str(move) not in task.exercise.best)


def told_mistake(task: Task) -> str:
    """That move, as it is told; nothing may be hidden."""
    spot, moves = task.spot, {task.spot.seat: task.spot.game.parse(mistake(task))}
    said = spot.game.sum_up(spot.view, moves, spot.game.play(spot.view, moves))
    return with_names(said, (YOU, OPPONENT) if spot.seat is nd.Seat.ONE else (OPPONENT, YOU))
