"""What is written for people is true: the documents name what the program has."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.games import find
from number_duels.terminal.completion import subcommands
from number_duels.terminal.parser import build_parser

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_rules_page_is_what_the_games_say() -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from write_rules import PATH, page  # type: ignore[import-not-found]  # a script, not a package
    finally:
        sys.path.pop(0)
    assert PATH.read_text(encoding="utf-8") == page(), "run: python scripts/write_rules.py"


@pytest.mark.parametrize("name", nd.games())
def test_the_readme_has_every_game(name: str) -> None:
    assert f"**{find(name).title}**" in README


@pytest.mark.parametrize("command", list(subcommands(build_parser())))
def test_the_readme_has_every_command_and_it_explains_itself(command: str) -> None:
    assert f"duels {command}" in README
    shown = subprocess.run(
        [sys.executable, "-m", "number_duels", command, "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.startswith(f"usage: duels {command}")


def test_the_readme_has_every_option_of_play() -> None:
    play = subcommands(build_parser())["play"]
    options = [option for action in play._actions for option in action.option_strings]
    missing = [o for o in options if o.startswith("--") and o != "--help" and o not in README]
    assert not missing


def test_the_page_of_the_arena_has_every_option() -> None:
    arena = subcommands(build_parser())["arena"]
    page = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    options = [option for action in arena._actions for option in action.option_strings]
    missing = [o for o in options if o.startswith("--") and o not in ("--help", "--plain")]
    assert [option for option in missing if option not in page] == []


@pytest.mark.parametrize("command", ["make play", "make test"])
def test_the_two_commands_stand_alone_on_their_line(command: str) -> None:
    assert command in README.splitlines()


@pytest.mark.parametrize(
    "path", [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")], ids=lambda path: path.name
)
def test_every_link_leads_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\((?!http|#)([^)#]+)", path.read_text(encoding="utf-8"))
    assert all((path.parent / target).exists() for target in targets)
