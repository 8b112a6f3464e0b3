"""Keys and pointers, as Firefox takes them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.web.people import Json

if TYPE_CHECKING:
    from tests.web.browser.firefox_page import FirefoxPage

NAMED_KEYS = {
    "ArrowDown": "\ue015",
    "ArrowLeft": "\ue012",
    "ArrowRight": "\ue014",
    "ArrowUp": "\ue013",
    "Backspace": "\ue003",
    "Control": "\ue009",
    "Delete": "\ue017",
    "End": "\ue010",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Home": "\ue011",
    "Shift": "\ue008",
    "Space": " ",
    "Tab": "\ue004",
}
DOWN: Json = {"type": "pointerDown", "button": 0}
UP: Json = {"type": "pointerUp", "button": 0}


def move(x: float, y: float, origin: Json = "viewport") -> Json:
    return {"type": "pointerMove", "x": round(x), "y": round(y), "origin": origin, "duration": 0}


def middle(box: dict[str, float]) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@dataclass(frozen=True)
class Keyboard:
    page: FirefoxPage

    def press(self, keys: str) -> None:
        """One key, or several at once: `Enter`, `5`, `Shift+Tab`."""
        names = [NAMED_KEYS.get(key, key) for key in re.split(r"(?<=.)\+", keys)]
        down = [{"type": "keyDown", "value": key} for key in names]
        up = [{"type": "keyUp", "value": key} for key in reversed(names)]
        self.page.act({"type": "key", "id": "keys", "actions": [*down, *up]})

    def type(self, text: str) -> None:
        for letter in text:
            self.press(letter)


@dataclass(frozen=True)
class Mouse:
    page: FirefoxPage

    def move(self, x: float, y: float) -> None:
        self.page.point("mouse", [move(x, y)])

    def down(self) -> None:
        self.page.point("mouse", [DOWN])

    def up(self) -> None:
        self.page.point("mouse", [UP])
