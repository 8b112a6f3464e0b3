"""axe-core finds nothing serious on any page, in light and in dark."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Literal

import pytest

import number_duels as nd
from tests.conftest import require
from tests.web.browser.conftest import Visit
from tests.web.browser.test_computer import short
from tests.web.browser.visitor import Visitor, play_out

ROOT = Path(__file__).parents[3]
AXE = Path(os.environ.get("AXE_CORE") or ROOT / "node_modules" / "axe-core" / "axe.min.js")
THEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
RUN = """async () => {
  const found = await axe.run(document, {resultTypes: ["violations"]});
  return found.violations
    .filter(({impact}) => impact === "serious" || impact === "critical")
    .map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html).join(" | ")}`);
}"""


@pytest.fixture
def looker(visit: Visit) -> Visitor:
    """Somebody with axe at hand; the policy of the pages is set aside for it."""
    require(AXE.exists(), "axe-core", "npm install axe-core")
    return visit(bypass_csp=True)


def check(visitor: Visitor, ready: str) -> None:
    """Wait for a page, and look at it with axe in both themes."""
    visitor.page.locator(ready).first.wait_for()
    visitor.page.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    for theme in THEMES:
        visitor.page.emulate_media(color_scheme=theme)
        assert visitor.page.evaluate(RUN) == [], theme


def test_pages(looker: Visitor) -> None:
    game = nd.games()[0]
    looker.page.goto("/")
    check(looker, ".game")
    looker.page.goto(f"/#{game}")
    looker.page.locator("dialog details summary").click()
    check(looker, "dialog[open]")
    looker.page.goto(f"/rules/{game}")
    check(looker, ".prose")
    for analysed in (nd.games()[0], nd.games()[-1]):
        settings = "&".join(f"{name}={value}" for name, value in short(analysed).items())
        looker.page.goto(f"/analysis/{analysed}?{settings}")
        check(looker, ".worth h2")


def test_tables(looker: Visitor, visit: Visit) -> None:
    for game in (nd.games()[0], nd.games()[-1]):
        looker.start(game, "Ann", "random", **short(game))
        check(looker, ".board .offer")
    looker.page.locator("[data-key=draw]").click()
    looker.page.locator("[data-key=hint]").click()
    check(looker, ".hint table")
    play_out([looker], Random(2))
    check(looker, ".review .chart")
    link = looker.start(nd.games()[1], "Ann")
    check(looker, ".board")
    guest = visit(bypass_csp=True)
    guest.page.goto(link)
    check(guest, ".invitation")
