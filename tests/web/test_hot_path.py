"""What is asked most takes no detour."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import httpx
import pytest

from number_duels.web.app import build
from number_duels.web.config import Config
from tests.web.people import GAME
from tests.web.serving import run


def test_no_request_of_a_game_is_sent_to_another_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a thread was asked")

    async def test() -> None:
        app = build(f"sqlite:///{tmp_path / 'games'}", Config())
        await app.state.service.open()
        monkeypatch.setattr("anyio.to_thread.run_sync", refuse)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost/api") as http:
            started = (await http.post("/games", json={"game": GAME, "name": "Ann"})).json()
            game = f"/games/{started['id']}"
            await http.post(f"{game}/seats", json={"name": "Bo"})
            mine = {"Authorization": f"Bearer {started['token']}"}
            view = (await http.get(game, headers=mine)).json()
            move = {"turn": 1, "move": view["options"][0]}
            assert (await http.post(f"{game}/moves", json=move, headers=mine)).status_code == 200
        await app.state.service.close()

    run(test())
