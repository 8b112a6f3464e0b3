"""What draws scenes, run by Node with a page but no browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import number_duels as nd
from number_duels.core.scene import OVER, frame_json, scene_json
from number_duels.sessions.replay import ReplaySession
from tests.conftest import require
from tests.patience import PATIENCE_S
from tests.review.positions import SMALL, random_match
from tests.sessions.test_faces import SITTINGS, WALKS, book_before, rehearse, walked
from tests.sessions.test_review import reviewed
from tests.some_games import CARDS, SECRET

#: Games that are reviewed and watched again.
REVIEWED = (SECRET, CARDS, "number-knot", "number-drop")
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
    reviews = tmp_path / "reviews.json"
    reviews.write_text(json.dumps({name: afterwards(name) for name in REVIEWED}), encoding="utf-8")
    done = subprocess.run(
        ["node", "--test", *sorted(map(str, HERE.glob("*.test.mjs")))],
        env={**os.environ, "SCENES": str(file), "REVIEWS": str(reviews)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def afterwards(name: str) -> dict[str, object]:
    """The review of a game with mistakes, and its turns."""
    match, names = random_match(nd.load(name, **SMALL[name]), seed=3), ("You", "Bo")
    frames = ReplaySession.of(match, None, names).frames
    scene = reviewed(match, names, nd.Seat.ONE).scene()
    return {"scene": scene_json(scene), "frames": [frame_json(frame) for frame in frames]}
