"""The page without a server in a real browser, under a path of a static server."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import require
from tests.patience import PATIENCE_S
from tests.web.browser.conftest import browser  # noqa: F401 (a fixture)
from tests.web.browser.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FrameLocator

ROOT = Path(__file__).parents[3]
#: The frame with the page that is shown.
SHOWN = "iframe:not(.next)"


class Quiet(SimpleHTTPRequestHandler):
    """Sends files, and those of Python once they may be sent."""

    def __init__(self, *args: Any, open_for_python: Event, directory: str) -> None:
        self.open_for_python = open_for_python
        super().__init__(*args, directory=directory)

    def do_GET(self) -> None:
        if "/python/" in self.path:
            assert self.open_for_python.wait(PATIENCE_S)
        super().do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
        """Say nothing."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark these tests: they need a browser, and a page that takes minutes to build."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.system)
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def page_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require(shutil.which("node"), "Node", "apt-get install npm")
    require((ROOT / "node_modules" / "pyodide").is_dir(), "Pyodide", "npm install")
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", "alone")
    top = tmp_path_factory.getbasetemp()
    top = top if run == "alone" else top.parent
    folder = top / "host" / "some" / "path"
    # The first process that needs the page builds it for all.
    with Path(top, "page.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "index.html").exists():
            command = [sys.executable, str(ROOT / "scripts" / "build_page.py"), str(folder)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    return folder


@dataclass
class Host:
    """A static server, with the page below a path."""

    server: ThreadingHTTPServer
    #: Clear this to hold back Python.
    open_for_python: Event

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/some/path/"

    def stop(self) -> None:
        self.open_for_python.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def host(page_folder: Path) -> Iterator[Host]:
    gate = Event()
    gate.set()
    handler = partial(Quiet, open_for_python=gate, directory=str(page_folder.parents[1]))
    found = Host(ThreadingHTTPServer(("127.0.0.1", 0), handler), gate)
    Thread(target=found.server.serve_forever, daemon=True).start()
    yield found
    found.stop()


class Guest(Visitor):
    """Somebody who opens the page without a server."""

    @property
    def shown(self) -> FrameLocator:
        """The page in the frame."""
        return self.page.frame_locator(SHOWN)

    def open(self, path: str = "") -> None:
        self.page.goto(f"{self.base}#{path}" if path else self.base)

    def wait_for(self, selector: str) -> None:
        self.shown.locator(selector).first.wait_for()


Visit = Callable[..., Guest]


@pytest.fixture
def visit(browser: Browser, host: Host) -> Iterator[Visit]:  # noqa: F811
    guests: list[Guest] = []

    def arrive(**options: object) -> Guest:
        guests.append(Guest(browser, host.url, **options))
        return guests[-1]

    yield arrive
    for guest in guests:
        guest.context.close()
    assert [guest.errors for guest in guests if guest.errors] == []
    assert [guest.foreign for guest in guests if guest.foreign] == []
