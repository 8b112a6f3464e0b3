"""What is installed for tests is locked, and fits what the project says it needs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
GROUPS: dict[str, list[str]] = PROJECT["dependency-groups"]
#: Of each locked file, what it is made from.
SOURCES = {
    "play.txt": [*EXTRAS["play"], *EXTRAS["web"], *GROUPS["build"]],
    "test.txt": [
        *(line for name, lines in EXTRAS.items() if name != "all" for line in lines),
        *(line for lines in GROUPS.values() for line in lines),
    ],
}


def pins(file: str) -> dict[str, list[str]]:
    """The locked versions of each distribution: several where Pythons differ."""
    found: dict[str, list[str]] = {}
    text = (ROOT / "requirements" / file).read_text(encoding="utf-8")
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", text, re.M):
        found.setdefault(normal(name), []).append(version)
    return found


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("file", SOURCES)
def test_the_locked_versions_are_those_that_the_project_allows(file: str) -> None:
    locked = pins(file)
    for line in SOURCES[file]:
        wanted = Requirement(line)
        versions = locked.get(normal(wanted.name))
        assert versions, f"{line} is not locked: run `make lock`"
        assert all(map(wanted.specifier.contains, versions)), f"{line}: run `make lock`"


@pytest.mark.parametrize("file", SOURCES)
def test_everything_locked_has_hashes_and_no_address(file: str) -> None:
    text = (ROOT / "requirements" / file).read_text(encoding="utf-8")
    entries = re.split(r"^(?=[\w.-]+==)", text, flags=re.M)[1:]
    assert entries
    assert all("--hash=sha256:" in entry for entry in entries)
    assert not re.search(r"://|--index|--find-links", text)


def test_what_is_played_with_is_tested() -> None:
    played, tested = pins("play.txt"), pins("test.txt")
    assert {name: tested.get(name) for name in played} == played


def test_every_extra_is_among_all() -> None:
    (line,) = EXTRAS["all"]
    assert Requirement(line).extras == set(EXTRAS) - {"all"}


def test_libraries_that_exclude_each_other_have_no_extra_and_an_environment_of_their_own() -> None:
    named = {normal(Requirement(line).name) for lines in EXTRAS.values() for line in lines}
    for library in ("inspect-ai", "verifiers"):
        assert library not in named
        folder = ROOT / "tests" / "integrations" / library.replace("-", "_")
        assert re.search(rf"^{library}>", (folder / "requirements.txt").read_text("utf-8"), re.M)
