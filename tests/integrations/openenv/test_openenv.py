"""Whole games in OpenEnv, in process and from its client across the loopback."""

from __future__ import annotations

import json
import runpy
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from socket import socket

import pytest
import uvicorn
from fastapi import FastAPI
from openenv.core import GenericEnvClient

import number_duels as nd
from number_duels.adapters.openenv import Answer, DuelEnvironment, Question, create_app
from tests.integrations.endpoint import highest, legal_moves, silent
from tests.integrations.recipes import EXAMPLES
from tests.integrations.text_adapters import every_kind, type_errors


def played(env: DuelEnvironment, seed: int) -> list[Question]:
    """Play a game with the last move that is offered, and return all that the agent saw."""
    seen = [env.reset(seed)]
    while not seen[-1].done:
        seen.append(env.step(Answer(text=highest(seen[-1].text))))
    return seen


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """Serve an application on the loopback, and yield its address."""
    with socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        listening.listen()  # clients wait from now on, until the server takes them
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@every_kind
@pytest.mark.parametrize("seat", [1, 2])
def test_an_agent_is_rewarded_what_the_review_says(
    game: str, settings: dict[str, int | str], seat: int
) -> None:
    env = DuelEnvironment(game, opponent="level:1", seat=seat, **settings)
    first, *later = played(env, seed=3)
    assert first.reward is None
    assert first.moves == legal_moves(first.text)
    exact = nd.review(env.env.match.record).players[nd.Seat(seat - 1)]
    assert sum(one.reward or 0 for one in later) == pytest.approx(-exact.loss)
    assert sum(one.loss for one in later) == pytest.approx(exact.loss)
    assert env.state.loss == pytest.approx(exact.loss)
    assert env.state.step_count == len(later)


def test_a_seed_decides_the_game() -> None:
    env = DuelEnvironment("number-stack-showdown", opponent="level:3", target=12, highest=4)
    assert played(env, 5) == played(env, 5) != played(env, 6)


def test_a_game_can_start_from_a_position() -> None:
    env = DuelEnvironment("number-knot", seat=2)
    assert "S5\n" in env.reset(seed=1, moves="S5").text


def test_a_rejected_answer_is_asked_for_again_and_then_costs_the_game() -> None:
    env = DuelEnvironment("number-knot", retries=1, reward="result")
    first = env.reset(seed=1)
    again = env.step(Answer(text=silent(first.text)))
    assert (again.done, again.reward, again.moves) == (False, 0.0, first.moves)
    assert again.refused
    assert again.refused in again.text
    end = env.step(Answer(text=silent(again.text)))
    assert (end.done, end.reward) == (True, -1.0)
    assert env.state.forfeited


def test_the_example_of_the_page_plays_across_a_network() -> None:
    names = runpy.run_path(str(EXAMPLES / "openenv_play.py"))
    app, play = names["app"], names["play"]
    assert isinstance(app, FastAPI)
    assert callable(play)
    env = DuelEnvironment("number-knot", opponent="level:3")
    seen = env.reset(seed=7)
    total = 0.0
    while not seen.done:
        seen = env.step(Answer(text=json.dumps({"move": seen.moves[0]})))
        total += seen.reward or 0
    with served(app) as url:
        assert play(url, 7) == pytest.approx(total) != 0


def test_clients_have_games_of_their_own() -> None:
    with (
        served(create_app(partial(DuelEnvironment, "number-knot", opponent="random"))) as url,
        GenericEnvClient(base_url=url).sync() as one,
        GenericEnvClient(base_url=url).sync() as two,
    ):
        before = one.reset(seed=1).observation
        two.reset(seed=2)
        two.step({"text": "S9"})
        assert one.state()["step_count"] == 0
        assert two.state()["step_count"] == 1
        assert one.reset(seed=1).observation == before


def test_the_adapter_has_the_types_that_the_library_says() -> None:
    assert not type_errors("number_duels.adapters.openenv", "--follow-untyped-imports")
