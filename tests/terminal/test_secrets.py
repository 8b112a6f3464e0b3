"""Secrets in the line mode: until the reveal a terminal gets the same bytes, whatever is chosen."""

from __future__ import annotations

import os
import struct
import termios
from collections.abc import Callable
from fcntl import ioctl

import pytest

import number_duels as nd
from tests.some_games import SECRET
from tests.terminal.desk import Desk, hear_past, hear_until
from tests.terminal.script import Line, lines, new_match
from tests.terminal.session import Session, let_it_wait

#: The games whose first question is secret: one in `make test`, all in `make test-all`.
every_secret_game = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == SECRET else pytest.mark.slow)
        for name in nd.games()
        if next(iter(lines(new_match(name, 6)))).secret
    ],
)


def first_questions(name: str) -> list[Line]:
    """What both players are asked in the first round."""
    asked = lines(new_match(name, 6))
    return [next(asked), next(asked)]


def stay(session: Session) -> None:
    """Nothing happens while the question waits."""


def resize(session: Session) -> None:
    """The window changes its size while the question waits, which the program is told of."""
    for columns in (40, 120, 80):
        ioctl(session.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))


def stop_and_go_on(session: Session) -> None:
    """Ctrl-Z, and `fg` in the shell that started the program."""
    let_it_wait(os.tcgetpgrp(session.terminal))
    os.write(session.terminal, b"\x1a")
    hear_past(session, "Stopped")
    session.type("fg")


def check_files(desk: Desk) -> None:
    """No file but the saved games, and no move in the newest of them: nothing keeps a history."""
    assert {path for path in desk.folder.rglob("*") if path.is_file()} == set(desk.saved)
    assert nd.Record.from_json(desk.saved[-1].read_text(encoding="utf-8")).moves == ""


def shown(
    desk: Desk, name: str, choices: tuple[str, str], between: Callable[[Session], None]
) -> str:
    """All that a terminal gets from the first choice up to the reveal."""
    one, two = first_questions(name)
    words = ("play", name, "--seed", "6")
    with desk.sit_in_bash(*words) if between is stop_and_go_on else desk.sit(*words) as session:
        hear_until(session, one.prompt[-20:])
        between(session)
        if between is stop_and_go_on:
            hear_until(session, one.prompt[-20:])
        session.type(choices[0])
        heard = hear_until(session, two.prompt[-20:])
        between(session)
        if between is stop_and_go_on:
            # The shell repeats the command, in ways of its own, before the program goes on.
            heard += hear_until(session, two.prompt[-20:]).rpartition("--seed 6")[2]
        check_files(desk)
        session.type(choices[1])
        told, secret, _ = hear_until(session, one.prompt[-20:]).partition("[Input Hidden]\n")
        return heard + told + secret


@pytest.mark.parametrize(
    "between",
    [stay, resize, pytest.param(stop_and_go_on, marks=pytest.mark.system)],
    ids=lambda one: one.__name__,
)
@every_secret_game
def test_the_bytes_before_the_reveal_do_not_depend_on_the_choice(
    name: str, between: Callable[[Session], None], desk: Desk
) -> None:
    lowest, *_, second, highest = map(str, new_match(name, 6).options(nd.Seat.ONE))
    seen = shown(desk, name, (lowest, second), between)
    assert seen.endswith("[Input Hidden]\n")
    assert seen == shown(desk, name, (highest, lowest), between)
    assert seen == shown(desk, name, (second, highest), between)
