"""For every test: seeded examples, folders of its own, one cache."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Generator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

SOURCE = Path(__file__).parents[1] / "src"
SLOW = os.environ.get("NUMBER_DUELS_SLOW") == "1"
NO_SKIP = os.environ.get("NUMBER_DUELS_NO_SKIP") == "1"
#: Numbers the tests of a process.
TESTS = count()

# What is started in the background ignores Ctrl-C, and so does all that it starts; tests must not.
if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What Hypothesis keeps between runs stays out of the checkout.
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / f"number-duels-hypothesis-{os.getuid()}")
COMMON = settings(deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("default", COMMON, max_examples=40, derandomize=True)
settings.register_profile("long", COMMON, max_examples=200)
settings.load_profile("long" if SLOW else "default")


class ModulesWithExamples:
    """Looks for examples only in modules that have some: no other is imported for them."""

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        found = yield
        if b">>> " in file_path.read_bytes():
            return found
        return [one for one in found if type(one) is pytest.Module]  # the others look for examples


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
    config.pluginmanager.register(ModulesWithExamples())
    if hasattr(config, "workerinput"):
        return
    cache = tempfile.mkdtemp(prefix="number-duels-cache-")
    config.add_cleanup(lambda: shutil.rmtree(cache, ignore_errors=True))
    os.environ["XDG_CACHE_HOME"] = cache
    # Compiled code is kept by its content, so it can outlast a run and serve every checkout.
    compiled = Path(tempfile.gettempdir()) / f"number-duels-compiled-{os.getuid()}"
    compiled.mkdir(mode=0o700, exist_ok=True)
    if compiled.stat().st_uid == os.getuid():
        os.environ.setdefault("NUMBA_CACHE_DIR", str(compiled))


def pytest_collection_finish() -> None:
    """Keep modules and collected tests out of every later search for garbage: a tenth faster."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def own_folders(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Settings and saves of a test go to folders of its own, in `tmp_path` if it asks for that."""
    if "tmp_path" in request.fixturenames:
        folder: Path = request.getfixturevalue("tmp_path")
    else:  # made when something is written: most tests write nothing
        folder = tmp_path_factory.getbasetemp() / f"own-{next(TESTS)}"
    for kind in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(folder / f"xdg-{kind.lower()}"))


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, for tests about caching; all others share the cache of the run."""
    cache = tmp_path / "xdg-cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return cache
