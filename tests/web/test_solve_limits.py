"""A server tells which settings it solves, and refuses the others."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.web.config import MIB
from number_duels.web.service.solve_limits import covers, solved_settings, table_bytes
from tests.some_games import SOME_GAMES
from tests.web.people import start
from tests.web.serving import Server


@pytest.mark.parametrize("name", SOME_GAMES)
def test_the_catalogue_tells_exactly_which_settings_are_solved(name: str) -> None:
    limit = 10 * MIB
    corners = solved_settings(name, limit)
    about = {k: s for k, s in nd.load(name).describe_settings().items() if not s.choices}
    tops = {k: s.high if isinstance(s.high, int) else 99 for k, s in about.items()}
    values = [sorted({s.low, 2, 3, 5, 9, tops[k] // 2, tops[k]}) for k, s in about.items()]
    seen = set()
    for numbers in (dict(zip(about, each, strict=True)) for each in product(*values)):
        try:
            game: AnyGame = nd.load(name, **numbers)
        except ValueError:
            continue
        told = any(corner == numbers or covers(corner, numbers) for corner in corners)
        assert told == (table_bytes(game) <= limit), numbers
        seen.add(told)
    assert True in seen


def test_what_is_beyond_the_limit_is_refused_and_not_offered(
    own_server: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A solution that another test has kept would be used.
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    server = own_server(solve_limit="1")
    with server.client() as http:
        told = {one["name"]: one["solved"] for one in http.get("/api/catalogue").json()["games"]}
        (most,) = told["number-bid"]
        larger = {name: value + 1 for name, value in most.items()}
        pairs = [f"{name}={value}" for name, value in larger.items()]
        answers = [
            http.get("/api/analysis", params={"game": "number-bid", "set": pairs}),
            http.post(
                "/api/games",
                json={"game": "number-bid", "settings": larger, "opponent": "level:1"},
            ),
        ]
        assert [answer.status_code for answer in answers] == [422, 422]
        assert all("cannot be solved here" in answer.text for answer in answers)
        assert start(http, "number-bid", settings=larger, opponent="random").view()
