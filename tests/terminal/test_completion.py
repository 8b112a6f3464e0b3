"""Shell completion, in the shells themselves."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from functools import cache

import pytest

import number_duels as nd
from number_duels.players.registry import KINDS
from number_duels.terminal.completion import candidates_for
from number_duels.terminal.parser import CACHE_WORDS
from tests.conftest import require
from tests.terminal.desk import Desk
from tests.terminal.script import finished
from tests.terminal.session import PATIENCE

COMMANDS = {"list", "rules", "play", "resume", "replay", "stats", "saves", "cache", "completion"}
PLAY_OPTIONS = {"--one", "--two", "--first", "--names", "--seed", "--deal", "--set", "--save"}
#: Each shell is told what stands on its line, and prints what could stand for the last word.
ASK = {
    "bash": """
eval "$COMPLETION"
COMP_WORDS=(duels "$@"); COMP_CWORD=$#; COMP_LINE="duels $*"; COMP_POINT=${#COMP_LINE}
_duels duels "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "${COMPREPLY[@]}"
""",
    "zsh": """
compdef() { :; }
_files() { :; }
compadd() { while [[ $1 != -- ]]; do shift; done; shift; print -l -- "$@"; }
eval "$COMPLETION"
words=(duels "$@"); CURRENT=$#words
_duels
""",
    "fish": """
echo $COMPLETION | source
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


@cache
def script(shell: str) -> str:
    """What `duels completion` prints, asked for once."""
    command = [sys.executable, "-m", "number_duels", "completion", shell]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def completed(desk: Desk, shell: str, *words: str) -> set[str]:
    """What a shell offers for the last word."""
    require(shutil.which(shell), shell, GET)
    arguments = {"bash": ["-c", ASK[shell], "-"], "zsh": ["-fc", ASK[shell], "-"]}
    done = subprocess.run(
        [shell, *arguments.get(shell, ["-c", ASK[shell], "--"]), *words],
        capture_output=True,
        cwd=desk.folder,
        env={**surroundings(desk), "COMPLETION": script(shell)},
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
    for name in (nd.games()[0], nd.games()[-1]):
        assert completed(desk, shell, "play", name, "--set", "") >= set_options(name)


def set_options(name: str) -> set[str]:
    return {f"{setting}=" for setting in nd.load(name).settings}


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


def last_parts(shell: str, found: set[str]) -> set[str]:
    """What stands after the last cut of a word: bash cuts at : and = too."""
    return {re.split("[:=]", one)[-1] for one in found} if shell != "bash" else found


@every_shell
def test_a_part_of_a_name_is_completed_to_the_word_that_means_the_game(
    shell: str, desk: Desk
) -> None:
    assert completed(desk, shell, "play", "kn") == {"knot"}


@every_shell
def test_levels_are_completed_after_their_colon(shell: str, desk: Desk) -> None:
    found = completed(desk, shell, "play", "bid", "--two", "level:")
    assert last_parts(shell, found) == {"1", "2", "3", "4", "5"}


@every_shell
def test_the_values_of_a_setting_are_completed(shell: str, desk: Desk) -> None:
    found = completed(desk, shell, "play", "stack", "--set", "overflow=")
    assert last_parts(shell, found) == {"forbidden", "allowed"}


@every_shell
def test_saved_games_are_completed_where_a_file_is_wanted(shell: str, desk: Desk) -> None:
    desk.games.mkdir(parents=True)
    record = finished("number-knot")
    (desk.games / "1-knot.json").write_text(record.to_json())
    (desk.games / "2-knot.json").write_text(replace(record, moves="S5", result="*").to_json())
    (desk.games / "3-torn.json").write_text("{")
    assert completed(desk, shell, "review", "") >= {"1-knot.json", "2-knot.json"}
    assert completed(desk, shell, "resume", "") == {"2-knot.json"}


def test_a_file_elsewhere_is_still_completed(desk: Desk) -> None:
    desk.keep(finished("number-knot"), "mine.json")
    assert completed(desk, "fish", "review", "mi") == {"mine.json"}
    # Bash and zsh turn to files where nothing is offered.
    assert completed(desk, "bash", "review", "mi") == set()


def test_every_command_offers_what_it_takes() -> None:
    for name in nd.games():
        settings = nd.load(name).settings
        assert set_options(name) <= set(candidates_for(["play", name, "--set", ""]))
        for setting, one in nd.load(name).describe_settings().items():
            offered = candidates_for(["analyze", name, "--set", f"{setting}="])
            assert f"{setting}={one.default}" in offered
            values = [one.read(text.removeprefix(f"{setting}=")) for text in offered]
            assert all(one.accepts(value, settings) for value in values)
    assert candidates_for(["play", "knot", "dr"]) == []
    assert candidates_for(["play", "--hints", "bi"]) == ["bid"]
    assert candidates_for(["solve", "knot", "dr"]) == ["drop"]
    assert candidates_for(["arena", "--players", "random", "per"]) == ["perfect"]
    assert candidates_for(["cache", ""]) == ["clear"]
    assert candidates_for(["cache", "clear", ""]) == sorted([*CACHE_WORDS, *nd.games()])


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
            ("kn\t", "knot "),
            ("--set exh\t", "--set exhausted="),
            ("dr\t", "draw "),
            ("--two lev\t", "--two level:"),
            ("5\t", "5 "),
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
            heard += os.read(terminal, 4096).decode().replace("\a", "")
    assert expected in heard


@every_shell
def test_a_script_alone_is_what_goes_to_the_output(shell: str, desk: Desk) -> None:
    done = desk.run("completion", shell)
    assert (done.status, done.err) == (0, "")
    assert "_complete" in done.out
