"""Draw the picture that a link to a game shows where it is sent: `web/static/preview.png`.

python scripts/draw_preview.py
"""

from __future__ import annotations

import base64
import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

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
<p>Small number games for two</p>
"""


def main() -> None:
    """Draw it with the page's own typeface."""
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
        browser.close()
    drawn = Image.open(io.BytesIO(picture)).convert("RGB").quantize(COLOURS)
    drawn.save(STATIC / IMAGE, optimize=True)
    print(f"{STATIC / IMAGE}: {(STATIC / IMAGE).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
