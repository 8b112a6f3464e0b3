"""Who waits for a game to be solved is told how far it is."""

from __future__ import annotations

import asyncio

import httpx
import pytest

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.web.config import Config
from tests.web.serving import run
from tests.web.test_worker import BID, ask, solver


@pytest.mark.usefixtures("own_cache")
def test_what_is_being_solved_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    game: AnyGame = nd.load(BID, numbers=9)
    other: AnyGame = nd.load(BID, numbers=8)

    async def test() -> None:
        with solver(Config()) as found:
            assert found.solved_share(game) is None
            begun = asyncio.Event()
            begin = found.solving.begin

            def begin_and_tell() -> None:
                begin()
                begun.set()

            monkeypatch.setattr(found.solving, "begin", begin_and_tell)
            asking = asyncio.create_task(ask(found, game))
            await begun.wait()
            assert found.solved_share(game) is not None
            assert found.solved_share(other) is None
            await asking
            assert found.solved_share(game) is None
            assert found.solving.share == 1.0
            begin()
            assert found.solving.share == 0.0

    run(test())


def test_anybody_may_ask_how_far_it_is(http: httpx.Client) -> None:
    answer = http.get("/api/solving", params={"game": "number-knot", "first": "2", "set": "life=9"})
    assert (answer.status_code, answer.json()) == (200, {"share": None})
    wrong = http.get("/api/solving", params={"game": "number-knot", "set": "life=many"})
    assert wrong.status_code == 422
