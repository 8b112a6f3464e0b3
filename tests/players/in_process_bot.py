"""A bot in this process: the pipes are real, the program at their other end is a generator.

A generator that yields bytes says them; one that yields nothing waits for the next message. What
it returns is its exit status. Time passes only while both sides wait for each other.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator
from typing import Any

from number_duels.players.bot.player import BotPlayer
from number_duels.players.bot.process import BotProcess, encode
from number_duels.players.external import Limits
from tests.clock import ManualClock

Message = dict[str, Any]
Script = Generator[bytes | None, Message | None, int]
USUAL = Limits()
HELLO = encode({"type": "hello", "protocol": 1})


def hear(*types: str) -> Generator[None, Message | None, Message]:
    """The next message of these types, or of any."""
    while True:
        message = yield
        assert message
        if not types or message["type"] in types:
            return message


def answering(*answers: bytes, hello: bytes = HELLO) -> Callable[[], Script]:
    """A bot that gives these answers to its turns, and the last one for ever; none: it plays."""

    def script() -> Script:
        yield hello
        left = list(answers)
        while True:
            turn = yield from hear("turn")
            yield move(turn) if not left else left.pop(0) if len(left) > 1 else left[0]

    return script


def move(turn: Message) -> bytes:
    """The first option."""
    return encode({"type": "move", "move": turn["options"][0]})


class Program(BotProcess):
    """A generator behind three pipes."""

    def __init__(self, script: Script, clock: ManualClock) -> None:
        self.clock: ManualClock = clock
        self.script = script
        (self.heard, self.input), (self.output, self.says), (self.errors, self.complains) = (
            os.pipe() for _ in range(3)
        )
        for pipe in (self.heard, self.input, self.output, self.says, self.errors):
            os.set_blocking(pipe, False)
        self.open = {self.output, self.errors}
        self.stdout_buffer, self.stderr_tail = bytearray(), bytearray()
        self.unread, self.unsaid, self.listens = bytearray(), b"", False
        self.status: int | None = None

    def poll(self, seconds: float, *writing: int) -> set[int]:
        """Let the program go on; if then nothing is ready, let the time pass."""
        self.go_on()
        ready = super().poll(0, *writing)
        if not ready:
            self.clock.advance(seconds)
        return ready

    def go_on(self) -> None:
        """Run the program as far as its pipes let it."""
        while self.status is None:
            try:
                if self.unsaid:
                    self.unsaid = self.unsaid[os.write(self.says, self.unsaid) :]
                else:
                    said = self.script.send(self.next_message() if self.listens else None)
                    self.unsaid, self.listens = said or b"", said is None
            except BlockingIOError:
                return
            except StopIteration as end:
                self.status = end.value
                os.close(self.says)

    def next_message(self) -> Message:
        while b"\n" not in self.unread:
            self.unread += os.read(self.heard, 65536)
        line, _, self.unread = self.unread.partition(b"\n")
        message: Message = json.loads(line)
        return message

    def has_exited(self, seconds: float = 0.0) -> bool:
        return self.status is not None

    def wait_for_exit(self, seconds: float) -> int | None:
        return self.status

    def stop(self, grace_s: float = 0.0) -> bool:
        if self.status is None:
            os.close(self.says)
        for pipe in (self.heard, self.input, self.output, self.errors, self.complains):
            os.close(pipe)
        return True


class InProcessBot(BotPlayer):
    """Plays what a generator says; `programs` has those that were started."""

    def __init__(self, script: Callable[[], Script], limits: Limits = USUAL) -> None:
        self.clock: ManualClock = ManualClock()
        super().__init__("true", limits, self.clock)
        self.script = script
        self.programs: list[Program] = []

    def launch(self) -> Program:
        self.programs.append(Program(self.script(), self.clock))
        return self.programs[-1]
