"""A release is what its tag says, can be built again to the byte, and says how it is cited."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

import number_duels as nd
import release_notes

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CODE = '__version__ = "1.2.0"\n'
CHANGELOG = """# Changelog

Newest first.

## 1.2.0

### Added
- A page ([docs/page.md](docs/page.md)), after [a standard](https://example.org).

## 1.1.0

- The first.
"""


def notes(tag: str, changelog: str = CHANGELOG) -> str:
    return release_notes.notes(tag, CODE, changelog)


def test_the_notes_of_a_release_are_its_section_of_the_changelog() -> None:
    added = "- A page (docs/page.md), after [a standard](https://example.org)."
    assert notes("v1.2.0") == f"### Added\n{added}\n"


def test_a_tag_of_another_version_is_no_release() -> None:
    with pytest.raises(
        ValueError, match=r"The tag is v1\.1\.0, but the code has version 1\.2\.0\."
    ):
        notes("v1.1.0")


def test_what_is_not_under_its_version_yet_is_no_release() -> None:
    with pytest.raises(ValueError, match=r'begins with "Unreleased", not with 1\.2\.0\.'):
        notes("v1.2.0", CHANGELOG.replace("## 1.2.0", "## Unreleased\n\n## 1.2.0"))


def test_the_changelog_has_the_version() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    assert nd.__version__ in headings


def build(source: Path, target: Path, *options: str) -> Path:
    """The folder of what is built from this one."""
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(target), *options]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return target


@pytest.mark.system
def test_wheel_and_sources_have_what_they_should_and_give_equal_wheels(tmp_path: Path) -> None:
    built = build(ROOT, tmp_path / "dist")
    (wheel,), (sources,) = built.glob("*.whl"), built.glob("*.tar.gz")
    tops = {name.partition("/")[0] for name in ZipFile(wheel).namelist()}
    info = f"number_duels-{nd.__version__}.dist-info"
    assert tops == {"number_duels", "number_duels_verifiers", info}

    # Before 3.11.4, Python unpacks without a filter only, which 3.12 warns about.
    subprocess.run(["tar", "-xzf", str(sources), "-C", str(tmp_path)], check=True)
    unpacked = tmp_path / f"number_duels-{nd.__version__}"
    assert {"Makefile", "CITATION.cff", "docs", "requirements", "tests"} <= {
        path.name for path in unpacked.iterdir()
    }
    names = {path.name for path in unpacked.rglob("*")}
    assert not names & {".git", ".venv", "_build", "dist", "node_modules", "__pycache__"}
    for path in unpacked.rglob("*"):  # as somebody else has them, who may not let others read
        path.chmod(0o700 if path.is_dir() else 0o600)
    (again,) = build(unpacked, tmp_path / "again", "--target", "wheel").glob("*.whl")
    assert again.read_bytes() == wheel.read_bytes()


def cited(citation: str) -> dict[str, str]:
    """The fields of a citation file that stand on one line."""
    return dict(re.findall(r"^([\w-]+): (\S.*)$", citation, re.M))


def differences(urls: dict[str, str], citation: str) -> list[str]:
    """Where a citation disagrees with the project, which has these addresses."""
    expected = {
        "title": "Number Duels",
        "version": nd.__version__,
        "license": PROJECT["license"].partition(" AND ")[0],
        "repository-code": urls.get("Repository"),
        "url": urls.get("Documentation"),
    }
    fields = cited(citation)
    return [name for name, value in expected.items() if fields.get(name) != value]


def test_the_citation_agrees_with_the_project() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert differences(PROJECT.get("urls", {}), citation) == []
    (author,) = PROJECT["authors"]
    assert f"\n  - name: {author['name']}\n" in citation


def test_an_address_that_is_filled_in_is_filled_in_for_both() -> None:
    address = "https://example.org/number-duels"
    citation = f"title: Number Duels\nversion: {nd.__version__}\nlicense: MIT\n"
    assert differences({"Repository": address}, citation) == ["repository-code"]
    assert differences({"Repository": address}, f"{citation}repository-code: {address}\n") == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_uses_actions_by_commit_and_keeps_no_secret(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    used = re.findall(r"uses: (.*)", text)
    assert used
    assert [use for use in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v[\d.]+", use)] == []
    assert "secrets." not in text
