"""What is written for people is true: the documents name what the program has."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import draw_bench
from number_duels.games import find
from number_duels.review.words import cost
from number_duels.terminal.completion import subcommands
from number_duels.terminal.parser import build_parser
from tests.documented import DOCUMENTED, PAGES, ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = subcommands(build_parser(limits=False))


def read(page: str) -> str:
    return (ROOT / "docs" / page).read_text(encoding="utf-8")


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
    assert f"[{find(name).title}](docs/games/{name.replace('-', '_')}.md)" in README
    assert "RULINGS" in find(name)().rules


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        build_parser().parse_args([command, "--help"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: duels {command}")


def test_every_extra_is_explained() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    _, _, table = read("play.md").partition("| extra |")
    assert [e for e in project["optional-dependencies"] if f"`{e}`" not in table] == []


@pytest.mark.parametrize("command", ["make play", "make test"])
def test_the_two_commands_stand_alone_on_their_line(command: str) -> None:
    assert command in README.splitlines()


def test_one_text_alone_says_how_to_install_a_release() -> None:
    install = re.compile(r"(pip install|pipx install|uvx)[^`\n]*number[-_]duels\[")
    telling = [page.name for page in PAGES if install.search(page.read_text(encoding="utf-8"))]
    assert telling == ["first_release.md"]


def test_the_readme_has_the_figure_of_its_chart() -> None:
    assert f"a random move costs {cost(draw_bench.read()['random'])} of the" in README
    assert draw_bench.digest() in draw_bench.PICTURE.read_text(encoding="utf-8"), (
        "run: python scripts/draw_bench.py"
    )


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_leads_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\((?!http|#)([^)#]+)", path.read_text(encoding="utf-8"))
    assert all((path.parent / target).exists() for target in targets)
