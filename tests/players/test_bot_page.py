"""docs/bots.md shows what a bot is shown."""

from __future__ import annotations

import json
import re

import pytest

import number_duels as nd
from number_duels.core.notation import read
from number_duels.players.bot.process import as_json
from tests.documented import DOCUMENTED, ROOT

PAGE = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (.+) \| `(.+)` \| `(\{.+\})` \|$", PAGE, re.M)


@pytest.mark.parametrize(("title", "moves", "view"), ROWS)
def test_the_page_shows_the_view_of_every_game(title: str, moves: str, view: str) -> None:
    assert len(ROWS) == len(DOCUMENTED)
    deal = "294753618 672159834" if "grids" in view else None
    game = nd.load(title.lower().replace(" ", "-"))
    *_, last = read(game, nd.Match(game, 7, deal).state, moves)
    assert as_json(game.view(last.after, nd.Seat.ONE)) == json.loads(view)
