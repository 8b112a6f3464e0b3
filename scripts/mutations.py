"""Break the code in forty small ways, and see that the tests notice each of them.

    python scripts/mutations.py              # all of them, half an hour
    python scripts/mutations.py core web     # those whose file begins with a word
    python scripts/mutations.py --jobs 2 ... # two at a time

The mistakes are in `mutations.toml`. Each is made alone, in a copy of the checkout, and the tests
of its package that `make test` runs are run until one fails. It has caught the mistake if it fails
alone, too, and passes without the mistake. The exit status is 1 if a mistake survived, or if its
text no longer occurs exactly once.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
TABLE = Path(__file__).with_suffix(".toml")
PACKAGE = Path("src", "number_duels")
#: A folder inside another package that has tests of its own.
INNER_PACKAGES = ("terminal/app",)
#: The laws of every game are tests of these packages, too.
WITH_LAWS = ("core", "games")
MAX_SECONDS = 1800
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+)$", re.M)
#: Python and Numba know a changed file by its time in whole seconds, so no two times are equal.
TIMES = count(int(time.time()))


@dataclass(frozen=True)
class Mistake:
    """One line that is made wrong."""

    file: str
    old: str
    new: str
    what: str

    @property
    def package(self) -> str:
        inner = (name for name in INNER_PACKAGES if self.file.startswith(f"{name}/"))
        return next(inner, self.file.partition("/")[0])

    @property
    def tests(self) -> list[str]:
        laws = ["tests/test_every_game.py"] if self.package in WITH_LAWS else []
        others = [name for name in INNER_PACKAGES if name.startswith(f"{self.package}/")]
        ignored = [f"--ignore={top}/{name}" for name in others for top in (PACKAGE, "tests")]
        return [str(PACKAGE / self.package), f"tests/{self.package}", *laws, *ignored]

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"


def copy_checkout(folder: Path) -> Path:
    """Copy all files that git knows or would add."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    used = python(folder, "-c", "import number_duels; print(number_duels.__file__)").stdout
    if not used.startswith(str(folder)):
        raise RuntimeError(f"The copy in {folder} would not be tested, but {used.strip()}.")
    return folder


def python(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a copy; the package is that of the copy, not the installed one."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=MAX_SECONDS,
        check=False,
    )


def first_failure(folder: Path, tests: list[str]) -> str | None:
    """Run tests up to the first that fails; pytest's line about it has its name and the reason."""
    run = python(folder, "-m", "pytest", "-q", "-x", "-p", "no:xdist", *tests)
    if run.returncode == 0:
        return None
    found = FAILED.search(run.stdout)
    if run.returncode != 1 and not found:
        raise RuntimeError(f"The tests cannot be run:\n{run.stdout[-2000:]}")
    return found[1] if found else "a test without a name"


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    moment = next(TIMES)
    os.utime(path, (moment, moment))


def verdict(mistake: Mistake, folder: Path) -> tuple[bool, str]:
    """Make a mistake, run the tests, and mend it; whether it was caught, and by what."""
    path = folder / PACKAGE / mistake.file
    right = path.read_text(encoding="utf-8") if path.exists() else ""
    if right.count(mistake.old) != 1:
        return False, f"its text occurs {right.count(mistake.old)} times"
    write(path, right.replace(mistake.old, mistake.new))
    try:
        failure = first_failure(folder, mistake.tests)
        test = (failure or "").partition(" - ")[0]
        again = test and first_failure(folder, [test])
    except subprocess.TimeoutExpired:
        return False, f"no verdict in {MAX_SECONDS // 60} minutes"
    finally:
        write(path, right)
    if not test:
        return False, "all tests pass"
    if not again:
        return False, f"unsteady: {failure}"
    if failure := first_failure(folder, [test]):
        return False, f"fails without it, too: {failure}"
    return True, test


def read_mistakes(words: list[str]) -> list[Mistake]:
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))["mistake"]
    found = [Mistake(**row) for row in table]
    return [one for one in found if not words or any(map(one.file.startswith, words))]


def main() -> int:
    """Try the mistakes, and print what became of each."""
    parser = argparse.ArgumentParser(description="Break the code, and see that the tests notice.")
    parser.add_argument("files", nargs="*", help="how the files of the mistakes begin (all)")
    parser.add_argument("--jobs", type=int, default=1, help="mistakes at a time (default 1)")
    chosen = parser.parse_args()
    mistakes = read_mistakes(chosen.files)
    if not mistakes:
        parser.error("no mistake is in such a file")
    with tempfile.TemporaryDirectory(prefix="number-duels-mutations-") as scratch:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(chosen.jobs):
            copies.put(copy_checkout(Path(scratch, str(number))))

        def attempt(mistake: Mistake) -> bool:
            folder = copies.get()
            began = time.monotonic()
            try:
                caught, why = verdict(mistake, folder)
            finally:
                copies.put(folder)
            took = f"{time.monotonic() - began:.0f} s"
            print(f"{'caught' if caught else 'SURVIVED'}  {mistake} ({why}; {took})", flush=True)
            return caught

        with ThreadPoolExecutor(chosen.jobs) as pool:
            caught = sum(pool.map(attempt, mistakes))
    print(f"{caught} of {len(mistakes)} mistakes were caught.")
    return 0 if caught == len(mistakes) else 1


if __name__ == "__main__":
    sys.exit(main())
