"""Ctrl-Z at a secret question, and `fg`: the choice is still typed unseen."""

from __future__ import annotations

import os
import sys
from shutil import which

import pytest

from tests.conftest import require
from tests.terminal.desk import Desk, hear_past, hear_until
from tests.terminal.session import Session, let_it_wait

SHELLS = {"bash": ("bash", "--norc", "--noprofile", "-i"), "zsh": ("zsh", "-f", "-i")}


@pytest.mark.system
@pytest.mark.parametrize("shell", SHELLS)
def test_a_secret_is_typed_unseen_after_fg(desk: Desk, shell: str) -> None:
    require(which(shell), shell, f"apt-get install {shell}")
    quiet = {**desk.surroundings, "PS1": "$ ", "PROMPT_COMMAND": ""}
    with Session((), desk.folder, quiet, program=SHELLS[shell]) as session:
        session.type(f"{sys.executable} -m number_duels play bid --plain")
        hear_until(session, "Player 1, enter your bid: ")
        let_it_wait(os.tcgetpgrp(session.terminal))
        os.write(session.terminal, b"\x1a")
        hear_past(session, "Stopped" if shell == "bash" else "suspended")
        session.type("fg")
        hear_until(session, "Player 1, enter your bid: ")
        assert not session.echoes
        session.type("7")
        shown = hear_until(session, "Player 2, enter your bid: ")
        assert shown.splitlines()[0] == "[Input Hidden]"
        session.type("6")
        assert "Player 1 bid: 7" in hear_until(session, "Player 1, enter your bid: ")
