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


def libraries(*extras: str) -> list[str]:
    """Return the requirements of some extras, with those of the extras that they name."""
    found: list[str] = []
    for line in (line for extra in extras for line in EXTRAS[extra]):
        wanted = Requirement(line)
        found += libraries(*wanted.extras) if wanted.name == "number-duels" else [line]
    return found


#: Of each locked file, what it is made from.
SOURCES = {
    "play.txt": [*libraries("play", "web"), *GROUPS["build"]],
    "server.txt": [*libraries("web", "postgres"), *GROUPS["build"]],
    "test.txt": [*libraries(*EXTRAS), *(line for lines in GROUPS.values() for line in lines)],
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


@pytest.mark.parametrize("file", ["play.txt", "server.txt"])
def test_what_people_install_is_tested(file: str) -> None:
    installed, tested = pins(file), pins("test.txt")
    assert {name: tested.get(name) for name in installed} == installed


def test_a_server_is_installed_from_the_lock_file() -> None:
    text = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    assert "--require-hashes --requirement requirements/server.txt" in text


def test_every_extra_is_among_all() -> None:
    assert set(libraries("all")) == set(libraries(*EXTRAS))


def test_libraries_that_exclude_each_other_have_no_extra_and_an_environment_of_their_own() -> None:
    named = {normal(Requirement(line).name) for line in libraries(*EXTRAS)}
    for library in ("inspect-ai", "openenv", "verifiers"):
        assert library not in named
        folder = ROOT / "tests" / "integrations" / library.replace("-", "_")
        assert re.search(rf"^{library}>", (folder / "requirements.txt").read_text("utf-8"), re.M)
