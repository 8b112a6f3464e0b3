"""What draws scenes, run by Node with a page but no browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

from number_duels.core.scene import scene_json
from number_duels.review.words import chance, cost, percent
from number_duels.sessions.train import OVER
from tests.conftest import require
from tests.patience import PATIENCE_S
from tests.sessions.test_faces import SITTINGS, WALKS, book_before, rehearse, walked

HERE = Path(__file__).parent / "js"
DOM = Path(__file__).parents[2] / "node_modules" / "happy-dom"


def test_the_page_draws_every_scene(tmp_path: Path) -> None:
    require(shutil.which("node"), "Node", "apt-get install npm")
    require(DOM.is_dir(), "happy-dom", "npm install")
    sittings = {
        name: [
            {**scene_json(scene), "question": None, "over": scene.stage == OVER}
            for scene in rehearse(sitting, book_before())[1]
        ]
        for name, sitting in SITTINGS.items()
    }
    analyses = {
        name: [scene_json(scene) for _, scene in walked(walk)] for name, walk in WALKS.items()
    }
    file = tmp_path / "scenes.json"
    written = {"sittings": sittings, "analyses": analyses}
    file.write_text(json.dumps(written), encoding="utf-8")
    figures = tmp_path / "figures.json"
    values = [n / parts for parts in (1000, 512) for n in range(2 * parts + 1)]
    figures.write_text(json.dumps(list(map(figure, values))), encoding="utf-8")
    done = subprocess.run(
        ["node", "--test", *sorted(map(str, HERE.glob("*.test.mjs")))],
        env={**os.environ, "SCENES": str(file), "FIGURES": str(figures)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def figure(value: float) -> dict[str, object]:
    """A value as the terminal writes it; above 1 only a cost means something."""
    share = min(value, 1.0)
    return {"value": value, "percent": percent(share), "chance": chance(share), "cost": cost(value)}
