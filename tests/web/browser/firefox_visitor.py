"""Somebody who looks at the pages in Firefox."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from tests.web.browser.firefox import Firefox
from tests.web.browser.firefox_page import FirefoxPage
from tests.web.browser.visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page


@dataclass
class FirefoxContext:
    """Cookies and storage of one person, and their windows."""

    firefox: Firefox
    base: str
    viewport: dict[str, int] | None = None
    has_touch: bool = False
    pages: list[FirefoxPage] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.container = self.firefox.new_container()

    def new_page(self) -> FirefoxPage:
        window = self.firefox.new_window(self.container)
        page = FirefoxPage(self.firefox, self.base, window, self.has_touch)
        if self.viewport:
            page.set_viewport_size(self.viewport)
        self.pages.append(page)
        return page

    def close(self) -> None:
        for page in reversed(self.pages):
            page.close()
        self.pages.clear()


class FirefoxVisitor(Visitor):
    """A visitor with the same words as in Chromium; what is not in them raises AttributeError."""

    def __init__(
        self,
        firefox: Firefox,
        base: str,
        viewport: dict[str, int] | None = None,
        *,
        has_touch: bool = False,
        **media: str,
    ) -> None:
        self.base = base
        self.errors = []
        self.foreign = []
        context = FirefoxContext(firefox, base, viewport, has_touch)
        page = context.new_page()
        page.emulate_media(**media)
        # They answer to the part of Playwright's interface that the tests speak.
        self.context = cast("BrowserContext", context)
        self.page = cast("Page", page)
