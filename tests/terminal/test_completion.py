"""Shell completion, in the shells themselves."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time

import pytest

import number_duels as nd
from number_duels.players.registry import KINDS
from tests.conftest import require
from tests.terminal.desk import Desk
from tests.terminal.session import PATIENCE

COMMANDS = {"list", "rules", "play", "resume", "replay", "completion"}
PLAY_OPTIONS = {"--one", "--two", "--first", "--names", "--seed", "--deal", "--set", "--save"}
#: Each shell is told what stands on its line, and prints what could stand for the last word.
ASK = {
    "bash": """
eval "$(duels completion bash)"
COMP_WORDS=(duels "$@"); COMP_CWORD=$#; COMP_LINE="duels $*"; COMP_POINT=${#COMP_LINE}
_duels duels "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
""",
    "zsh": """
compdef() { :; }
_files() { :; }
compadd() { shift; print -l -- "$@"; }
eval "$(duels completion zsh)"
words=(duels "$@"); CURRENT=$#words
_duels
""",
    "fish": """
duels completion fish | source
complete -C "duels $argv"
""",
}
GET = "apt-get install zsh fish"
every_shell = pytest.mark.parametrize("shell", ASK)


def surroundings(desk: Desk) -> dict[str, str]:
    """An environment in which `duels` is a program, as it is once installed."""
    program = desk.folder / "bin" / "duels"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m number_duels "$@"\n')
    program.chmod(0o755)
    return {**desk.surroundings, "PATH": f"{program.parent}:{desk.surroundings['PATH']}"}


def completed(desk: Desk, shell: str, *words: str) -> set[str]:
    """What a shell offers for the last word."""
    require(shutil.which(shell), shell, GET)
    arguments = {"bash": ["-c", ASK[shell], "-"], "zsh": ["-fc", ASK[shell], "-"]}
    done = subprocess.run(
        [shell, *arguments.get(shell, ["-c", ASK[shell], "--"]), *words],
        capture_output=True,
        cwd=desk.folder,
        env=surroundings(desk),
        timeout=PATIENCE,
        check=False,
        text=True,
    )
    assert done.stderr == ""
    return {line.partition("\t")[0] for line in done.stdout.splitlines() if line}


@every_shell
def test_commands_are_completed(shell: str, desk: Desk) -> None:
    found = completed(desk, shell, "")
    assert found >= COMMANDS
    assert not any(one.startswith("_") for one in found)
    assert "play" in completed(desk, shell, "pl")
    assert "list" not in completed(desk, shell, "pl")


@pytest.mark.parametrize("command", ["play", "rules"])
@every_shell
def test_games_are_completed(shell: str, command: str, desk: Desk) -> None:
    assert completed(desk, shell, command, "") >= set(nd.games())
    name = nd.games()[-1]
    assert name in completed(desk, shell, command, name[:-3])


@every_shell
def test_options_are_completed(shell: str, desk: Desk) -> None:
    assert completed(desk, shell, "play", "bid", "--") >= PLAY_OPTIONS
    assert completed(desk, shell, "play", "bid", "--se") >= {"--set", "--seed"}
    assert "--json" in completed(desk, shell, "list", "--")


@every_shell
def test_options_before_a_command_are_completed(shell: str, desk: Desk) -> None:
    assert completed(desk, shell, "--") >= {"--help", "--version", "--plain"}
    assert "--plain" in completed(desk, shell, "--pl")


@every_shell
def test_settings_are_completed_for_the_game_that_is_meant(shell: str, desk: Desk) -> None:
    for name in nd.games():
        wanted = {f"{setting}=" for setting in nd.load(name).settings}
        assert completed(desk, shell, "play", name, "--set", "") >= wanted


@every_shell
def test_players_are_completed(shell: str, desk: Desk) -> None:
    found = completed(desk, shell, "play", "bid", "--two", "")
    assert found >= {kind for kind in KINDS if ":" not in kind}
    assert "random" in completed(desk, shell, "play", "bid", "--one", "ra")
    assert "random" in completed(desk, shell, "resume", "--two", "ra")


@every_shell
def test_who_is_first_and_the_shells_are_completed(shell: str, desk: Desk) -> None:
    assert completed(desk, shell, "play", "knot", "--first", "") >= {"1", "2", "random"}
    assert completed(desk, shell, "completion", "") >= {"bash", "zsh", "fish"}


def test_a_person_who_presses_tab_in_bash_gets_the_word(desk: Desk) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(desk.folder)
        bash = ["bash", "--noprofile", "--norc", "-i"]
        os.execvpe("bash", bash, {**surroundings(desk), "PS1": "ready> ", "TERM": "dumb"})
    try:
        for typed, expected in (
            ("bind 'set enable-bracketed-paste off'\n", "ready> "),
            ('eval "$(duels completion bash)"; echo d"one"\n', "done"),
            ("duels pl\t", "duels play "),
            ("number-k\t", "number-knot "),
        ):
            os.write(terminal, typed.encode())
            hear(terminal, expected)
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)


def hear(terminal: int, expected: str) -> None:
    """Wait until a shell has shown what is expected."""
    heard, until = "", time.monotonic() + PATIENCE
    while expected not in heard and time.monotonic() < until:
        if select.select([terminal], [], [], 0.1)[0]:
            heard += os.read(terminal, 4096).decode()
    assert expected in heard


@every_shell
def test_a_script_alone_is_what_goes_to_the_output(shell: str, desk: Desk) -> None:
    done = desk.run("completion", shell)
    assert (done.status, done.err) == (0, "")
    assert "_complete" in done.out
