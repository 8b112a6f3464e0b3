"""Run the recipes of examples/recipes for a short time."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
RECIPES = EXAMPLES / "recipes"


def run_recipe(name: str, folder: Path, steps: int) -> list[str]:
    """Return the lines that a recipe prints after training for a few steps."""
    run = subprocess.run(
        [sys.executable, RECIPES / f"{name}.py"],
        cwd=folder,
        env={**os.environ, "RECIPE_STEPS": str(steps)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=1200,
        check=True,
    )
    return run.stdout.splitlines()


def figure(lines: list[str], before: str, after: str) -> float:
    """Return the number between two texts in the printed lines."""
    pattern = re.compile(re.escape(before) + r"\s*([+-]?\d+\.\d\d)" + re.escape(after))
    (found,) = filter(None, map(pattern.match, lines))
    return float(found[1])
