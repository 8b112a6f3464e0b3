"""axe-core finds nothing serious on any page: in light, in dark, and in forced colours."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

import number_duels as nd
from tests.conftest import SLOW, require
from tests.web.browser.conftest import Visit
from tests.web.browser.scenes import SCENES, SECRET, WITH_CARDS

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).parents[3]
AXE = Path(os.environ.get("AXE_CORE") or ROOT / "node_modules" / "axe-core" / "axe.min.js")
LOOKS: dict[str, tuple[Literal["light", "dark"], Literal["none", "active"]]] = {
    "light": ("light", "none"),
    "dark": ("dark", "none"),
    "forced colours": ("dark", "active"),
}
#: In the short run one game stands for those like it.
SHORT_RUN = (
    set(SCENES)
    - {f"play-{game}" for game in nd.games() if game not in (SECRET, WITH_CARDS)}
    - {"watching", "lesson", "joining", "404", "mixture"}
)
#: All that can differ between looks; the long run asks for everything in each of them.
COLOUR_RULES = ["color-contrast", "link-in-text-block"]
RUN = """async (rules) => {
  const found = await axe.run(document, {resultTypes: ["violations"], ...rules});
  return found.violations
    .filter(({impact}) => impact === "serious" || impact === "critical")
    .map(({id, nodes}) => `${id}: ${nodes.map(({html}) => html).join(" | ")}`);
}"""


def findings(page: Page) -> list[str]:
    """What axe finds in every look of a page."""
    page.add_script_tag(content=AXE.read_text(encoding="utf-8"))
    found: list[str] = []
    for look, (scheme, forced) in LOOKS.items():
        page.emulate_media(color_scheme=scheme, forced_colors=forced)
        rules = {} if SLOW or look == "light" else {"runOnly": COLOUR_RULES}
        found += [f"{look}: {finding}" for finding in page.evaluate(RUN, rules)]
    page.emulate_media(color_scheme="light", forced_colors="none")
    return found


def check(visit: Visit, names: set[str]) -> None:
    """Look at scenes; the policy of the pages is set aside for axe."""
    require(AXE.exists(), "axe-core", "npm install axe-core")
    ann, bo = visit(bypass_csp=True), visit()
    found: list[str] = []
    for name in sorted(names):
        SCENES[name](ann, bo)
        found += [f"{name}, {finding}" for finding in findings(ann.page)]
    assert found == [], "\n".join(found)


def test_pages(visit: Visit) -> None:
    check(visit, SHORT_RUN)


@pytest.mark.slow
def test_the_other_pages(visit: Visit) -> None:
    check(visit, set(SCENES) - SHORT_RUN)
