"""What draws scenes, run by Node with a page but no browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.core.game import Seat
from number_duels.core.player import AnyMatch
from number_duels.core.scene import OVER, frame_json, scene_json
from number_duels.sessions.replay import ReplaySession
from number_duels.web.db.stored_game import SeatHolder, StoredGame
from number_duels.web.service import commands
from number_duels.web.service.new_game import GameRequest, new_game
from number_duels.web.service.view_models import View
from number_duels.web.service.views import encode
from tests.conftest import SLOW, require
from tests.patience import PATIENCE_S
from tests.review.positions import SMALL, random_match
from tests.sessions.test_faces import SITTINGS, WALKS, book_before, rehearse, walked
from tests.sessions.test_review import reviewed
from tests.some_games import CARDS, SECRET
from tests.web.test_views import positions, view_of

#: Games that are played, reviewed and watched again.
SHOWN = nd.games() if SLOW else (SECRET, CARDS)
HERE = Path(__file__).parent / "js"
DOM = Path(__file__).parents[2] / "node_modules" / "happy-dom"


@pytest.mark.system
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
    reviews.write_text(json.dumps({name: afterwards(name) for name in SHOWN}), encoding="utf-8")
    views = tmp_path / "views.json"
    views.write_bytes(encode(dict(games_in_views())))
    files = {"SCENES": str(file), "REVIEWS": str(reviews), "VIEWS": str(views)}
    done = subprocess.run(
        ["node", "--test", *sorted(map(str, HERE.glob("*.test.mjs")))],
        env={**os.environ, **files},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def games_in_views() -> Iterator[tuple[str, list[View]]]:
    """Games to their end, or to where somebody gives up, as a viewer sees them step by step."""
    for game in SHOWN:
        yield from seen_by_all(game, positions(game))
    dana = (replace(stored, seats=renamed(stored, "דנה")) for stored, _ in positions(SECRET))
    yield from seen_by_all("a name from right to left", ((each, each.match()) for each in dana))
    alone = GameRequest(SECRET, {}, opponent="random", seed=5)
    yield from seen_by_all("against the computer", positions(SECRET, new_game(alone, "digest")))
    resigned, match = commands.resign(Seat.ONE)(*next(positions(SECRET)))
    yield from seen_by_all("given up", [(resigned, match)])
    free = new_game(GameRequest(SECRET, {}, name="Ann"), "digest")
    yield from seen_by_all("a free seat", [(free, free.match())])


def seen_by_all(
    name: str, found: Iterable[tuple[StoredGame, AnyMatch]]
) -> Iterator[tuple[str, list[View]]]:
    games = list(found)
    for viewer in (*Seat, None):
        who = "a spectator" if viewer is None else f"seat {viewer + 1}"
        yield f"{name}, {who}", [view_of(*each, viewer, {}) for each in games]


def renamed(stored: StoredGame, name: str) -> tuple[SeatHolder, SeatHolder]:
    one, two = stored.seats
    return replace(one, name=name), two


def afterwards(name: str) -> dict[str, object]:
    """The review of a game with mistakes, and its turns."""
    match, names = random_match(nd.load(name, **SMALL[name]), seed=3), ("You", "Bo")
    frames = ReplaySession.of(match, None, names).frames
    scene = reviewed(match, names, nd.Seat.ONE).scene()
    return {"scene": scene_json(scene), "frames": [frame_json(frame) for frame in frames]}
