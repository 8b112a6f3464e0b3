"""Nothing lost: processes are killed at random moments of piped play, and the games go on."""

from __future__ import annotations

import os
import select
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

import number_duels as nd
from tests.conftest import SLOW
from tests.some_games import SOME_GAMES
from tests.terminal.desk import Desk
from tests.terminal.forking import Piped
from tests.terminal.script import (
    AGAINST_RANDOM,
    PEOPLE,
    again,
    boundaries,
    new_match,
    told,
    typed,
)

#: Another number kills at other moments; the same one at the same, as far as a clock allows.
SEED = 1
SEATINGS = (PEOPLE, AGAINST_RANDOM)
#: So often each game is killed with each seating.
KILLS = 20 if SLOW else 5


@pytest.mark.system
@pytest.mark.parametrize("who", SEATINGS, ids="-".join)
@pytest.mark.parametrize("name", SOME_GAMES)
def test_a_killed_game_goes_on_with_every_turn_and_every_card(
    name: str, who: tuple[str, str], tmp_path: Path
) -> None:
    rng = Random(f"{SEED} {name} {who}")
    kills = 0
    while kills < KILLS:
        seed = rng.randrange(10**6)
        print(f"--seed {seed} after {kills} kills")  # noqa: T201  # repeats a failure
        folder = tmp_path / str(seed)
        folder.mkdir()
        kills += Victim(Desk(folder), name, who, seed).play(KILLS - kills, rng)


@dataclass(frozen=True)
class Victim:
    """One game in which processes are killed."""

    desk: Desk
    name: str
    who: tuple[str, str]
    seed: int

    @property
    def command(self) -> list[str]:
        """The game from its beginning."""
        return [
            "play",
            self.name,
            "--seed",
            f"{self.seed}",
            "--one",
            self.who[0],
            "--two",
            self.who[1],
        ]

    def play(self, most: int, rng: Random) -> int:
        """Play to the end, with kills; how many there were."""
        match = new_match(self.name, self.seed, self.who)
        command, answers = self.command, typed(match)
        whole = replace(match.record, started="")
        at, kills = 0, 0
        while kills < most:
            out, ended = killed(self.desk, command, answers, rng)
            if ended:
                break
            kills += 1
            if not self.desk.saved:
                assert out == "", "something was shown before it was kept"
                continue
            at = self.check(whole, at, out)
            if boundaries(whole)[at] == whole:
                break
            # A game in which nothing happened is resumed only if it is named.
            named = [] if self.kept.moves else [str(self.desk.saved[0])]
            command, answers = ["resume", *named], typed(again(self.kept))
        else:
            done = self.desk.run(*command, typed=answers)
            assert done.status == 0, done.err
        assert replace(self.kept, started="") == whole
        return kills

    @property
    def kept(self) -> nd.Record:
        """The game as it is on disk."""
        (path,) = self.desk.saved
        return nd.Record.from_json(path.read_text(encoding="utf-8"))

    def check(self, whole: nd.Record, at: int, out: str) -> int:
        """Compare the folder with what was shown; how many steps of the game are kept by now."""
        known = boundaries(replace(whole, started=self.kept.started))
        assert self.kept in known, "what is kept is not a number of whole steps"
        texts = [record.to_json() + "\n" for record in known]
        for path in self.desk.games.iterdir():
            # A draft that was being written is a part of a whole step: no secret waits in it.
            begun = path.read_text(encoding="utf-8")
            assert any(text.startswith(begun) for text in texts), path
        shown = at
        for words in told(whole)[at:]:
            if words not in out:
                break
            out = out[out.index(words) + len(words) :]
            shown += 1
        assert known.index(self.kept) >= shown, "a step was shown that is not kept"
        return known.index(self.kept)


def killed(desk: Desk, command: list[str], answers: list[str], rng: Random) -> tuple[str, bool]:
    """What a command shows until it is killed, and whether it ended before that."""
    by_clock = rng.random() < 0.3
    enough = 10**6 if by_clock else rng.randrange(1, 60 * len(answers) + 2)
    patience = rng.uniform(0.05, 0.4) if by_clock else 20.0
    waiting, out, started = list(answers), b"", time.monotonic()
    with desk.start(*command) as process:
        while len(out) < enough and time.monotonic() - started < patience:
            if waiting and rng.random() < 0.7:
                type_line(process, waiting.pop(0))
            if select.select([process.stdout], [], [], rng.uniform(0, 0.004))[0]:
                piece = os.read(process.stdout.fileno(), 64)
                if not piece:
                    break
                out += piece
        process.kill()
        out += process.stdout.readall()
        assert b"Traceback" not in process.stderr.readall()
        ended = process.wait() == 0
    return out.decode(), ended


def type_line(process: Piped, line: str) -> None:
    """One line into a pipe, even when nobody reads it any more."""
    with suppress(BrokenPipeError):
        process.stdin.write(f"{line}\n".encode())
