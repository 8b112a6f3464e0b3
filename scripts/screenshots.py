"""Make the pictures of the pages from a real server: `python scripts/screenshots.py`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from PIL import Image
from playwright.sync_api import Browser, sync_playwright
from tests.web.browser.conftest import ARGUMENTS, CHROMIUM
from tests.web.browser.visitor import BUTTONS, Visitor, play_out
from tests.web.serving import Server

PICTURES = ROOT / "docs" / "pictures"
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
COLOURS = 96


def front(ann: Visitor, _: Visitor) -> None:
    """The games."""
    ann.page.goto("/")
    ann.page.locator(".game").first.wait_for()


def start(ann: Visitor, _: Visitor) -> None:
    """Starting a game."""
    ann.page.goto("/#number-knot")
    ann.page.get_by_text("The computer", exact=True).click()


def invitation(ann: Visitor, _: Visitor) -> None:
    """The link to send."""
    ann.start("number-bid", "Ann")
    ann.page.locator(".invitation").wait_for()


def joining(ann: Visitor, bo: Visitor) -> None:
    """What a friend sees who opens the link."""
    ann.page.goto(bo.start("number-bid", "Bo"))
    ann.page.locator(".invitation").wait_for()


def secret(ann: Visitor, bo: Visitor) -> None:
    """A secret choice, after two rounds."""
    bo.join(ann.start("number-bid", "Ann"), "Bo")
    for one, two in ((6, 5), (4, 7)):
        for player, number in ((ann, one), (bo, two)):
            player.page.locator(BUTTONS, has_text=str(number)).click()
        ann.page.locator(".doing", has_text="to move").wait_for()
    bo.page.locator(BUTTONS).last.click()
    ann.page.locator(".doing", has_text="chosen").wait_for()


def grids(ann: Visitor, bo: Visitor) -> None:
    """Two grids, and the last of three steps."""
    bo.join(ann.start("number-drop", "Ann"), "Bo")
    for player in (ann, bo, ann):
        player.page.locator(BUTTONS).first.wait_for()
        for _ in range(2 if player is ann and bo.page.locator(".log li").count() > 1 else 3):
            player.page.locator(BUTTONS).last.click()
        player.page.wait_for_timeout(200)


def hint(ann: Visitor, _: Visitor) -> None:
    """A drawn card and a hint."""
    ann.start("number-stack-showdown", "Ann", "perfect")
    for turn in range(5):
        ann.page.locator("[data-key=draw]").click()
        ann.page.locator(".held").wait_for()
        if turn < 4:
            ann.page.locator(BUTTONS).first.click()
    ann.page.locator("[data-key=hint]").click()
    ann.page.locator(".hint table").wait_for()


def review(ann: Visitor, _: Visitor) -> None:
    """A finished game and its review."""
    ann.start("high-low-battle", "Ann", "level:1")
    play_out([ann], Random(5))
    ann.page.locator(".review .chart").wait_for()


def rules(ann: Visitor, _: Visitor) -> None:
    """The rules."""
    ann.page.goto("/rules/high-low-battle")
    ann.page.locator(".prose").wait_for()


def analysis(ann: Visitor, _: Visitor) -> None:
    """The analysis board where both choose at once."""
    ann.page.goto("/analysis/high-low-battle?moves=5/3")
    ann.page.locator(".options").first.wait_for()


Scene = Callable[[Visitor, Visitor], None]
SCENES: tuple[Scene, ...] = (
    front,
    start,
    invitation,
    joining,
    secret,
    grids,
    hint,
    review,
    rules,
    analysis,
)
LOOKS = tuple(
    (device, size, scheme)
    for device, size in (("desktop", DESKTOP), ("phone", PHONE))
    for scheme in ("light", "dark")
)


def picture(
    browser: Browser, base: str, scene: Scene, look: tuple[str, dict[str, int], str]
) -> None:
    """One picture, kept in docs/pictures."""
    device, size, scheme = look
    ann = Visitor(browser, base, viewport=size, color_scheme=scheme)
    bo = Visitor(browser, base)
    scene(ann, bo)
    ann.page.evaluate("() => document.fonts.ready")
    path = PICTURES / f"web-{scene.__name__}-{device}-{scheme}.png"
    ann.page.mouse.move(0, 0)
    ann.page.screenshot(path=path)
    # A page has few colours; a palette makes a picture a third of its size.
    with Image.open(path) as image:
        image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    print(path.relative_to(ROOT), f"{path.stat().st_size // 1024} KB")
    ann.context.close()
    bo.context.close()


def main() -> None:
    """Make all the pictures, or those of the scenes that are named."""
    wanted = sys.argv[1:]
    PICTURES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), f"sqlite:///{folder}/games.sqlite3")
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for scene in SCENES:
            if wanted and scene.__name__ not in wanted:
                continue
            for look in LOOKS:
                picture(browser, server.url, scene, look)
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
