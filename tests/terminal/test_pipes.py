"""Pipes that close, screens that are full, signals: an end in order, and never a traceback."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.some_games import SOME_GAMES
from tests.terminal.desk import Desk, hear_out, hear_until
from tests.terminal.script import lines, new_match, typed

some_games = pytest.mark.parametrize("name", SOME_GAMES)
INTERRUPTED = 130


def farewell(err: str) -> str:
    """The command with which a game is continued, as an interrupted one names it."""
    found = re.search(r"go on with: duels (resume .*)", err)
    assert found, err
    return found[1]


def up_to_turn_2(name: str) -> int:
    """How many lines are typed until the first turn is complete."""
    match = new_match(name, 3)
    return next(n for n, _ in enumerate(lines(match)) if match.turn_number > 1)


@some_games
def test_ctrl_c_leaves_a_game_that_goes_on(name: str, desk: Desk) -> None:
    upto, answers = up_to_turn_2(name), typed(new_match(name, 3))
    cut = desk.run("play", name, "--seed", "3", typed=answers[:upto], ctrl_c=True)
    assert cut.status == INTERRUPTED
    assert "Traceback" not in cut.err
    done = desk.run(*shlex.split(farewell(cut.err)), typed=answers[upto:])
    assert done.status == 0


@pytest.mark.parametrize("said", ["SIGINT", "SIGTERM"])
def test_a_signal_while_a_player_thinks_leaves_a_game_that_goes_on(said: str, desk: Desk) -> None:
    (desk.folder / "ending.py").write_text(
        f"import os, signal\ndef choose(*_): os.kill(os.getpid(), signal.{said}); return 'A3'\n"
    )
    words = ("play", "knot", "--one", "random", "--two", "py:ending:choose")
    with desk.start(*words) as process:
        assert process.wait(PATIENCE_S) == INTERRUPTED
        err = process.stderr.readall().decode()
    assert "Traceback" not in err
    done = desk.run(*shlex.split(farewell(err)), "--two", "random")
    assert done.status == 0


@pytest.mark.parametrize("key", ["\x03", "\x04"])
@some_games
def test_the_keys_that_interrupt_leave_a_terminal_that_shows_what_is_typed(
    name: str, key: str, desk: Desk
) -> None:
    line = next(iter(lines(new_match(name, 3))))
    with desk.sit("play", name, "--seed", "3") as session:
        hear_until(session, line.prompt[-20:])
        assert not (line.secret and session.echoes)
        session.press(key.encode())
        heard = hear_out(session)
        assert session.status() == INTERRUPTED
        assert session.echoes
    assert "Interrupted." in heard
    assert "Traceback" not in heard


def test_a_game_that_is_said_to_be_saved_is_there(desk: Desk) -> None:
    kept = []
    for answers in ([], ["3"], ["3", "4"]):
        done = desk.run("play", "bid", typed=answers)
        assert done.status == INTERRUPTED
        if "saved" in done.err:
            kept.append(Path(shlex.split(farewell(done.err))[1]))
    assert kept == desk.saved
    assert len(kept) == 1  # nothing had happened in the others


def test_the_way_to_go_on_can_be_copied_into_a_shell(desk: Desk) -> None:
    data = desk.folder / "a folder; with $odd 'signs'"
    cut = desk.run("play", "bid", typed=["3", "4"], XDG_DATA_HOME=str(data))
    done = desk.run(*shlex.split(farewell(cut.err)), XDG_DATA_HOME=str(data))
    assert done.status == INTERRUPTED
    assert done.err.startswith("Resuming Number Bid, round 2.")


@some_games
def test_quitting_is_no_failure(name: str, desk: Desk) -> None:
    done = desk.run("play", name, typed=["quit"])
    assert done.status == 0
    assert "Until next time." in done.err


#: Commands that write at once, at their end, through the parser, and between questions.
WRITING = pytest.mark.parametrize("command", ["list", "rules knot", "--help", "play bid"])


@WRITING
def test_a_reader_that_has_gone_is_no_reason_to_complain(command: str, desk: Desk) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = desk.run(*command.split(), out_to=writing)
    os.close(writing)
    assert (done.status, done.err) == (1, "")


@WRITING
def test_output_that_cannot_be_written_is_a_failure_in_a_sentence(command: str, desk: Desk) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    done = desk.run(*command.split(), out_to=full)
    os.close(full)
    assert done.status == 1
    assert "No space left" in done.sentence


@pytest.mark.parametrize("command", ["play bid", ""])
def test_input_that_was_never_open_is_closed_input(command: str, desk: Desk) -> None:
    done = desk.run(*command.split(), closed=("stdin",))
    assert "Traceback" not in done.err
    assert done.status == INTERRUPTED


@pytest.mark.parametrize(("command", "status"), [("list", 0), ("play chess", 2)])
def test_output_that_was_never_open_is_no_reason_for_a_traceback(
    command: str, status: int, desk: Desk
) -> None:
    done = desk.run(*command.split(), closed=("stdout",))
    assert done.status == status
    assert "Traceback" not in done.err


def test_messages_do_not_stray_into_the_output(desk: Desk) -> None:
    done = desk.run("play", "chess", closed=("stderr",))
    assert (done.status, done.out) == (2, "")


@pytest.mark.system
@pytest.mark.parametrize(
    ("script", "out", "err"),
    [
        ("duels list | true", "", ""),
        ("duels rules knot | head -1", "Number Knot\n", ""),
        ("duels list >/dev/full", "", "duels: the output could not be written (No space"),
        ("duels play bid <&-", "Available Numbers", "Interrupted."),
        ("duels list >&-", "", ""),
        ("duels play chess 2>&-", "", ""),
    ],
)
def test_a_shell_gives_streams_of_all_kinds(script: str, out: str, err: str, desk: Desk) -> None:
    done = desk.shell(script)
    assert "Traceback" not in done.err
    assert "Exception" not in done.err
    assert out in done.out
    assert bool(done.out) == bool(out)
    assert err in done.err
    assert bool(done.err) == bool(err)
