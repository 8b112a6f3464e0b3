"""Runs the tests of every library in an environment of its own, and writes down what came out.

Run: `make test-integrations`; `make test-integrations LIBRARY=sb3` runs one, and writes down anew
what came out for that one alone.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
REPORT = ROOT / "docs" / "data" / "integrations.txt"
ENVIRONMENTS = ROOT / ".venv-integrations"
#: Besides what a requirements file names, the versions of these are told.
ALWAYS_TOLD = {"gymnasium", "numpy", "pettingzoo", "torch"}
#: One library in the report: its name first.
SECTION = re.compile(r"^(\w+): (?:passed|FAILED) .*\n    .*\n", re.MULTILINE)


@dataclass(frozen=True)
class Result:
    """How the tests of one library went, and with which versions."""

    library: str
    passed: bool
    summary: str
    versions: dict[str, str]
    #: When, and of which commit.
    run: str = ""

    def __str__(self) -> str:
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        verdict = "passed" if self.passed else "FAILED"
        when = f"; {self.run}" if self.run else ""
        return f"{self.library}: {verdict} ({self.summary}{when})\n    {versions}\n"


def libraries() -> list[str]:
    """Every folder here that has requirements."""
    return sorted(path.parent.name for path in HERE.glob("*/requirements.txt"))


def named(requirements: str) -> set[str]:
    """The distributions that a requirements file names, spelled as pip lists them."""
    names = re.findall(r"^([A-Za-z][\w.-]*)", requirements, re.MULTILINE)
    return {normal(name) for name in names} | {"number-duels"}


def normal(name: str) -> str:
    """One spelling of a distribution's name: `sb3_contrib` is `sb3-contrib`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def run_library(library: str) -> Result:
    """Install what a library needs, and run its tests."""
    folder, environment = HERE / library, ENVIRONMENTS / library
    python, requirements = str(environment / "bin" / "python"), folder / "requirements.txt"
    if not environment.exists():
        subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    # Most of what is installed is never imported, so it is compiled when it is.
    install = [*pip, "install", "--quiet", "--no-compile", "--requirement", str(requirements)]
    subprocess.run(install, cwd=ROOT, check=True)
    listed = subprocess.run(
        [*pip, "list", "--format=json"], stdout=subprocess.PIPE, text=True, check=True
    )
    wanted = named(requirements.read_text(encoding="utf-8")) | ALWAYS_TOLD
    installed = {normal(one["name"]): one["version"] for one in json.loads(listed.stdout)}
    started = time.monotonic()
    # The settings and fixtures of the ordinary tests need what these environments have not.
    tests = [python, "-m", "pytest", "--noconftest", "-o", "addopts=", "-o", "filterwarnings="]
    run = subprocess.run(
        [*tests, "-p", "no:cacheprovider", str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    print(run.stdout, flush=True)
    counted = re.search(r"(\d+ (?:passed|failed|error).*?) in [\d.]+s", run.stdout)
    summary = f"{counted[1] if counted else 'no tests ran'}, {time.monotonic() - started:.0f} s"
    versions = {name: installed[name] for name in sorted(wanted & installed.keys())}
    return Result(library, run.returncode == 0, summary, versions)


def this_run() -> str:
    """When, of which commit, with which Python."""
    describe = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude=*"]
    commit = subprocess.run(describe, stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
    python = ".".join(map(str, sys.version_info[:3]))
    return f"{datetime.now(UTC):%Y-%m-%d}, commit {commit}, Python {python}"


def report(results: list[Result]) -> str:
    """The results of all libraries, with when and of what they are."""
    return "\n".join([f"make test-integrations, {this_run()}", "", *map(str, results)])


def merged(text: str, results: list[Result]) -> str:
    """A report with some of its libraries run again, each of which says when."""
    run = this_run()
    sections = {found[1]: found[0] for found in SECTION.finditer(text)}
    sections |= {result.library: str(replace(result, run=run)) for result in results}
    head = text.partition("\n")[0]
    return "\n".join([head, "", *(sections[name] for name in sorted(sections))])


def main(chosen: list[str]) -> int:
    """Run all libraries, or those that are named."""
    unknown = set(chosen) - set(libraries())
    if unknown:
        print(f"There is no {', '.join(unknown)}; there are {', '.join(libraries())}.")
        return 2
    results = [run_library(library) for library in chosen or libraries()]
    before = REPORT.read_text(encoding="utf-8") if chosen and REPORT.exists() else ""
    text = merged(before, results) if before else report(results)
    print(text)
    REPORT.write_text(text, encoding="utf-8")
    return 0 if all(result.passed for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
