"""Bots that fail in every way: the game ends, the right kind is blamed, no process is left."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from number_duels.core.player import Forfeit
from number_duels.players.bot import process
from number_duels.players.bot.player import UNASKED, BotPlayer, read_move
from number_duels.players.bot.process import MAX_LINE_BYTES, encode
from number_duels.players.external import CRASHED, ILLEGAL, LATE, UNREADABLE, Limits, Refused
from tests.clock import ManualClock
from tests.players.bots import (
    CHILD,
    HASTY,
    HOPPER,
    PATIENT,
    STRAY,
    Ending,
    duel,
    write_bot,
)
from tests.players.in_process_bot import (
    HELLO,
    InProcessBot,
    Program,
    Script,
    answering,
    hear,
    move,
)

# Every process that a test starts has a mark, and none may be left.
pytestmark = pytest.mark.usefixtures("mark")

#: What each bot does, and what is said of it.
ENDS = {
    "before hello": ("sys.exit(3)", "status 3"),
    "after hello": ("hello(); sys.exit(3)", "status 3"),
    "after start": ("hello(); hear('start'); sys.exit(0)", "status 0"),
    "at its first turn": ("hello(); hear('turn'); sys.exit(4)", "status 4"),
    "at its second turn": ("hello(); move(hear('turn')); hear('turn'); sys.exit(5)", "status 5"),
    "right after an answer": ("hello(); move(hear('turn')); sys.exit(6)", "status 6"),
    "in half a line": ("hello(); hear('turn'); write('{\"type\":\"mo'); sys.exit(7)", "status 7"),
    "by an exception": (
        "hello(); hear('turn'); raise ValueError('no idea')",
        "ValueError: no idea",
    ),
    "by a signal": ("hello(); hear('turn'); os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
    "by killing its group": ("hello(); hear('turn'); os.kill(0, signal.SIGKILL)", "SIGKILL"),
    "with a child at its pipes": (f"{CHILD}\nhello(); hear('turn'); os._exit(8)", "status 8"),
    "with a child far away": (f"{STRAY}\nhello(); hear('turn'); os._exit(9)", "status 9"),
}
#: The same for bots that close a pipe and stay.
DEAF_OR_MUTE = {
    "output": "hello(); hear('turn'); os.close(1); hang()",
    "input": "hello(); m = hear('turn'); os.close(0); move(m); hang()",
}
#: Programs that never end by themselves, whatever they do meanwhile.
ENDLESS = {
    "silent": ("hang()", Limits(starting=0.1), LATE),
    "stopped": ("hello(); hear('turn'); os.kill(os.getpid(), signal.SIGSTOP)", HASTY, LATE),
    "a flood of errors": ("hello()\nwhile True: os.write(2, b'x' * 65536)", HASTY, LATE),
    "a flood of lines": ("hello()\nwhile True: write('{}\\n' * 10000)", PATIENT, UNREADABLE),
    "a line without an end": ("hello()\nwhile True: write('x' * 65536)", PATIENT, UNREADABLE),
    "a child that hops": (f"{HOPPER}hello(); hang()", HASTY, LATE),
    "children": (f"{CHILD}{STRAY}hello(); hang()", HASTY, LATE),
}
#: What a bot says before it is silent, for hello or at its first turn.
HALF = b'{"type":'
SILENT = {
    "no hello": answering(hello=HALF[:0]),
    "half a hello": answering(hello=HALF),
    "no answer": answering(b""),
    "half an answer": answering(HALF),
    "half a flood": answering(b"x" * 60000),
}
#: What is said for hello, and what is said at every turn.
NO_HELLO = {
    "words": b"Starting up ...\n",
    "another protocol": encode({"type": "hello", "protocol": 2}),
    "no protocol": encode({"type": "hello"}),
    "a protocol that is true": encode({"type": "hello", "protocol": True}),
    "a move": encode({"type": "move", "move": "S1"}),
    "binary": bytes(range(256)) * 4,
}
UNREAD = {
    "binary": b"\x00\x01\x02\n",
    "not UTF-8": b'{"type":"move","move":"\xff"}\n',
    "half a surrogate": b'{"type":"\\ud800","move":"S1"}\n',
    "deeply nested": b"[" * 60000 + b"\n",
    "deeply nested objects": b'{"a":' * 10000 + b"\n",
    "no number": b'{"type":"move","move":NaN}\n',
    "an endless number": b'{"type":"move","id":' + b"1" * 60000 + b"}\n",
    "a list": b'["S1"]\n',
    "a number": encode({"type": "move", "move": 7}),
    "nothing": b"\n",
    "another type": encode({"type": "bid", "move": "S1"}),
    "another id": encode({"type": "move", "move": "S1", "id": 0}),
    "an id that is true": encode({"type": "move", "move": "S1", "id": True}),
}


def once(bot: BotPlayer) -> Ending:
    """One game."""
    try:
        return duel(bot)
    finally:
        bot.close()


def twice(bot: BotPlayer) -> tuple[Ending, Ending]:
    """Two games, one after the other: a bot that failed the first is started afresh."""
    try:
        return duel(bot, seed=1), duel(bot, seed=2)
    finally:
        bot.close()


@pytest.mark.parametrize("how", ENDS)
def test_a_bot_that_ends_has_crashed(how: str, tmp_path: Path) -> None:
    body, reason = ENDS[how]
    ending = once(BotPlayer(write_bot(tmp_path, body), PATIENT))
    assert ending.kind == CRASHED
    assert reason in ending.reason


def test_a_bot_that_failed_is_started_again_for_the_next_game(tmp_path: Path) -> None:
    command = write_bot(tmp_path, "hello(); hear('turn'); sys.exit(4)")
    for ending in twice(BotPlayer(command, PATIENT)):
        assert (ending.kind, "status 4" in ending.reason) == (CRASHED, True)


@pytest.mark.parametrize("what", DEAF_OR_MUTE)
def test_a_bot_that_closes_a_pipe_and_stays_has_crashed(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "EXIT_GRACE_S", 0.1)
    for ending in twice(BotPlayer(write_bot(tmp_path, DEAF_OR_MUTE[what]), PATIENT)):
        assert ending.kind == CRASHED
        assert f"it closed its standard {what}, but kept running" in ending.reason


@pytest.mark.parametrize("how", ENDLESS)
def test_a_bot_without_an_end_is_ended(how: str, tmp_path: Path) -> None:
    body, limits, kind = ENDLESS[how]
    assert once(BotPlayer(write_bot(tmp_path, body), limits)).kind == kind


@pytest.mark.parametrize("how", SILENT)
def test_a_bot_that_is_silent_is_late_when_its_time_is_over(how: str) -> None:
    bot = InProcessBot(SILENT[how], Limits(seconds=3, starting=7))
    ending = once(bot)
    assert (ending.kind, ending.reason) == (LATE, "it said nothing in time")
    assert bot.clock.passed == pytest.approx(7 if "hello" in how else 3)


def test_a_bot_that_reads_nothing_is_late() -> None:
    def script() -> Script:
        while True:
            yield b"x" * 60000

    program = Program(script(), clock := ManualClock())
    with pytest.raises(Forfeit, match="it did not read its input in time") as forfeit:
        program.send(b"z" * 10_000_000, clock.monotonic() + 3)
    program.stop()
    assert (forfeit.value.kind, clock.passed) == (LATE, 3)


@pytest.mark.parametrize(
    "script",
    [
        *(
            pytest.param(answering(hello=line), id=f"hello: {how}")
            for how, line in NO_HELLO.items()
        ),
        *(pytest.param(answering(line), id=how) for how, line in UNREAD.items()),
    ],
)
def test_a_bot_that_cannot_be_read_forfeits(script: Callable[[], Script]) -> None:
    ending = once(InProcessBot(script))
    assert ending.kind == UNREADABLE
    assert {fault.kind for fault in ending.faults} <= {UNREADABLE}
    assert len(ending.reason) < 500
    assert ending.reason.isprintable()


def test_a_flood_that_nobody_asked_for_ends_the_program() -> None:
    def script() -> Script:
        yield HELLO
        while True:
            yield b"\n" * 65536

    assert (
        once(InProcessBot(script)).reason
        == "it writes too much to standard output without being asked"
    )


def test_a_move_that_is_never_open_is_refused_as_often_as_stated() -> None:
    for said in ("S99", "x" * 60000, "\ud800", ""):
        ending = once(InProcessBot(answering(encode({"type": "move", "move": said})), PATIENT))
        assert ending.kind == ILLEGAL
        assert [fault.kind for fault in ending.faults] == [ILLEGAL] * (PATIENT.retries + 1)


def test_a_bot_that_answers_twice_plays_on_and_is_told_on() -> None:
    def script() -> Script:
        yield HELLO
        while True:
            yield move((yield from hear("turn"))) * 2

    for ending in twice(InProcessBot(script)):
        assert (ending.kind, ending.result == "*") == (None, False)
        assert {fault.kind for fault in ending.faults} == {UNREADABLE}
        assert all(UNASKED in fault.reason for fault in ending.faults)


def test_a_bot_that_ends_with_each_game_is_started_for_each() -> None:
    def script() -> Script:
        yield HELLO
        while (message := (yield from hear("turn", "end")))["type"] == "turn":
            yield move(message)
        return 0

    bot, good = InProcessBot(script), InProcessBot(answering())
    for seed in range(3):
        assert duel(bot, seed=seed) == Ending(duel(good, seed=seed).result, None, ())
        bot.programs[-1].go_on()
    assert (len(bot.programs), len(good.programs)) == (3, 1)
    bot.close()
    good.close()


def test_errors_are_read_all_the_time(tmp_path: Path) -> None:
    body = "hello()\nwhile True:\n    m = hear('turn'); os.write(2, b'x' * 1000000); move(m)"
    for ending in twice(BotPlayer(write_bot(tmp_path, body), PATIENT)):
        assert (ending.kind, ending.faults) == (None, ())


def test_what_is_heard_does_not_fill_the_memory() -> None:
    def script() -> Script:
        while True:
            yield b"x" * 65536

    program = Program(script(), clock := ManualClock())
    with pytest.raises(Forfeit, match="longer than 64 KiB"):
        program.receive(clock.monotonic() + 1)
    with pytest.raises(Forfeit, match="did not read"):
        program.send(b"z" * 10_000_000, clock.monotonic() + 1)
    assert len(program.stdout_buffer) <= 2 * MAX_LINE_BYTES + 65536
    program.stop()


def test_an_answer_of_another_type_is_refused_with_the_type_it_must_have() -> None:
    with pytest.raises(Refused, match=r"""'\{"type":"bid"\}' must have "type":"move"$"""):
        read_move(b'{"type":"bid"}', asked=1)
