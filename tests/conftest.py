"""For every test: long versions on request, seeded examples, folders of its own, one cache."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

SLOW = os.environ.get("NUMBER_DUELS_SLOW") == "1"
NO_SKIP = os.environ.get("NUMBER_DUELS_NO_SKIP") == "1"

# What is started in the background ignores Ctrl-C, and so does all that it starts; tests must not.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What Hypothesis keeps between runs stays out of the checkout.
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / f"number-duels-hypothesis-{os.getuid()}")
COMMON = settings(deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("default", COMMON, max_examples=40, derandomize=True)
settings.register_profile("long", COMMON, max_examples=200)
settings.load_profile("long" if SLOW else "default")

#: Folders whose tests share browsers, servers and databases, the slowest first.
WITH_SHARED_PROCESSES = ("tests/web/browser/", "tests/web/", "tests/terminal/")


@pytest.hookimpl(trylast=True)  # pytest itself brings tests with the same fixtures together
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the long versions to `make test-all`."""
    if hasattr(config, "workerinput"):
        items[:] = in_stretches(items, config.workerinput["workercount"])
    if SLOW:
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="the long version: run `make test-all`"))


def in_stretches(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """The tests in an order in which each worker begins with a folder that is slow.

    `--dist worksteal` gives each worker a stretch of equal length, and who is done takes from the
    end of another's: what a folder shares is started once, and nobody waits for a slow test at
    the end.
    """
    stretches: list[list[pytest.Item]] = [[] for _ in range(workers)]
    others = items
    for number, folder in enumerate(WITH_SHARED_PROCESSES):
        stretches[number % workers] += [one for one in others if one.nodeid.startswith(folder)]
        others = [one for one in others if not one.nodeid.startswith(folder)]
    for stretch in stretches:
        room = max(0, len(items) // workers - len(stretch))
        stretch.extend(others[:room])
        others = others[room:]
    return [*chain.from_iterable(stretches), *others]


def require(present: object, what: str, how: str) -> None:
    """Skip a test on a machine that lacks something, saying how to get it.

    With NUMBER_DUELS_NO_SKIP=1 the lack is a failure.
    """
    if present:
        return
    message = f"this test needs {what}: {how}"
    if NO_SKIP:
        pytest.fail(message)
    pytest.skip(message)


def pytest_configure(config: pytest.Config) -> None:
    """Solve every game once a run: one new cache of solutions for all processes of the run.

    It is an environment variable, so workers and the programs that tests start inherit it.
    """
    if hasattr(config, "workerinput"):
        return
    cache = tempfile.mkdtemp(prefix="number-duels-cache-")
    config.add_cleanup(lambda: shutil.rmtree(cache, ignore_errors=True))
    os.environ["XDG_CACHE_HOME"] = cache


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings and saves of a test go to folders of its own."""
    for kind in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / f"xdg-{kind.lower()}"))


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, for tests about caching; all others share the cache of the run."""
    cache = tmp_path / "xdg-cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return cache
