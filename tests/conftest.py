"""For every test: seeded examples, folders of its own, one cache."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

SOURCE = Path(__file__).parents[1] / "src"
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


class ModulesWithExamples:
    """Imports only those modules of the package that have examples: others have nothing to run."""

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        if collection_path.suffix != ".py" or SOURCE not in collection_path.parents:
            return None
        return b">>> " not in collection_path.read_bytes() or None


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
