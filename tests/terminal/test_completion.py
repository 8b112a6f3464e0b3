"""Shell completion, in the shells themselves."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

import number_duels as nd
from number_duels.players.registry import KINDS
from number_duels.terminal.completion import candidates_for
from number_duels.terminal.parser import CACHE_WORDS, TOPICS
from tests.conftest import require
from tests.patience import PATIENCE_S
from tests.terminal.desk import Desk, hear_past
from tests.terminal.script import finished
from tests.terminal.session import Session

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


def surroundings(desk: Desk) -> dict[str, str]:
    """An environment in which `duels` is a program, as it is once installed."""
    program = desk.folder / "bin" / "duels"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m number_duels "$@"\n')
    program.chmod(0o755)
    return {**desk.surroundings, "PATH": f"{program.parent}:{desk.surroundings['PATH']}"}


def in_shell(desk: Desk, shell: str, *words: str) -> set[str]:
    """What a shell offers for the last word."""
    arguments = {"bash": ["-c", ASK[shell], "-"], "zsh": ["-fc", ASK[shell], "-"]}
    done = subprocess.run(
        [shell, *arguments.get(shell, ["-c", ASK[shell], "--"]), *words],
        capture_output=True,
        cwd=desk.folder,
        env={**surroundings(desk), "COMPLETION": desk.run("completion", shell).out},
        timeout=PATIENCE_S,
        check=False,
        text=True,
    )
    assert done.stderr == ""
    return {line.partition("\t")[0] for line in done.stdout.splitlines() if line}


def last_parts(found: set[str]) -> set[str]:
    """What stands after the last cut of a word: bash cuts at : and = too."""
    return {re.split("[:=]", one)[-1] for one in found}


def completed(desk: Desk, *words: str) -> set[str]:
    """What the program offers the shells for the last word."""
    done = desk.run("_complete", *words)
    assert (done.status, done.err) == (0, "")
    return set(done.out.splitlines()) - {""}


@pytest.mark.system
@pytest.mark.parametrize("shell", ASK)
def test_a_shell_offers_what_the_program_does(shell: str, desk: Desk) -> None:
    require(shutil.which(shell), shell, GET)
    desk.games.mkdir(parents=True)
    (desk.games / "1-knot.json").write_text(finished("number-knot").to_json())
    for words in (
        ("pl",),
        ("play", "kn"),
        ("play", "bid", "--se"),
        ("play", "bid", "--two", "level:"),
        ("play", "stack", "--set", "overflow="),
        ("review", ""),
    ):
        expected = last_parts(completed(desk, *words))
        assert expected
        assert last_parts(in_shell(desk, shell, *words)) == expected
    # Where nothing is offered, shells turn to files.
    desk.keep(finished("number-knot"), "mine.json")
    found = in_shell(desk, shell, "review", "mi")
    assert found == ({"mine.json"} if shell == "fish" else set())


def test_commands_are_completed(desk: Desk) -> None:
    found = completed(desk, "")
    assert found >= COMMANDS
    assert not any(one.startswith("_") for one in found)
    assert completed(desk, "pl") == {"play"}


@pytest.mark.parametrize("command", ["play", "rules"])
def test_games_are_completed(command: str, desk: Desk) -> None:
    assert completed(desk, command, "") >= set(nd.games())
    name = nd.games()[-1]
    assert name in completed(desk, command, name[:-3])
    assert completed(desk, command, "kn") == {"knot"}


def test_options_are_completed(desk: Desk) -> None:
    assert completed(desk, "play", "bid", "--") >= PLAY_OPTIONS
    assert completed(desk, "play", "bid", "--se") >= {"--set", "--seed"}
    assert "--json" in completed(desk, "list", "--")
    assert completed(desk, "--") >= {"--help", "--version", "--plain"}
    assert "--plain" in completed(desk, "--pl")
    assert completed(desk, "play", "--plai") == set()  # what help does not show is not offered


def set_options(name: str) -> set[str]:
    return {f"{setting}=" for setting in nd.load(name).settings}


def test_players_are_completed(desk: Desk) -> None:
    found = completed(desk, "play", "bid", "--two", "")
    assert found >= {kind for kind in KINDS if ":" not in kind}
    assert "random" in completed(desk, "play", "bid", "--one", "ra")
    assert "random" in completed(desk, "resume", "--two", "ra")
    levels = completed(desk, "play", "bid", "--two", "level:")
    assert levels == {f"level:{n}" for n in range(1, 6)}


def test_who_is_first_and_the_shells_are_completed(desk: Desk) -> None:
    assert completed(desk, "play", "knot", "--first", "") >= {"1", "2", "random"}
    assert completed(desk, "completion", "") >= {"bash", "zsh", "fish"}


def test_the_values_of_a_setting_are_completed(desk: Desk) -> None:
    found = completed(desk, "play", "stack", "--set", "overflow=")
    assert last_parts(found) == {"forbidden", "allowed"}


def test_saved_games_are_completed_where_a_file_is_wanted(desk: Desk) -> None:
    desk.games.mkdir(parents=True)
    record = finished("number-knot")
    (desk.games / "1-knot.json").write_text(record.to_json())
    (desk.games / "2-knot.json").write_text(replace(record, moves="S5", result="*").to_json())
    (desk.games / "3-torn.json").write_text("{")
    assert completed(desk, "review", "") >= {"1-knot.json", "2-knot.json"}
    assert completed(desk, "resume", "") == {"2-knot.json"}
    assert completed(desk, "review", "mi") == set()


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
    assert set(candidates_for(["train", ""])) == {*TOPICS, *nd.games()}
    assert candidates_for(["train", "drill", ""]) == sorted(nd.games())
    assert candidates_for(["book", "li"]) == ["list"]
    assert candidates_for(["book", "list", "kn"]) == ["knot"]
    assert candidates_for(["book", "add", ""]) == []
    assert candidates_for(["cache", ""]) == ["clear"]
    assert candidates_for(["cache", "clear", ""]) == sorted([*CACHE_WORDS, *nd.games()])


@pytest.mark.system
def test_a_person_who_presses_tab_in_bash_gets_the_word(desk: Desk) -> None:
    bash = ("bash", "--noprofile", "--norc", "-i")
    environment = {**surroundings(desk), "PS1": "ready> ", "TERM": "dumb"}
    with Session((), desk.folder, environment, program=bash) as session:
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
            os.write(session.terminal, typed.encode())
            hear_past(session, expected)


@pytest.mark.parametrize("shell", ASK)
def test_a_script_alone_is_what_goes_to_the_output(shell: str, desk: Desk) -> None:
    done = desk.run("completion", shell)
    assert (done.status, done.err) == (0, "")
    assert "_complete" in done.out
