"""Elements of a page in Firefox, found and used in the words of Playwright.

A locator is a list of steps, followed in the page each time that it is used; what does something
waits until it can.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.web.browser.firefox import LOOK_EVERY_S, MarionetteError
from tests.web.browser.firefox_input import DOWN, UP, middle, move
from tests.web.people import Json

if TYPE_CHECKING:
    from tests.web.browser.firefox_page import FirefoxPage

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
#: What passes when a page is changing just now.
PASSING = (
    "detached shadow root",
    "element click intercepted",
    "element not interactable",
    "javascript error",
    "move target out of bounds",
    "no such element",
    "no such window",
    "stale element reference",
    "unknown error",
)
FIND = Path(__file__).with_name("firefox_find.js").read_text(encoding="utf-8")
FILL = """(field, value) => {
  field.focus();
  field.value = value;
  for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
}"""
#: Whether something can be hit: it stands still, and nothing lies above it.
STEADY = """
const [element] = arguments;
const place = () => JSON.stringify(element.getBoundingClientRect());
const frame = () => new Promise(requestAnimationFrame);
element.scrollIntoView({ block: "center" });
const before = place();
return frame().then(frame).then(() => {
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return !element.disabled && place() === before && element.contains(hit);
});"""
Reader = Callable[[], object]


def until(look: Reader, limit_s: float, complaint: str) -> Json:
    """What `look` finds once it finds anything; a page that is changing is looked at again."""
    end, last = time.monotonic() + limit_s, ""
    while time.monotonic() < end:
        try:
            if found := look():
                return found
        except MarionetteError as error:
            if error.kind not in PASSING:
                raise
            last = f" ({error})"
        time.sleep(LOOK_EVERY_S)
    raise AssertionError(f"{complaint}{last}")


@dataclass(frozen=True)
class Locator:
    page: FirefoxPage
    steps: tuple[tuple[Json, ...], ...]

    def _and(self, *step: Json) -> Locator:
        return Locator(self.page, (*self.steps, step))

    def locator(self, selector: str, *, has_text: str | None = None) -> Locator:
        found = self._and("css", selector)
        return found if has_text is None else found._and("with", has_text)

    def get_by_role(self, role: str, *, name: str | None = None, exact: bool = False) -> Locator:
        return self._and("role", role, name, exact)

    def get_by_label(self, text: str, *, exact: bool = False) -> Locator:
        return self._and("label", text, exact)

    def get_by_text(self, text: str, *, exact: bool = False) -> Locator:
        return self._and("text", text, exact)

    def nth(self, index: int) -> Locator:
        return self._and("nth", index)

    @property
    def first(self) -> Locator:
        return self.nth(0)

    @property
    def last(self) -> Locator:
        return self.nth(-1)

    def all(self) -> list[Locator]:
        return [self.nth(index) for index in range(self.count())]

    def count(self) -> int:
        return int(self._run("return find(arguments[0]).length;"))

    def is_visible(self) -> bool:
        return bool(self._run("return find(arguments[0]).some(seen);"))

    def wait_for(self, state: str = "visible") -> None:
        wanted = {
            "visible": "find(arguments[0]).some(seen)",
            "attached": "find(arguments[0]).length > 0",
            "hidden": "!find(arguments[0]).some(seen)",
            "detached": "find(arguments[0]).length === 0",
        }[state]
        self._until(lambda: self._run(f"return {wanted};"), f"is not {state}")

    def click(self) -> None:
        if self.page.has_touch:
            self.tap()
            return
        self._until(lambda: self._act("WebDriver:ElementClick", self._one()), "was not clicked")

    def tap(self) -> None:
        self._until(lambda: self._point("touch", self._one()), "was not touched")

    def fill(self, value: str) -> None:
        self.evaluate(FILL, value)

    def select_option(self, value: str) -> None:
        self.evaluate(FILL, value)

    def focus(self) -> None:
        self.evaluate("one => one.focus()")

    def drag_to(self, target: Locator) -> None:
        """From the middle of one to the middle of the other, with the mouse."""
        start, end = self.bounding_box(), target.bounding_box()
        self.page.mouse.move(*middle(start))
        self.page.mouse.down()
        self.page.mouse.move(*middle(end))
        self.page.mouse.up()

    def bounding_box(self) -> dict[str, float]:
        found = self.evaluate(
            "one => { const { x, y, width, height } = one.getBoundingClientRect();"
            " return { x, y, width, height }; }"
        )
        return {name: float(value) for name, value in found.items()}

    def inner_text(self) -> str:
        return str(self.evaluate("one => one.innerText"))

    def all_inner_texts(self) -> list[str]:
        return [str(text) for text in self.evaluate_all("all => all.map((one) => one.innerText)")]

    def inner_html(self) -> str:
        return str(self.evaluate("one => one.innerHTML"))

    def input_value(self) -> str:
        return str(self.evaluate("one => one.value"))

    def get_attribute(self, name: str) -> str | None:
        found = self.evaluate("(one, name) => one.getAttribute(name)", name)
        return None if found is None else str(found)

    def evaluate(self, function: str, argument: Json = None) -> Json:
        """Call a function on the one element that is meant."""
        found = self._until(lambda: [self._one()], "is not there")[0]
        return self.page.call(f"return ({function})(arguments[0], arguments[1]);", found, argument)

    def evaluate_all(self, function: str) -> Json:
        return self._run(f"return ({function})(find(arguments[0]));")

    def _run(self, script: str) -> Json:
        return self.page.call(f"{FIND}\n{script}", [list(step) for step in self.steps])

    def _one(self) -> Json:
        found = self._run("return find(arguments[0]);")
        assert len(found) < 2, f"{len(found)} elements are {self.steps}"
        if not found:
            raise MarionetteError("no such element", str(self.steps))
        return found[0]

    def _act(self, command: str, element: Json) -> bool:
        usable = self.page.call("return !arguments[0].disabled;", element)
        if usable:
            self.page.command(command, {"id": element[ELEMENT]})
        return bool(usable)

    def _point(self, kind: str, element: Json) -> bool:
        steady = self.page.call(STEADY, element)
        if steady:
            self.page.point(kind, [move(0, 0, element), DOWN, UP])
        return bool(steady)

    def _until(self, look: Reader, complaint: str) -> Json:
        return until(look, self.page.limit_s, f"{self.steps} {complaint}")
