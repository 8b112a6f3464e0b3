"""Make the pictures of the pages from a real server: `python scripts/screenshots.py [SCENE…]`.

A scene of the tests on a desktop and on a phone, in light and in dark, as far as a page of the
documentation shows it; the animated picture of a reveal, the scene `reveal`; and the report of
the example arena, the scene `arena`.
"""

from __future__ import annotations

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from PIL import Image
from playwright.sync_api import Browser, FloatRect, Page, sync_playwright
from tests.some_games import SECRET
from tests.web.browser.conftest import ARGUMENTS, CHROMIUM
from tests.web.browser.scenes import NAMES, SCENES, Scene, ask, playing
from tests.web.browser.visitor import BUTTONS, Visitor
from tests.web.serving import Server

PICTURES = ROOT / "docs" / "pictures"
PAGES = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("docs/**/*.md"))
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
LOOKS = tuple(
    (device, size, scheme)
    for device, size in (("desktop", DESKTOP), ("phone", PHONE))
    for scheme in ("light", "dark")
)
#: A page has few colours; a palette makes a picture a third of its size.
COLOURS = 96
REVEAL = "web-reveal.webp"
#: The board fills a small screen, so that its cards are large.
REVEAL_SCREEN = {"width": 900, "height": 660}
REVEAL_WIDTH = 720
REVEAL_QUALITY = 85
FRAME_MS = 60
#: How long the last picture of a movement stays.
REST_MS = 1200
#: Animations stand still, and are put to a moment by hand: so a slow machine loses no frame.
HOLD = """
window.held = null;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...frames) {
  const made = animate.apply(this, frames);
  if (window.held) {
    made.playbackRate = 0;
    window.held.push(made);
  }
  return made;
};"""
END = "() => Math.max(0, ...window.held.map(({ effect }) => effect.getComputedTiming().endTime))"
SEEK = """(moment) => {
  for (const animation of window.held) {
    if (moment < animation.effect.getComputedTiming().endTime) animation.currentTime = moment;
    else {
      animation.playbackRate = 1;
      animation.finish();
    }
  }
  const frame = () => new Promise(requestAnimationFrame);
  return frame().then(frame).then(() => null);
}"""


def save_picture(page: Page, path: Path) -> None:
    page.evaluate("() => document.fonts.ready.then(() => null)")
    page.mouse.move(0, 0)
    with Image.open(BytesIO(page.screenshot())) as image:
        few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
    print(path.relative_to(ROOT), f"{path.stat().st_size // 1024} kB")


def take_pictures(browser: Browser, base: str, name: str, scene: Scene) -> None:
    """A scene in every look."""
    for device, size, scheme in LOOKS:
        path = PICTURES / f"web-{name}-{device}-{scheme}.png"
        if path.name not in PAGES:
            continue
        ann = Visitor(browser, base, viewport=size, color_scheme=scheme)
        bo = Visitor(browser, base)
        scene(ann, bo)
        if name.startswith("play-"):
            sit_down(bo, ann.page)
            choose(ann)
        save_picture(ann.page, path)
        ann.context.close()
        bo.context.close()


def sit_down(friend: Visitor, page: Page) -> None:
    """Be at the table that a page shows, and be seen there."""
    friend.page.goto(page.url)
    page.locator(".seat-2 .dot.here").wait_for()


def choose(visitor: Visitor) -> None:
    """Where a turn has several steps, or is secret, do the first of it."""
    page = visitor.page
    view = ask(visitor, f"/api/games/{page.url.rsplit('/', 1)[-1]}")
    question = view["question"]
    if question and (len(view["to_move"]) == 2 or question["answers"][0].get("next")):
        page.locator(BUTTONS).nth(2).click()
        page.locator(".chosen, .slot:not(.empty)").first.wait_for()


def frames_of(page: Page) -> list[Image.Image]:
    """What moves now, from its first moment to its last."""
    page.wait_for_function(f"() => ({END})() > 0")
    box = page.locator(".board").bounding_box()
    assert box is not None
    end = page.evaluate(END)
    found = []
    for moment in range(0, int(end) + 2 * FRAME_MS, FRAME_MS):
        page.evaluate(SEEK, moment)
        found.append(part_of(page, box))
    return found


def part_of(page: Page, box: FloatRect) -> Image.Image:
    return Image.open(BytesIO(page.screenshot(clip=box, animations="allow"))).convert("RGB")


def record_reveal(browser: Browser, base: str) -> None:
    """Two secret choices, laid down and turned over."""
    ann = Visitor(browser, base, viewport=REVEAL_SCREEN, reduced_motion="no-preference")
    bo = Visitor(browser, base)
    page = ann.page
    page.add_init_script(HOLD)
    playing(SECRET)(ann, bo)
    sit_down(bo, page)
    game = page.url.rsplit("/", 1)[-1]
    page.locator(BUTTONS).last.click()
    page.mouse.move(0, 0)
    # The card has flown to its place by its style, which cannot be held.
    page.locator(".board-place:not([aria-busy]) .own.down").wait_for()
    page.evaluate("() => { window.held = []; }")
    view = ask(bo, f"/api/games/{game}")
    ask(bo, f"/api/games/{game}/moves", {"turn": view["turn"], "move": view["options"][0]})
    frames = frames_of(page)
    ann.context.close()
    bo.context.close()
    save_film(frames, {0: REST_MS, len(frames) - 1: 2 * REST_MS})


def save_film(frames: list[Image.Image], rests: dict[int, int]) -> None:
    """An animated picture that begins again and again."""
    height = round(frames[0].height * REVEAL_WIDTH / frames[0].width)
    shrunk = [frame.resize((REVEAL_WIDTH, height), Image.Resampling.LANCZOS) for frame in frames]
    times = [rests.get(index, FRAME_MS) for index in range(len(shrunk))]
    path = PICTURES / REVEAL
    shrunk[0].save(
        path,
        save_all=True,
        append_images=shrunk[1:],
        duration=times,
        loop=0,
        quality=REVEAL_QUALITY,
        method=6,
    )
    print(path.relative_to(ROOT), f"{path.stat().st_size // 1024} kB, {len(shrunk)} frames")


def report_arena(browser: Browser, folder: str) -> None:
    """Play the example arena, and take a picture of its report."""
    # Any salt, but always the same one, so that the picture changes with the program alone.
    levels = [f"level:{number}" for number in range(1, 6)]
    words = ["arena", "--players", "random", *levels, "perfect", "any_move.py", "first_move.sh"]
    words += ["--players-file", "examples/players.toml", "--pairs", "20"]
    words += ["--out", f"{folder}/arena.jsonl"]
    words += ["--salt", "0" * 32, "--html", f"{folder}/arena.html"]
    run = [sys.executable, "-m", "number_duels", *words]
    subprocess.run(run, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    page = browser.new_page(viewport={"width": 1280, "height": 1500})
    page.goto(Path(folder, "arena.html").as_uri())
    save_picture(page, PICTURES / "arena.png")


def main() -> None:
    """Make all the pictures, or those of the scenes that are named."""
    NAMES[:] = ["Ann", "Bo"]
    wanted = sys.argv[1:] or [*SCENES, "reveal", "arena"]
    PICTURES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), f"sqlite:///{folder}/games.sqlite3")
        server.start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for name in wanted:
            if name == "reveal":
                record_reveal(browser, server.url)
            elif name == "arena":
                report_arena(browser, folder)
            else:
                take_pictures(browser, server.url, name, SCENES[name])
        browser.close()
        server.stop()


if __name__ == "__main__":
    main()
