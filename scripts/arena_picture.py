"""Play the example arena and make its picture: `python scripts/arena_picture.py`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from PIL import Image
from playwright.sync_api import sync_playwright
from tests.web.browser.conftest import ARGUMENTS, CHROMIUM

from number_duels.players.registry import BUILT_IN

PICTURE = ROOT / "docs" / "pictures" / "arena.png"
REPORT = ROOT / "docs" / "data" / "arena.txt"
COLOURS = 64


def main() -> None:
    """The page of the report as a picture, and the report itself as text."""
    with TemporaryDirectory() as folder:
        page = Path(folder) / "arena.html"
        # Any salt, but always the same one, so that the picture changes with the program alone.
        words = ["arena", "--players-file", "examples/players.toml", "--players", *BUILT_IN]
        words += ["any_move.py", "first_move.sh", "--pairs", "20", "--out", f"{folder}/arena.jsonl"]
        words += ["--salt", "0" * 32]
        done = subprocess.run(
            [sys.executable, "-m", "number_duels", *words, "--html", str(page)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        REPORT.write_text(done.stdout, encoding="utf-8")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            tab = browser.new_page(viewport={"width": 1280, "height": 1500})
            tab.goto(page.as_uri())
            tab.screenshot(path=PICTURE)
            browser.close()
    Image.open(PICTURE).convert("RGB").quantize(COLOURS).save(PICTURE, optimize=True)
    print(f"{PICTURE.relative_to(ROOT)} and {REPORT.relative_to(ROOT)} are made.")


if __name__ == "__main__":
    main()
