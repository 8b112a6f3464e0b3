"""Pipes that close, screens that are full, signals: an end in order, and never a traceback."""

from __future__ import annotations

import re
import shlex
import signal
from pathlib import Path

import pytest

import number_duels as nd
from tests.terminal.desk import Desk, hear_out, hear_until, read_until
from tests.terminal.script import again, lines, new_match, typed
from tests.terminal.session import PATIENCE, let_it_wait

every_game = pytest.mark.parametrize("name", nd.games())
INTERRUPTED = 130


def farewell(err: str) -> str:
    """The command with which a game is continued, as an interrupted one names it."""
    found = re.search(r"go on with: duels (resume .*)", err)
    assert found, err
    return found[1]


@every_game
def test_closed_input_leaves_a_game_that_goes_on(name: str, desk: Desk) -> None:
    answers = typed(new_match(name, 3))
    cut = desk.run("play", name, "--seed", "3", typed=answers[:-1])
    assert cut.status == INTERRUPTED
    # A secret that waited for the other's is asked again.
    (path,) = desk.saved
    rest = typed(again(nd.Record.from_json(path.read_text(encoding="utf-8"))))
    done = desk.run(*shlex.split(farewell(cut.err)), typed=rest)
    assert done.status == 0
    assert "Traceback" not in done.err


@pytest.mark.parametrize("said", [signal.SIGINT, signal.SIGTERM])
@every_game
def test_a_signal_leaves_a_game_that_goes_on(name: str, said: signal.Signals, desk: Desk) -> None:
    match = new_match(name, 3)
    # As far as the first turn is complete, and everything that is typed has been read.
    upto = next(n for n, _ in enumerate(lines(match)) if match.turn_number > 1)
    answers = typed(new_match(name, 3))
    with desk.start("play", name, "--seed", "3") as process:
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.write("".join(f"{line}\n" for line in answers[:upto]).encode())
        asked = list(lines(new_match(name, 3)))[: upto + 1]
        for line in asked:
            read_until(process, line.prompt)
        let_it_wait(process.pid)
        process.send_signal(said)
        process.wait(PATIENCE)
        err = process.stderr.read().decode()
    assert process.returncode == INTERRUPTED
    assert "Traceback" not in err
    done = desk.run(*shlex.split(farewell(err)), typed=answers[upto:])
    assert done.status == 0


@pytest.mark.parametrize("key", ["\x03", "\x04"])
@every_game
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
    for answers in ([], ["3"], ["3", "4"]):
        done = desk.run("play", "bid", typed=answers)
        assert done.status == INTERRUPTED
        if "saved" in done.err:
            assert Path(shlex.split(farewell(done.err))[1]).is_file()


def test_the_way_to_go_on_can_be_copied_into_a_shell(desk: Desk) -> None:
    data = desk.folder / "a folder; with $odd 'signs'"
    cut = desk.run("play", "bid", typed=["3", "4"], XDG_DATA_HOME=str(data))
    done = desk.shell(f"duels {farewell(cut.err)} </dev/null", XDG_DATA_HOME=str(data))
    assert done.status == INTERRUPTED
    assert "Remaining Numbers: 1" in cut.out


@every_game
def test_quitting_is_no_failure(name: str, desk: Desk) -> None:
    done = desk.run("play", name, typed=["quit"])
    assert done.status == 0
    assert "Until next time." in done.err


@pytest.mark.parametrize(
    "command", ["list", "list --json", "rules knot", "--help", "completion bash"]
)
def test_a_reader_that_has_gone_is_no_reason_to_complain(command: str, desk: Desk) -> None:
    done = desk.shell(f"duels {command} | true; exec 3>&1; duels {command} | head -1 >&3")
    assert done.err == ""


def test_the_first_line_of_a_list_is_a_line(desk: Desk) -> None:
    done = desk.shell("duels list | head -1")
    assert done.err == ""
    assert done.out.startswith(nd.games()[0])


def test_a_game_whose_reader_has_gone_ends_quietly(desk: Desk) -> None:
    done = desk.shell("printf '3\\n4\\n' | duels play bid --save game.json | true")
    assert "Traceback" not in done.err
    assert "BrokenPipe" not in done.err


@pytest.mark.parametrize("command", ["list", "list --json", "rules knot", "play bid"])
def test_output_that_cannot_be_written_is_a_failure_in_a_sentence(command: str, desk: Desk) -> None:
    done = desk.shell(f"duels {command} </dev/null >/dev/full")
    assert done.status == 1
    assert "Traceback" not in done.err
    assert "Exception" not in done.err
    assert "No space left" in done.err


@pytest.mark.parametrize("command", ["play bid", ""])
def test_input_that_was_never_open_is_closed_input(command: str, desk: Desk) -> None:
    done = desk.shell(f"duels {command} <&-")
    assert "Traceback" not in done.err
    assert done.status == INTERRUPTED


@pytest.mark.parametrize("command", ["list", "rules knot", "play bid", "play chess"])
def test_output_that_was_never_open_is_no_reason_for_a_traceback(command: str, desk: Desk) -> None:
    done = desk.shell(f"duels {command} </dev/null >&-")
    assert "Traceback" not in done.err


def test_messages_do_not_stray_into_the_output(desk: Desk) -> None:
    done = desk.shell("duels play chess 2>&-")
    assert (done.status, done.out) == (2, "")
