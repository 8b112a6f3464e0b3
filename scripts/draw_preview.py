"""Draw the picture of a link preview (`web/static/preview.png`) and the icons of the manifest.

python scripts/draw_preview.py
"""

from __future__ import annotations

import base64
import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from number_duels.web.pages import IMAGE, IMAGE_SIZE

STATIC = Path(__file__).parents[1] / "src" / "number_duels" / "web" / "static"
COLOURS = 48
PAGE = """
<style>
  @font-face {{ font-family: Inter; font-weight: 100 900;
    src: url(data:font/woff2;base64,{font}); }}
  body {{ margin: 0; width: 1200px; height: 630px; display: grid; place-content: center; gap: 44px;
    background: #f6f4ef; color: #22252a; font-family: Inter; text-align: center; }}
  .cards {{ display: flex; gap: 28px; justify-content: center; }}
  .card {{ width: 128px; height: 172px; display: grid; place-content: center; border-radius: 20px;
    background: #fffefb; box-shadow: 0 2px 0 #dedad0; font-size: 84px; font-weight: 680; }}
  .one {{ color: #1f5fa8; }} .two {{ color: #a6400f; }}
  .down {{ background: #1f5fa8; color: #fff; }}
  h1 {{ margin: 0; font-size: 88px; font-weight: 720; letter-spacing: -0.03em; }}
  p {{ margin: -24px 0 0; font-size: 34px; font-weight: 500; color: #5d6068; }}
</style>
<div class="cards">
  <div class="card one">7</div><div class="card one">4</div><div class="card down">?</div>
  <div class="card two">6</div><div class="card two">9</div>
</div>
<h1>Number Duels</h1>
<p>Short number games for two</p>
"""


#: Each icon: its side in pixels, and the part of it that the mark takes. A launcher cuts a
#: maskable icon into a shape of its own, so its mark is smaller and its ground has no corners.
ICONS = {
    "icon-180": (180, 0.8),
    "icon-192": (192, 1.0),
    "icon-512": (512, 1.0),
    "icon-512-maskable": (512, 0.8),
}
ICON = """
<style>
  body {{ margin: 0; display: grid; place-content: center; height: 100vh; background: {ground}; }}
  img {{ width: {side}px; height: {side}px; }}
</style>
<img src="data:image/svg+xml;base64,{mark}">
"""
#: The ground of `favicon.svg`.
GROUND = "#1f2328"


def draw_icons(browser: Browser) -> None:
    """Draw the icon of the tab in the sizes that phones and desktops ask for."""
    mark = base64.b64encode((STATIC / "favicon.svg").read_bytes()).decode()
    for name, (side, part) in ICONS.items():
        ground = "transparent" if part == 1 else GROUND
        page = browser.new_page(viewport={"width": side, "height": side})
        page.set_content(ICON.format(ground=ground, side=round(side * part), mark=mark))
        save(page.screenshot(omit_background=True), STATIC / f"{name}.png")
        page.close()


def save(picture: bytes, file: Path) -> None:
    drawn = Image.open(io.BytesIO(picture))
    drawn.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(file, optimize=True)
    print(f"{file}: {file.stat().st_size:,} bytes")


def main() -> None:
    """Draw all with the page's own typeface."""
    font = base64.b64encode((STATIC / "fonts" / "inter-latin.woff2").read_bytes()).decode()
    width, height = IMAGE_SIZE
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_content(PAGE.format(font=font))
        page.evaluate("document.fonts.ready")
        picture = page.screenshot()
        draw_icons(browser)
        browser.close()
    save(picture, STATIC / IMAGE)


if __name__ == "__main__":
    main()
