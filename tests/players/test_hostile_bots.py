"""Bots that fail in every way: the game ends, the right kind is blamed, no process is left."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from number_duels.core.player import Forfeit
from number_duels.players.bot import process
from number_duels.players.bot.player import UNASKED, BotPlayer, read_move
from number_duels.players.bot.process import BotProcess
from number_duels.players.bot.protocol import MAX_LINE_BYTES
from number_duels.players.external import CRASHED, ILLEGAL, LATE, UNREADABLE, Limits, Refused
from tests.players.bots import (
    CHILD,
    HASTY,
    HASTY_AT_HELLO,
    HOPPER,
    PATIENT,
    STRAY,
    Ending,
    duel,
    write_bot,
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
    "output": "hello(); hear('turn'); os.close(1); time.sleep(600)",
    "input": "hello(); m = hear('turn'); os.close(0); move(m); time.sleep(600)",
}
SILENT = {
    "no hello": ("time.sleep(600)", HASTY_AT_HELLO),
    "half a hello": ("write('{\"type\":'); time.sleep(600)", HASTY_AT_HELLO),
    "a hello in a buffer": ("sys.stdout.write('{}\\n'); time.sleep(600)", HASTY_AT_HELLO),
    "no answer": ("hello(); time.sleep(600)", HASTY),
    "half an answer": ("hello(); hear('turn'); write('{\"type\":'); time.sleep(600)", HASTY),
    "nothing read": ("say(type='hello', protocol=1); time.sleep(600)", HASTY),
    "stopped": ("hello(); hear('turn'); os.kill(os.getpid(), signal.SIGSTOP)", HASTY),
    "a flood of errors": ("hello()\nwhile True: os.write(2, b'x' * 65536)", HASTY),
    "half a flood": ("hello(); write('x' * 60000); time.sleep(600)", HASTY),
    "a child that hops": (f"{HOPPER}hello(); time.sleep(600)", HASTY),
    "children": (f"{CHILD}{STRAY}hello(); time.sleep(600)", HASTY),
}
ANSWER = "hello()\nwhile True: hear('turn'); "
UNREAD = {
    "words for hello": "write('Starting up ...\\n'); play()",
    "another protocol": "say(type='hello', protocol=2); play()",
    "no protocol": "say(type='hello'); play()",
    "a protocol that is true": "say(type='hello', protocol=True); play()",
    "a move for hello": "say(type='move', move='S1'); play()",
    "binary for hello": "os.write(1, bytes(range(256)) * 4); play()",
    "binary": ANSWER + "os.write(1, b'\\x00\\x01\\x02\\n')",
    "not UTF-8": ANSWER + 'os.write(1, b\'{"type":"move","move":"\\xff"}\\n\')',
    "half a surrogate": ANSWER + 'write(\'{"type":"\\\\ud800","move":"S1"}\\n\')',
    "deeply nested": ANSWER + "write('[' * 60000 + '\\n')",
    "deeply nested objects": ANSWER + "write('{\"a\":' * 10000 + '\\n')",
    "no number": ANSWER + 'write(\'{"type":"move","move":NaN}\\n\')',
    "an endless number": ANSWER + "write('{\"type\":\"move\",\"id\":' + '1' * 60000 + '}\\n')",
    "a list": ANSWER + "write('[\"S1\"]\\n')",
    "a number": ANSWER + "say(type='move', move=7)",
    "nothing": ANSWER + "write('\\n')",
    "another type": ANSWER + "say(type='bid', move='S1')",
    "another id": ANSWER + "say(type='move', move='S1', id=0)",
    "an id that is true": ANSWER + "say(type='move', move='S1', id=True)",
    "a line that is too long": ANSWER + f"write('x' * {MAX_LINE_BYTES + 1} + '\\n')",
    "a line without an end": "hello()\nwhile True: write('x' * 65536)",
    "a flood of lines": "hello()\nwhile True: write('{}\\n' * 10000)",
    "a flood of empty lines": "hello()\nwhile True: write('\\n' * 65536)",
}


def once(command: str, limits: Limits) -> Ending:
    """One game."""
    bot = BotPlayer(command, limits)
    try:
        return duel(bot)
    finally:
        bot.close()


def twice(command: str, limits: Limits) -> tuple[Ending, Ending]:
    """Two games, one after the other: a bot that failed the first is started afresh."""
    bot = BotPlayer(command, limits)
    try:
        return duel(bot, seed=1), duel(bot, seed=2)
    finally:
        bot.close()


@pytest.mark.parametrize("how", ENDS)
def test_a_bot_that_ends_has_crashed(how: str, tmp_path: Path) -> None:
    body, reason = ENDS[how]
    ending = once(write_bot(tmp_path, body), PATIENT)
    assert ending.kind == CRASHED
    assert reason in ending.reason


def test_a_bot_that_failed_is_started_again_for_the_next_game(tmp_path: Path) -> None:
    for ending in twice(write_bot(tmp_path, "hello(); hear('turn'); sys.exit(4)"), PATIENT):
        assert (ending.kind, "status 4" in ending.reason) == (CRASHED, True)


@pytest.mark.parametrize("what", DEAF_OR_MUTE)
def test_a_bot_that_closes_a_pipe_and_stays_has_crashed(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "EXIT_GRACE_S", 0.1)
    for ending in twice(write_bot(tmp_path, DEAF_OR_MUTE[what]), PATIENT):
        assert ending.kind == CRASHED
        assert f"it closed its standard {what}, and went on" in ending.reason


@pytest.mark.parametrize("how", SILENT)
def test_a_bot_that_is_silent_is_late(how: str, tmp_path: Path) -> None:
    body, limits = SILENT[how]
    assert once(write_bot(tmp_path, body), limits).kind == LATE


@pytest.mark.parametrize("how", UNREAD)
def test_a_bot_that_cannot_be_read_forfeits(how: str, tmp_path: Path) -> None:
    ending = once(write_bot(tmp_path, UNREAD[how]), PATIENT)
    assert ending.kind == UNREADABLE
    assert {fault.kind for fault in ending.faults} <= {UNREADABLE}
    assert len(ending.reason) < 500
    assert ending.reason.isprintable()


def test_a_move_that_is_never_open_is_refused_as_often_as_stated(tmp_path: Path) -> None:
    for said in ("S99", "x" * 60000, "\\ud800", ""):
        body = ANSWER + f"say(type='move', move='{said}')"
        ending = once(write_bot(tmp_path, body), PATIENT)
        assert ending.kind == ILLEGAL
        assert [fault.kind for fault in ending.faults] == [ILLEGAL] * (PATIENT.retries + 1)


def test_a_bot_that_answers_twice_plays_on_and_is_told_on(tmp_path: Path) -> None:
    line = '{"type":"move","id":%d,"move":"%s"}\\n'
    body = (
        "hello()\nwhile True:\n    m = hear('turn')\n"
        f"    write('{line}' % (m['id'], m['options'][0]) * 2)"
    )
    for ending in twice(write_bot(tmp_path, body), PATIENT):
        assert (ending.kind, ending.result == "*") == (None, False)
        assert {fault.kind for fault in ending.faults} == {UNREADABLE}
        assert all(UNASKED in fault.reason for fault in ending.faults)


def test_a_bot_that_ends_with_each_game_is_started_for_each(tmp_path: Path) -> None:
    body = "hello()\nwhile (m := hear('turn', 'end'))['type'] == 'turn': move(m)"
    bot = BotPlayer(write_bot(tmp_path, body), PATIENT)
    for seed in range(3):
        assert duel(bot, seed=seed) == Ending(duel_result(seed, tmp_path), None, ())
        assert bot.program
        assert bot.program.has_exited(seconds=30)
    bot.close()


def duel_result(seed: int, folder: Path) -> str:
    """How the same game ends for a bot that behaves."""
    bot = BotPlayer(write_bot(folder, "hello(); play()", "good.py"), PATIENT)
    try:
        return duel(bot, seed=seed).result
    finally:
        bot.close()


def test_errors_are_read_all_the_time(tmp_path: Path) -> None:
    body = "hello()\nwhile True:\n    m = hear('turn'); os.write(2, b'x' * 1000000); move(m)"
    for ending in twice(write_bot(tmp_path, body), PATIENT):
        assert (ending.kind, ending.faults) == (None, ())


def test_what_is_heard_does_not_fill_the_memory(tmp_path: Path) -> None:
    body = "while True: write('x' * 65536); os.write(2, b'y' * 65536)"
    program = BotProcess(["sh", "-c", write_bot(tmp_path, body)])
    with pytest.raises(Forfeit, match="longer than 64 KiB"):
        program.receive(time.monotonic() + 30)
    with pytest.raises(Forfeit, match="does not read"):
        program.send(b"z" * 10_000_000, time.monotonic() + 0.4)
    assert len(program.stdout_buffer) <= 2 * MAX_LINE_BYTES + 65536
    assert len(program.stderr_tail) <= MAX_LINE_BYTES
    program.stop()


def test_an_answer_of_another_type_is_refused_with_the_type_it_must_have() -> None:
    with pytest.raises(Refused, match=r"""'\{"type":"bid"\}' must have "type":"move"$"""):
        read_move(b'{"type":"bid"}', asked=1)
