"""The application is killed at any moment, and nothing is lost that anybody saw."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path
from random import Random

import pytest

from number_duels.core.match import Match
from number_duels.core.record import Record
from number_duels.games import names
from number_duels.terminal.saves import read_records
from tests.conftest import SLOW
from tests.terminal.app.emulator import Screen
from tests.terminal.app.unfinished import keep
from tests.terminal.desk import Desk
from tests.terminal.script import AGAINST_RANDOM, PEOPLE, again, boundaries, lines, new_match, typed
from tests.terminal.session import Session

#: Another number kills at other moments.
SEED = 1
#: What people press: any combination of these plays on, and none of them leaves or takes back.
KEYS = [*"123456789sakg+-", *["\r"] * 10]
STACK = "number-stack-showdown"
TABLE = re.compile(r"·  (?:turn|round) (\d+)")
LONGEST_PAUSE_SECONDS = 0.1
FEWEST_KEYS, MOST_KEYS = 20, 80
KILLS_A_GAME = 6 if SLOW else 2


def play_and_kill(desk: Desk, rng: Random) -> int:
    """Go on with the game, press keys at random, kill; the last turn that was seen."""
    with Session(["--calm"], desk.folder, desk.surroundings) as session:
        screen = Screen(session)
        screen.wait_for("Continue")
        screen.press("c")
        screen.wait_until(lambda shown: bool(TABLE.search(shown)))
        seen = 0
        for _ in range(rng.randrange(FEWEST_KEYS, MOST_KEYS)):
            screen.press(rng.choice(KEYS))
            screen.feed(session.piece(rng.uniform(0, LONGEST_PAUSE_SECONDS), 65536))
            shown = TABLE.search(screen.screen.display[0])
            if not shown:
                break  # the game is over
            seen = int(shown[1])
        os.kill(session.pid, signal.SIGKILL)
    return seen


def dealt_again(record: Record) -> str:
    """The same decisions in a new match with the same seed: every card comes as it came."""
    played, match = again(record), Match(again(record).game, record.seed, record.deal)
    for step in played.history.steps:
        for seat, move in step.moves.items():
            match.submit(seat, move)
        if not step.moves:
            match.draw()
    return match.record.moves


def kept(path: Path) -> Record:
    (saved,) = read_records(path)
    return saved.record


def check(before: Record, after: Record, seen: int) -> None:
    """What was there is there, all that was seen is there, and no card was drawn twice."""
    assert before.moves in [one.moves for one in boundaries(after)]
    assert again(after).turn_number >= seen
    assert dealt_again(after) == after.moves


def begun(name: str, rng: Random) -> Record:
    """A game after its first turn, of two people or against a computer."""
    match = new_match(name, rng.randrange(1000), rng.choice([PEOPLE, AGAINST_RANDOM]))
    for _ in lines(match):
        if match.turn_number > 1:
            break
    return match.record


@pytest.mark.system
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name == STACK else pytest.mark.slow) for name in names()],
)
def test_a_killed_game_goes_on_with_every_turn_and_every_card(desk: Desk, name: str) -> None:
    rng = Random(f"{SEED} {name}")
    path = keep(desk, begun(name, rng))
    for _ in range(KILLS_A_GAME):
        before = kept(path)
        if before.result != "*":
            path = keep(desk, before := begun(name, rng))
        seen = play_and_kill(desk, rng)
        check(before, kept(path), seen)
    if kept(path).result == "*":
        done = desk.run("resume", str(path), typed=typed(again(kept(path))))
        assert done.status == 0, done.err
