"""Pages of Firefox in the words of Playwright, so that one test drives both browsers.

Only what tests say is here.
"""

from __future__ import annotations

import re
import time
from base64 import b64decode
from dataclasses import dataclass, field
from pathlib import Path

from tests.web.browser.firefox import (
    DARK,
    FORCED_COLOURS,
    FULL_MOTION,
    LIGHT,
    REDUCED_MOTION,
    RESIZE,
    ZOOM,
    Firefox,
    Preferences,
)
from tests.web.browser.firefox_input import Keyboard, Mouse
from tests.web.browser.firefox_locator import Locator, until
from tests.web.people import Json

WAIT_LIMIT_S = 30.0
MEDIA: dict[tuple[str, str], Preferences] = {
    ("color_scheme", "dark"): DARK,
    ("color_scheme", "light"): LIGHT,
    ("reduced_motion", "reduce"): REDUCED_MOTION,
    ("reduced_motion", "no-preference"): FULL_MOTION,
    ("forced_colors", "active"): FORCED_COLOURS,
}


@dataclass
class FirefoxPage:
    """One window of somebody."""

    firefox: Firefox
    base: str
    handle: str
    #: Whether a click is the touch of a finger.
    has_touch: bool = False
    limit_s: float = WAIT_LIMIT_S
    _old_settings: dict[str, Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.keyboard = Keyboard(self)
        self.mouse = Mouse(self)
        self._document = Locator(self, ())
        self.locator = self._document.locator
        self.get_by_role = self._document.get_by_role
        self.get_by_label = self._document.get_by_label
        self.get_by_text = self._document.get_by_text

    def command(self, name: str, parameters: Json = None) -> Json:
        self.firefox.switch(self.handle)
        return self.firefox.command(name, parameters)

    def call(self, script: str, *arguments: Json) -> Json:
        """Run the body of a function in the page; a promise is waited for."""
        return self.command(
            "WebDriver:ExecuteScript", {"script": script, "args": list(arguments), "sandbox": None}
        )["value"]

    def evaluate(self, expression: str, arg: Json = None) -> Json:
        """The value of an expression, or of a function that is called."""
        called = "typeof found === 'function' ? found(arguments[0]) : found"
        return self.call(f"const found = ({expression}); return {called};", arg)

    def act(self, *sources: Json) -> None:
        """Keys and pointers, as a person uses them."""
        self.command("WebDriver:PerformActions", {"actions": list(sources)})

    def point(self, kind: str, actions: list[Json]) -> None:
        parameters = {"pointerType": kind}
        self.act({"type": "pointer", "id": kind, "parameters": parameters, "actions": actions})

    def goto(self, address: str) -> None:
        url = f"{self.base}{address}" if address.startswith("/") else address
        self.command("WebDriver:Navigate", {"url": url})

    def reload(self) -> None:
        self.command("WebDriver:Refresh")

    def go_back(self) -> None:
        self.command("WebDriver:Back")

    @property
    def url(self) -> str:
        return str(self.command("WebDriver:GetCurrentURL")["value"])

    def title(self) -> str:
        return str(self.command("WebDriver:GetTitle")["value"])

    def wait_for_selector(self, selector: str) -> Locator:
        found = self.locator(selector).first
        found.wait_for()
        return found

    def wait_for_url(self, pattern: str) -> None:
        wanted = re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*")
        until(lambda: re.fullmatch(wanted, self.url), self.limit_s, f"{pattern} was not reached")

    def wait_for_function(self, expression: str, *, arg: Json = None, polling: int = 0) -> None:
        complaint = f"this did not come true: {expression}"
        until(lambda: self.evaluate(expression, arg), self.limit_s, complaint)

    def wait_for_timeout(self, milliseconds: float) -> None:
        time.sleep(milliseconds / 1000)

    def bring_to_front(self) -> None:
        self.command("WebDriver:SwitchToWindow", {"handle": self.handle, "focus": True})

    def screenshot(self, path: Path | None = None) -> bytes:
        shown = self.command("WebDriver:TakeScreenshot", {"full": False})
        picture = b64decode(shown["value"])
        if path:
            path.write_bytes(picture)
        return picture

    def set_viewport_size(self, size: dict[str, int]) -> None:
        self.firefox.chrome(RESIZE, size, handle=self.handle)
        self.wait_for_function("width => innerWidth === width", arg=size["width"])

    def zoom(self, factor: float) -> None:
        """Make everything larger in this window, as Ctrl and plus do, on every page to come."""
        self.prefer({"browser.zoom.siteSpecific": False})
        self.firefox.chrome(ZOOM, factor, handle=self.handle)
        self.wait_for_function("factor => devicePixelRatio >= factor", arg=factor)

    def emulate_media(self, **wishes: str) -> None:
        """What the system of a person prefers; it holds for the whole browser until they leave."""
        for wish in wishes.items():
            self.prefer(MEDIA[wish])

    def prefer(self, preferences: Preferences) -> None:
        """Change the browser's settings until this window is closed."""
        self._old_settings = {**self.firefox.set_preferences(preferences), **self._old_settings}

    def close(self) -> None:
        self.firefox.set_preferences(self._old_settings)
        self.firefox.close_window(self.handle)
