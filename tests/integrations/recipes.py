"""The code of a recipe page, run as a reader would run it, for a short time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "recipes"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def code(name: str) -> str:
    """The one block of a page."""
    (block,) = BLOCK.findall((PAGES / f"{name}.md").read_text(encoding="utf-8"))
    return str(block)


def block_of(page: str, library: str) -> str:
    """The one block of a page of docs/ that imports a library."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    (block,) = [
        b for b in BLOCK.findall(text) if re.search(rf"^(import|from) {library}\b", b, re.M)
    ]
    return str(block)


def run_recipe(name: str, folder: Path, steps: int) -> list[str]:
    """What a recipe prints when it learns for a few steps only."""
    script = folder / "recipe.py"
    script.write_text(code(name), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, script],
        cwd=folder,
        env={**os.environ, "RECIPE_STEPS": str(steps)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=1200,
        check=True,
    )
    return run.stdout.splitlines()


def figure(lines: list[str], before: str, after: str) -> float:
    """The number between two texts in what was printed."""
    pattern = re.compile(re.escape(before) + r"\s*([+-]?\d+\.\d\d)" + re.escape(after))
    (found,) = filter(None, map(pattern.search, lines))
    return float(found[1])
