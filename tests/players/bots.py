"""Bots written in a test, the games they play, and the processes they may leave behind."""

from __future__ import annotations

import logging
import shlex
import sys
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path

import number_duels as nd
from number_duels.core.player import Forfeit, Player, Situation
from number_duels.core.runner import play_match
from number_duels.players.bot.player import BotPlayer
from number_duels.players.builtin import RandomPlayer
from number_duels.players.external import Fault, Limits
from tests.patience import PATIENCE_S

#: Every process that a bot starts inherits this, whatever else it does.
MARK = "NUMBER_DUELS_TEST_MARK"
#: Nobody in a test is late who does not mean to be; nobody waits for who does.
PATIENT = Limits(seconds=60, starting=60)
HASTY = Limits(seconds=0.1, starting=60)

#: What a bot in a test can say; it ends by itself when its input is closed.
WORDS = """
import json, os, signal, sys, time

def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def say(**message):
    write(json.dumps(message) + "\\n")

def hear(*types):
    for line in sys.stdin:
        message = json.loads(line)
        if not types or message["type"] in types:
            return message
    sys.exit()

def hello():
    hear("hello")
    say(type="hello", protocol=1)

def move(message):
    say(type="move", move=message["options"][0])

def hang():
    while True:
        signal.pause()

def play():
    while True:
        move(hear("turn"))

"""

#: A child that nobody can tell belongs to the bot, but for the supervisor.
STRAY = """
middle = os.fork()
if not middle:
    os.setsid()
    for number in range(1, 32):
        if number not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_IGN)
    if not os.fork():
        for pipe in (0, 1, 2):
            os.close(pipe)
        hang()
    os._exit(0)
os.waitpid(middle, 0)
"""
#: A child that is always another one by the time somebody looks.
HOPPER = """
if not os.fork():
    while not os.fork(): pass
    os._exit(0)
"""
CHILD = "if not os.fork(): hang()\n"


@dataclass(frozen=True)
class Ending:
    """How a game with a bot ended."""

    result: str
    forfeit: Forfeit | None
    faults: tuple[Fault, ...]

    @property
    def kind(self) -> str | None:
        """The kind of the forfeit, if it was one."""
        return self.forfeit.kind if self.forfeit else None

    @property
    def reason(self) -> str:
        """What is said of the forfeit."""
        return self.forfeit.reason if self.forfeit else ""


def write_bot(folder: Path, body: str, name: str = "bot.py") -> str:
    """A bot as a file; the command that runs it."""
    path = folder / name
    path.write_text(WORDS + body, encoding="utf-8")
    return shlex.join([sys.executable, "-I", "-S", str(path)])


def duel(
    bot: BotPlayer, name: str = "number-knot", seed: int = 1, seat: nd.Seat = nd.Seat.TWO
) -> Ending:
    """A game against random moves."""
    match = nd.Match(nd.load(name), seed=seed)
    forfeits: list[Forfeit] = []
    players: dict[nd.Seat, Player] = {seat: bot, seat.other: RandomPlayer(match.game)}
    play_match(match, players, lambda _, forfeit: forfeits.append(forfeit))
    return Ending(match.result, next(iter(forfeits), None), tuple(bot.faults))


@dataclass
class Recorder:
    """Keeps what a seat was told at its turns, and leaves the choice to another player."""

    player: Player
    told: list[Situation] = field(default_factory=list)

    def choose(self, situation: Situation) -> Hashable:
        self.told.append(situation)
        return self.player.choose(situation)


def marked(mark: str) -> list[int]:
    """The processes that have a mark in their environment, apart from this one."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue  # it has just ended, or is somebody else's
    return found


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE_S) -> bool:
    """Wait for something that other processes bring about; whether it came."""
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
    return bool(condition())


def nobody_is_left(mark: str) -> bool:
    """Whether all that was marked has ended, or does so in a while; else tell what is left."""
    ended = wait_until(lambda: not marked(mark))
    for pid in marked(mark):
        told = [read_process(pid, name) for name in ("cmdline", "status", "wchan")]
        logging.getLogger(__name__).warning("%d is left: %s", pid, "\n".join(told))
    return ended


def read_process(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text(errors="replace").replace("\0", " ")
    except OSError as error:
        return str(error)
