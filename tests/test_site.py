"""The site that `make docs` built is readable on a phone; and what the check of the site finds."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from check_site import MADE, broken
from tests.conftest import require
from tests.documented import ROOT
from tests.patience import PATIENCE_S
from tests.web.browser.conftest import ARGUMENTS, CHROMIUM

SITE = ROOT / "docs" / "_build" / "html"
PHONE = {"width": 390, "height": 844}
#: The first result of a search.
FIRST_FOUND = {
    "drill": "trainer.html#drills",
    "deploy": "deploy.html",
    "add+a+game": "contributing.html#add-a-game",
    "multiplayer": "browser.html",
    "windows": "play.html",
    "http+api": "server.html",
}
#: The theme hides what is wider than the page, and scrolls what is wider than its middle.
TOO_WIDE = """() => [document.documentElement, document.querySelector(".content")]
    .some(part => part.scrollWidth > part.clientWidth)"""


@pytest.mark.system
def test_the_site_can_be_read_and_searched_on_a_phone() -> None:
    require((SITE / "index.html").exists(), "the built site", "make docs")
    require(find_spec("playwright"), "Playwright", "pip install playwright")
    require(CHROMIUM.exists(), "Chromium", "apt-get install chromium")
    from playwright.sync_api import sync_playwright

    pages = [path for path in sorted(SITE.rglob("*.html")) if "_modules" not in path.parts]
    wrong: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS, timeout=1000 * PATIENCE_S
        )
        context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]  # a TypedDict of theirs
        context.set_default_timeout(1000 * PATIENCE_S)
        context.on("request", lambda r: wrong.append(r.url) if r.url.startswith("http") else None)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        for path in pages:
            page.goto(path.as_uri())
            if path.stem not in MADE and page.evaluate(TOO_WIDE):
                wrong.append(f"{path.relative_to(SITE)} is wider than a phone")
        # Its summaries need a server; what it finds does not.
        search = context.new_page()
        search.goto(f"{(SITE / 'search.html').as_uri()}?q=exploitability")
        search.locator("#search-results li a[href*='arena.html']").first.wait_for()
        for words, address in FIRST_FOUND.items():
            search.goto(f"{(SITE / 'search.html').as_uri()}?q={words}")
            first = search.locator("#search-results li > a").first.get_attribute("href")
            if first != address:
                wrong.append(f"{words} leads to {first}")
        browser.close()
    assert wrong == []


GOOD = '<html><h1 id="top">A page</h1><a href="#top">up</a><img src="a.png"></html>'


@pytest.mark.parametrize(
    ("page", "twin", "listed", "fault"),
    [
        (GOOD, "# A page", "[A](index.html.md)", ""),
        (GOOD.replace("#top", "#end"), "# A page", "[A](index.html.md)", "links to nothing: #end"),
        (GOOD.replace('"#top"', '"b.html"'), "", "[A](index.html.md)", "links to nothing: b.html"),
        (GOOD.replace("a.png", "b.png"), "", "[A](index.html.md)", "links to nothing: b.png"),
        (GOOD.replace("a.png", "//b.org/b.png"), "", "[A](index.html.md)", "asks another host"),
        (GOOD, "[B](b.png)", "[A](index.html.md)", "index.html.md links to nothing: b.png"),
        (GOOD, "# A page", "nothing", "is not in llms.txt"),
        (GOOD, None, "[A](index.html.md)", "index.html.md is missing"),
    ],
)
def test_the_check_finds_what_is_wrong(
    page: str, twin: str | None, listed: str, fault: str, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text(page, encoding="utf-8")
    (tmp_path / "llms.txt").write_text(listed, encoding="utf-8")
    (tmp_path / "a.png").touch()
    if twin is not None:
        (tmp_path / "index.html.md").write_text(twin, encoding="utf-8")
    found = list(broken(tmp_path))
    assert any(fault in line for line in found) if fault else found == []
