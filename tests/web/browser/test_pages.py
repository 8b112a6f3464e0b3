"""Every page: accessible, at every width, with large enough targets, on paper, lost."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import number_duels as nd
from tests.conftest import SLOW, require
from tests.some_games import CARDS, SECRET
from tests.web.browser.conftest import Visit
from tests.web.browser.scenes import SCENES, playing
from tests.web.people import Json

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[3]
AXE = Path(os.environ.get("AXE_CORE") or ROOT / "node_modules" / "axe-core" / "axe.min.js")
LOOKS: tuple[tuple[Literal["light", "dark"], Literal["none", "active"]], ...] = (
    ("light", "none"),
    ("dark", "none"),
    ("dark", "active"),
)
RUN = """async () => {
  const found = await axe.run(document, {resultTypes: ["violations"]});
  return found.violations.map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html).join(" | ")}`);
}"""
#: What axe would find here it finds in another scene.
LIKE_OTHERS = {"watching", "lesson", "404", "mixed", "large grid"}
HEIGHT = 800
#: From the narrowest phone to a wide screen; 640 is a usual window at 200%.
WIDTHS = (320, 390, 640, 1024, 2560)
#: What lies beside the page. What scrolls by itself may be wider than it shows.
BESIDE = """() => {
  const limit = document.documentElement.clientWidth + 1;
  const scrolls = (element) =>
    ["auto", "scroll", "hidden"].includes(getComputedStyle(element).overflowX) ||
    (element.parentElement && scrolls(element.parentElement));
  const found = [...document.querySelectorAll("body *")].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 1 && (right > limit || left < -1) && !scrolls(element.parentElement);
  });
  return [
    document.documentElement.scrollWidth > limit ? "the page scrolls sideways" : "",
    ...found.slice(0, 5).map((element) => element.outerHTML.slice(0, 120)),
  ].filter(Boolean);
}"""
#: Less than 44 by 44 CSS pixels; a link within a sentence is as high as its line.
SMALL = """() => {
  const targets = "button, .button, select, summary, input, a, [role=button]";
  const within = ".unseen, .skip, p:not(.row), li > a, td";
  return [...document.querySelectorAll(targets)]
    .filter((element) => element.getClientRects().length > 0 && !element.closest(within))
    .map((element) => [element.closest("label:has(input)") ?? element])
    .map(([element]) => [element, element.getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 1 && (width < 43.5 || height < 43.5))
    .map(([element, { width, height }]) =>
      `${element.outerHTML.slice(0, 70)} ${width} by ${height}`);
}"""
PRINTED = """() => {
  const seen = (element) => element.getClientRects().length > 0;
  const pressed = [...document.querySelectorAll("button, .button, input, select, dialog, .menu")];
  const { scrollHeight, clientHeight } = document.querySelector(".log");
  return {
    pressed: pressed
      .filter((element) => seen(element) && !element.closest(".board"))
      .map((element) => element.outerHTML),
    shown: [".board", ".log", "h1"].filter((wanted) => seen(document.querySelector(wanted))),
    hidden: scrollHeight - clientHeight,
    colour: getComputedStyle(document.body).color,
  };
}"""


def findings(page: Page, *looks: int) -> list[str]:
    """Return the findings of axe-core, in some looks of a page."""
    page.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    found: list[str] = []
    for scheme, forced in (LOOKS[look] for look in looks):
        page.emulate_media(color_scheme=scheme, forced_colors=forced)
        found += [f"{scheme}, forced {forced}: {finding}" for finding in page.evaluate(RUN)]
    page.emulate_media(color_scheme="light", forced_colors="none")
    return found


def misfits(page: Page) -> list[str]:
    """What is beside the page or too small for a finger, at any width."""
    found: list[str] = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT})
        wrong = page.evaluate(BESIDE)
        if width in (WIDTHS[0], WIDTHS[-1]):
            wrong += page.evaluate(SMALL)
        found += [f"at {width}: {fault}" for fault in wrong]
    return found


def test_every_page_is_accessible_and_fits_every_width(visit: Visit) -> None:
    require(AXE.exists(), "axe-core", "npm install")
    # The policy of the pages is set aside for axe.
    ann, bo = visit(bypass_csp=True), visit()
    scenes = {**SCENES, "large grid": playing("number-drop", side=5)}
    for game in nd.games():
        if not SLOW and game not in (SECRET, CARDS):
            del scenes[f"play-{game}"]
    found: list[str] = []
    for number, (name, scene) in enumerate(scenes.items()):
        scene(ann, bo)
        # Light and dark in turns; the long run sees everything in every look.
        looks = range(len(LOOKS)) if SLOW else [number % 2] * (name not in LIKE_OTHERS)
        faults = findings(ann.page, *looks) + misfits(ann.page)
        found += [f"{name}, {fault}" for fault in faults]
    assert found == [], "\n".join(found)


def test_a_game_on_paper(visit: Visit) -> None:
    ann, bo = visit(color_scheme="dark"), visit()
    SCENES[f"play-{SECRET}"](ann, bo)
    ann.page.emulate_media(media="print")
    printed: Json = ann.page.evaluate(PRINTED)
    assert printed["pressed"] == []
    assert printed["shown"] == [".board", ".log", "h1"]
    assert printed["hidden"] <= 1
    # Dark on white, whatever the screen is.
    assert printed["colour"] == "rgb(34, 37, 42)"


def test_a_wrong_address_leads_on(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    for address in ("/nothing", "/play/nothing", "/rules/chess"):
        page.goto(address)
        page.locator("h1").wait_for()
        assert page.locator("main p").first.inner_text().endswith(".")
    page.get_by_role("link", name="All games").click()
    page.locator(".game").first.wait_for()
    # Chromium reports each page that was not found.
    assert all("404" in error for error in ann.errors)
    ann.errors.clear()
