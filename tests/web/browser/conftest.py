"""A real browser against a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import require
from tests.web.browser.visitor import Visitor
from tests.web.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

Visit = Callable[..., Visitor]
#: The tests of pages that are on PostgreSQL, too, in the short run; all are in the long one.
ON_POSTGRES = ("test_two_people_play_to_the_end", "test_the_game_goes_on_after_the_server_was")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A page does not know what its server keeps games in, so few tests look twice."""
    here = Path(__file__).parent
    chosen: set[str] = set()
    for item in items:
        if here not in item.path.parents or "postgres" not in item.name:
            continue
        name = item.name.partition("[")[0]
        if name in chosen or not name.startswith(ON_POSTGRES):
            item.add_marker(pytest.mark.slow)
        chosen.add(name)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, started once."""
    require(find_spec("playwright"), "Playwright", "pip install playwright")
    require(CHROMIUM.exists(), "Chromium", "apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """Visitors with a browser context each; nothing may go wrong in any of them."""
    visitors: list[Visitor] = []

    def arrive(base: str | None = None, **options: object) -> Visitor:
        visitors.append(Visitor(browser, base or server.url, **options))
        return visitors[-1]

    yield arrive
    for visitor in visitors:
        visitor.context.close()
    assert [visitor.errors for visitor in visitors if visitor.errors] == []
    assert [visitor.foreign for visitor in visitors if visitor.foreign] == []
