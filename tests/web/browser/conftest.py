"""A real browser against a real server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import require
from tests.patience import PATIENCE_S
from tests.web.browser.visitor import Visitor
from tests.web.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = Path("/usr/bin/chromium")
#: Pages of the browser's own that it would prepare in every window: more work than ours are.
UNSEEN = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess")
#: What Playwright disables; Chromium heeds the last list alone, so they are named again.
BY_PLAYWRIGHT = (
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--disable-features={','.join((*BY_PLAYWRIGHT, *UNSEEN))}",
]

Visit = Callable[..., Visitor]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in this folder: it needs a browser."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.system)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, started once; Playwright's event loop runs only as long as it does."""
    require(find_spec("playwright"), "Playwright", "pip install playwright")
    require(CHROMIUM.exists(), "Chromium", "apt-get install chromium")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=1000 * PATIENCE_S)  # five seconds, if nobody says otherwise
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS, timeout=1000 * PATIENCE_S
        )
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
