"""What draws the trainer's scenes, run by Node with a page but no browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

from number_duels.core.scene import scene_json
from number_duels.sessions.train import OVER
from tests.conftest import require
from tests.sessions.test_faces import SITTINGS, book_before, rehearse

HERE = Path(__file__).parent / "js"
DOM = Path(__file__).parents[2] / "node_modules" / "happy-dom"
#: Far longer than it takes.
LIMIT_S = 120


def test_the_page_draws_every_scene(tmp_path: Path) -> None:
    require(shutil.which("node"), "Node", "apt-get install npm")
    require(DOM.is_dir(), "happy-dom", "npm install")
    scenes = {
        name: [
            {**scene_json(scene), "question": None, "over": scene.stage == OVER}
            for scene in rehearse(sitting, book_before())[1]
        ]
        for name, sitting in SITTINGS.items()
    }
    file = tmp_path / "scenes.json"
    file.write_text(json.dumps(scenes), encoding="utf-8")
    done = subprocess.run(
        ["node", "--test", *sorted(map(str, HERE.glob("*.test.mjs")))],
        env={**os.environ, "SCENES": str(file)},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
