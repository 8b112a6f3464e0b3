"""The trainer in a real tmux: the same drills on the full screen and in the line mode; a kill."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from pathlib import Path
from shutil import which

from number_duels.trainer.events import AnswerGiven
from tests.conftest import require
from tests.terminal.app.emulator import Screen
from tests.terminal.app.tmux import Tmux
from tests.terminal.desk import Desk
from tests.terminal.session import Session
from tests.terminal.training import KNOT, book_of, drills, mistake

TRAIN = ("train", "knot", "--seed", "3")
COUNT = 2


def without_times(desk: Desk) -> list[tuple[str, str, float, bool]]:
    answers = (event for event in book_of(desk).events if isinstance(event, AnswerGiven))
    return [(one.card, one.answer, one.cost, one.right) for one in answers]


def in_tmux(desk: Desk, *options: str) -> list[tuple[str, str, float, bool]]:
    """Answer some drills wrong, and what the book says of them; the words are the same."""
    program = " ".join([f"{sys.executable} -m number_duels", *TRAIN, "--count", str(COUNT)])
    with (
        tempfile.TemporaryDirectory() as short,
        Tmux(Path(short) / "socket", desk.folder, desk.surroundings) as tmux,
    ):
        tmux.wait_for_prompt()
        tmux.press(" ".join([program, *options]), "Enter")
        for task in drills(KNOT, 3, COUNT):
            tmux.wait_for(f"after {task.spot.spot.moves}")
            tmux.press(mistake(task), *(["Enter"] if options else []))
            tmux.wait_for("Wrong: it costs")
            tmux.wait_for("it comes back tomorrow")
            tmux.press("Enter")
        tmux.wait_for("0 of 2 right")
    found = without_times(desk)
    (desk.folder / "data" / "number-duels" / "training.jsonl").unlink()
    return found


def test_the_same_drills_in_both_modes(desk: Desk) -> None:
    require(which("tmux"), "tmux", "apt-get install tmux")
    expected = [
        (task.spot.id, mistake(task), task.exercise.cost(mistake(task)), False)
        for task in drills(KNOT, 3, COUNT)
    ]
    assert in_tmux(desk) == expected
    assert in_tmux(desk, "--plain") == expected


def test_a_kill_after_a_verdict_loses_nothing(desk: Desk) -> None:
    tasks = drills(KNOT, 3, COUNT)
    with Session(TRAIN, desk.folder, desk.surroundings) as session:
        screen = Screen(session)
        for task in tasks:
            screen.wait_for(f"after {task.spot.spot.moves}")
            screen.press(mistake(task))
            screen.wait_for("Enter goes on")
            screen.press("\r")
        os.kill(session.pid, signal.SIGKILL)
    assert [answer for _, answer, _, _ in without_times(desk)] == list(map(mistake, tasks))
    assert len(book_of(desk).cards) == COUNT
