"""The site is built without a warning, holds together, and is readable on a phone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from check_site import MADE, broken
from tests.conftest import require
from tests.documented import ROOT
from tests.web.browser.conftest import ARGUMENTS, CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext


PHONE = {"width": 390, "height": 844}
#: The theme hides what is wider than the page, and scrolls what is wider than its middle.
TOO_WIDE = """() => [document.documentElement, document.querySelector(".content")]
    .some(part => part.scrollWidth > part.clientWidth)"""


def test_the_site_is_built_without_a_warning_and_holds_together(tmp_path: Path) -> None:
    site = tmp_path / "site"
    # The list of methods beside each page of the reference takes a third of the time.
    words = ["--fail-on-warning", "--keep-going", "--quiet", "--define", "toc_object_entries=0"]
    words += ["--builder", "html", "docs", str(site)]
    built = subprocess.run(
        [sys.executable, "-m", "sphinx", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (built.returncode, built.stderr) == (0, "")
    assert list(broken(site)) == []
    with phone() as context:
        assert list(faults_on_a_phone(context, site)) == []
        assert "arena.html" in " ".join(found_by_search(context, site, "exploitability"))


@contextmanager
def phone() -> Iterator[BrowserContext]:
    require(find_spec("playwright"), "Playwright", "pip install playwright")
    require(CHROMIUM.exists(), "Chromium", "apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser.new_context(viewport=PHONE)  # type: ignore[arg-type]  # a TypedDict of theirs
        browser.close()


def faults_on_a_phone(context: BrowserContext, site: Path) -> Iterator[str]:
    """Pages that are wider than a phone, that fail, or that ask another host."""
    page = context.new_page()
    foreign: list[str] = []
    page.on("request", lambda r: foreign.append(r.url) if r.url.startswith("http") else None)
    page.on("pageerror", lambda error: foreign.append(str(error)))
    for path in sorted(site.rglob("*.html")):
        if "_modules" in path.parts or path.stem in MADE:
            continue
        page.goto(path.as_uri())
        if page.evaluate(TOO_WIDE):
            yield f"{path.relative_to(site)} is wider than a phone"
    yield from foreign


def found_by_search(context: BrowserContext, site: Path, word: str) -> list[str]:
    page = context.new_page()
    page.goto(f"{(site / 'search.html').as_uri()}?q={word}")
    page.wait_for_selector("#search-results li a")
    page.wait_for_function("document.querySelector('.search-summary')?.innerText.includes('found')")
    links = page.locator("#search-results li a").all()
    return [str(link.get_attribute("href")) for link in links]


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
