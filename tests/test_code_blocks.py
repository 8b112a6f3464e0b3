"""Every code block of every page runs, or says in a comment before it why it is not run.

    <!-- not run: it needs a server -->

Python is executed, one namespace a page. In a block of `sh` every line is a `duels` command, which
is run where that is quick and otherwise read by the real parser, or a target of the Makefile. JSON
and TOML are parsed. A program (with `#!`) is one of examples/, which other tests run.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from number_duels.terminal.main import run
from number_duels.terminal.parser import build_parser
from tests.documented import PAGES, ROOT

#: Pages whose Python compiles kernels; tests/adapters makes the same calls in every run.
COMPILED = {"batch", "gymnasium", "jax"}
QUICK = {"list", "rules", "analyze", "completion"}
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PROGRAMS = [path.read_text(encoding="utf-8") for path in (ROOT / "examples" / "bots").iterdir()]
FENCED = re.compile(
    r"(?:^<!-- (?P<why>not run: .+?) -->\n+)?^```(?P<language>.*)\n(?P<code>(?s:.*?))^```$", re.M
)
INDENTED = re.compile(r"^    ((?:duels|make) .+)$", re.M)


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    language: str
    code: str
    why_not: str | None = None

    @property
    def label(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def is_program(self) -> bool:
        return self.code.startswith("#!")


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, and the commands that are only indented."""
    text = page.read_text(encoding="utf-8")
    for found in FENCED.finditer(text):
        line = text.count("\n", 0, found.start("language")) + 1
        yield Block(page, line, found["language"], found["code"], found["why"])
    for found in INDENTED.finditer(FENCED.sub("", text)):
        yield Block(page, 0, "sh", found[1] + "\n")


BLOCKS = [block for page in PAGES for block in blocks(page)]
RUN = [block for block in BLOCKS if not block.why_not]


def those(language: str) -> list[Block]:
    found = [b for b in RUN if b.language == language and not b.is_program]
    assert found, f"no page has a block of {language}"
    return found


def commands() -> list[tuple[str, str]]:
    """Every command line, once, with where it stands first."""
    found = {
        line: block.label
        for block in reversed(those("sh"))
        for line in block.code.replace("\\\n", "").splitlines()
        if line.strip() and not line.startswith("#")
    }
    return [(label, line) for line, label in reversed(found.items())]


def test_every_block_says_what_it_is() -> None:
    known = ("python", "sh", "json", "toml", "text", "{")  # the last is an order to Sphinx
    assert [block.label for block in BLOCKS if not block.language.startswith(known)] == []


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.name, marks=[pytest.mark.slow] * (page.stem in COMPILED))
        for page in sorted({block.page for block in those("python")})
    ],
)
def test_python_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in those("python"):
        if block.page == page:
            code = "\n" * block.line + block.code  # so that a traceback has the lines of the page
            exec(compile(code, str(page), "exec"), names)


def test_python_of_the_readme_prints_what_follows_it(capsys: pytest.CaptureFixture[str]) -> None:
    block, shown = (b for b in BLOCKS if b.page.name == "README.md" and b.language != "sh")
    exec(compile(block.code, str(block.page), "exec"), {})
    assert capsys.readouterr().out == shown.code


@pytest.mark.parametrize(("label", "line"), commands())
def test_commands_run_or_are_understood(
    label: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program, *words = shlex.split(line, comments=True)
    if program == "make":
        assert [word for word in words if not re.search(rf"^{word}:", MAKEFILE, re.M)] == [], label
        return
    assert program == "duels", f"{label}: {line!r} is not run here; say why before the block"
    if words and words[0] in QUICK:
        assert run(words) == 0, label
        assert capsys.readouterr().out
    else:
        build_parser().parse_args(words)


def test_data_can_be_read() -> None:
    for block in those("toml"):
        assert tomllib.loads(block.code), block.label
    for block in those("json"):
        assert [json.loads(line) for line in block.code.splitlines()], block.label


def test_programs_are_those_of_the_examples() -> None:
    shown = [block for block in RUN if block.is_program]
    assert shown
    assert [block.label for block in shown if block.code not in PROGRAMS] == []
