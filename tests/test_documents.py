"""What is written for people is true: the documents name what the program has."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from number_duels.games import find
from number_duels.terminal.completion import subcommands
from number_duels.terminal.parser import build_parser
from tests.documented import DOCUMENTED, PAGES, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = subcommands(build_parser())


def test_the_rules_page_is_what_the_games_say() -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from write_rules import PATH, page  # type: ignore[import-not-found]  # a script, not a package
    finally:
        sys.path.pop(0)
    assert PATH.read_text(encoding="utf-8") == page(), "run: python scripts/write_rules.py"


def test_every_game_of_the_first_release_is_documented() -> None:
    five = {
        "number-bid",
        "high-low-battle",
        "number-stack-showdown",
        "number-knot",
        "number-drop",
    }
    assert five <= set(DOCUMENTED)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_documented_game_is_in_the_readme_and_has_rulings(name: str) -> None:
    assert f"**{find(name).title}**" in README
    assert "RULINGS" in find(name)().rules


@pytest.mark.parametrize("command", COMMANDS)
def test_the_readme_has_every_command_and_it_explains_itself(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"duels {command}" in README
    with pytest.raises(SystemExit) as end:
        build_parser().parse_args([command, "--help"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: duels {command}")


@pytest.mark.parametrize(("command", "path"), [("play", "README.md"), ("arena", "docs/arena.md")])
def test_the_page_of_a_command_has_all_its_options(command: str, path: str) -> None:
    page = (ROOT / path).read_text(encoding="utf-8")
    options = [o for action in COMMANDS[command]._actions for o in action.option_strings]
    assert len(options) > 10
    missing = {option for option in options if option.startswith("--") and option not in page}
    assert missing <= {"--help", "--plain"}


@pytest.mark.parametrize("command", ["make play", "make test"])
def test_the_two_commands_stand_alone_on_their_line(command: str) -> None:
    assert command in README.splitlines()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_leads_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\((?!http|#)([^)#]+)", path.read_text(encoding="utf-8"))
    assert all((path.parent / target).exists() for target in targets)
