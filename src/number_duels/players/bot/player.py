"""The player `bot:COMMAND`, which sends messages to a program and reads its answers."""

from __future__ import annotations

import os
import shlex
import weakref
from collections.abc import Hashable
from pathlib import Path
from shutil import which

from number_duels import __version__
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame, Seat
from number_duels.core.player import Forfeit, Situation
from number_duels.core.text import printable
from number_duels.players.bot.process import (
    EXIT_GRACE_S,
    PROTOCOL,
    BotProcess,
    as_json,
    decode,
    encode,
    shown,
)
from number_duels.players.external import (
    CRASHED,
    UNREADABLE,
    ExternalPlayer,
    Fault,
    Limits,
    Refused,
    turn_number,
)

UNASKED = "when it had not been asked anything"


class BotPlayer(ExternalPlayer):
    """A player whose moves come from a program. One process plays many games, until it fails."""

    def __init__(self, command: str, limits: Limits, clock: Clock = SYSTEM_CLOCK) -> None:
        super().__init__(limits)
        self.clock = clock
        self.words = split(command)
        self.name = ""
        self.program: BotProcess | None = None
        self.opening: tuple[AnyGame, Seat, int] | None = None
        #: The game and the history that the program knows.
        self.playing: tuple[AnyGame, Seat] | None = None
        self.history = ""
        self.asked = 0

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        """Begin a game. The program is told about it with its first turn, not now."""
        super().begin(game, seat, seed)
        self.opening, self.playing = (game, seat, seed), None

    def choose(self, situation: Situation) -> Hashable:
        """Return a legal move. After a forfeit, end the program."""
        try:
            return super().choose(situation)
        except Forfeit:
            self.drop()
            raise

    def answer(self, situation: Situation, refused: Fault | None) -> str:
        program = self.ready(situation)
        self.asked += 1
        turn: dict[str, object] = {
            "type": "turn",
            "id": self.asked,
            "turn": turn_number(situation.game, situation.history),
            "view": as_json(situation.view),
            "options": [str(option) for option in situation.options],
            "history": situation.history,
        }
        if refused:
            turn["refused"] = refused.reason
        deadline = self.clock.monotonic() + self.limits.program_seconds
        self.tell(turn, deadline)
        return read_move(program.receive(deadline), self.asked)

    def end(self, view: Hashable, result: str, reason: str) -> None:
        """Tell the program how the game ended. If the program fails now, the result stays valid."""
        if self.program and self.playing:
            try:
                message = {"result": result, "reason": reason, "view": as_json(view)}
                self.tell(
                    {"type": "end", **message}, self.clock.monotonic() + self.limits.program_seconds
                )
            except Forfeit:
                self.drop()
        self.opening = self.playing = None

    def close(self) -> None:
        self.drop(EXIT_GRACE_S)

    def ready(self, situation: Situation) -> BotProcess:
        """Return the running program. If necessary, start it and tell it about the game."""
        here = (situation.game, situation.seat)
        known = self.playing == here and situation.history.startswith(self.history)
        self.history = situation.history
        if known and self.program:
            return self.program
        if self.program is None or self.program.has_exited():
            self.drop()
            self.program = self.start()
        told = self.opening is not None and self.opening[:2] == here
        seed = self.opening[2] if self.opening and told else situation.rng.getrandbits(32)
        self.opening, self.playing = None, here
        self.tell(
            {
                "type": "start",
                "game": situation.game.name,
                "settings": situation.game.settings,
                "seat": situation.seat + 1,
                "seed": seed,
                "seconds": self.limits.program_seconds,
            },
            self.clock.monotonic() + self.limits.program_seconds,
        )
        return self.program

    def start(self) -> BotProcess:
        try:
            program = self.launch()
        except OSError as error:
            raise Forfeit(CRASHED, f"it cannot be started: {error.strerror}") from None
        # If `close` is never called, the program still ends with this player or this process.
        self.last_resort = weakref.finalize(self, BotProcess.stop, program)
        self.program = program
        deadline = self.clock.monotonic() + self.limits.starting
        ours = f"number-duels {__version__}"
        hello = {"type": "hello", "protocol": PROTOCOL, "program": ours}
        program.send(encode(hello), deadline)  # the bot may also greet first
        self.name = read_hello(program.receive(deadline))
        return program

    def launch(self) -> BotProcess:
        return BotProcess(self.words, self.limits, self.clock)

    def tell(self, message: dict[str, object], deadline: float) -> None:
        """Send a message. If the program wrote anything before it was asked, record a fault."""
        assert self.program
        said = self.program.discard()
        if said is not None:
            self.faults.append(Fault(UNREADABLE, f"it said {said!r} {UNASKED}"))
        self.program.send(encode(message), deadline)

    def drop(self, grace_s: float = 0.0) -> bool:
        """End the process, if there is one. Return whether it exited by itself."""
        program, self.program, self.playing = self.program, None, None
        if program is None:
            return True
        self.last_resort.detach()
        return program.stop(grace_s)


def split(command: str) -> list[str]:
    if "\0" in command:
        raise ValueError("The command after bot: cannot contain a zero byte.")
    try:
        words = shlex.split(command)
    except ValueError:
        raise ValueError(f"bot:{command} has an unclosed quotation mark.") from None
    if not words:
        raise ValueError("Write bot:COMMAND, such as bot:./mybot.")
    if which(words[0]):
        return words
    if not Path(words[0]).is_file():
        raise ValueError(f"The bot program {words[0]!r} was not found; check its path.")
    if os.access(words[0], os.X_OK):
        raise ValueError(f"{words[0]!r} is not on the search path; write ./{words[0]}.")
    raise ValueError(f"{words[0]!r} is not executable: run chmod +x, or write python3 {words[0]}.")


def read_hello(line: bytes) -> str:
    try:
        said = decode(line)
    except ValueError as error:
        raise Forfeit(UNREADABLE, f"it did not say hello: {error}") from None
    if said.get("type") != "hello":
        raise Forfeit(UNREADABLE, f"its first line was not a hello message: {shown(line)!r}")
    protocol = said.get("protocol")
    if type(protocol) is not int or protocol != PROTOCOL:
        found = "no protocol" if protocol is None else f"protocol {printable(str(protocol))}"
        raise Forfeit(UNREADABLE, f"it speaks {found}; this program speaks protocol {PROTOCOL}")
    name = said.get("name")
    return printable(name.strip(), 40) if isinstance(name, str) else ""


def read_move(line: bytes, asked: int) -> str:
    try:
        said = decode(line)
    except ValueError as error:
        raise Refused(UNREADABLE, str(error)) from None
    if said.get("type") != "move":
        raise Refused(UNREADABLE, f'{shown(line)!r} must have "type":"move"')
    answered = said.get("id", asked)
    if type(answered) is not int or answered != asked:
        found = printable(str(answered))
        raise Refused(UNREADABLE, f"the turn has id {asked}, but the answer has id {found}")
    move = said.get("move")
    if not isinstance(move, str):
        raise Refused(UNREADABLE, '"move" must be one of the options, in quotation marks')
    return move
