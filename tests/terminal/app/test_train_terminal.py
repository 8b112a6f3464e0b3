"""The trainer in a real terminal, and a kill."""

from __future__ import annotations

import os
import signal

import pytest

from number_duels.trainer.book import AnswerGiven
from tests.sessions.training import mistake
from tests.terminal.app.emulator import Screen
from tests.terminal.desk import Desk
from tests.terminal.session import Session
from tests.terminal.training import KNOT, book_of, drills

TRAIN = ("train", "knot", "--seed", "3")
COUNT = 2


def without_times(desk: Desk) -> list[tuple[str, str, float, bool]]:
    answers = (event for event in book_of(desk).events if isinstance(event, AnswerGiven))
    return [(one.card, one.answer, one.cost, one.right) for one in answers]


@pytest.mark.system
def test_a_kill_after_a_verdict_loses_nothing(desk: Desk) -> None:
    tasks = drills(KNOT, 3, COUNT)
    with Session(TRAIN, desk.folder, desk.surroundings) as session:
        screen = Screen(session)
        for number, task in enumerate(tasks, 1):
            screen.wait_for(f"{number} of 10")
            screen.enter(mistake(task))
            screen.wait_for("Enter: next")
            screen.enter()
        os.kill(session.pid, signal.SIGKILL)
    assert [answer for _, answer, _, _ in without_times(desk)] == list(map(mistake, tasks))
    assert len(book_of(desk).cards) == COUNT
