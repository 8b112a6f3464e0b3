"""A language model's player at a local endpoint, for the tests beside this."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field

import pytest

import number_duels as nd
from number_duels.core.game import E, M, S
from number_duels.core.player import Situation, situation
from number_duels.players.external import USUAL_MODEL, Limits, ModelOptions
from number_duels.players.llm.player import ModelPlayer
from tests.clock import ManualClock
from tests.players.endpoint import FakeEndpoint, endpoint

Seated = Callable[..., ModelPlayer]
ENVIRONMENT = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "http_proxy", "ALL_PROXY")


@pytest.fixture
def fake() -> Iterator[FakeEndpoint]:
    """An endpoint that obeys, until its script or its demands are changed."""
    with endpoint(FakeEndpoint()) as running:
        yield running


@dataclass(eq=False)
class PatientClock(ManualClock):
    """A clock that is ahead at once by what somebody sleeps; it keeps how long that was."""

    slept: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.advance(seconds)
        await asyncio.sleep(0)


@pytest.fixture
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the user's."""
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def clock() -> PatientClock:
    return PatientClock()


@pytest.fixture
def seated(
    fake: FakeEndpoint,
    clock: PatientClock,
    no_keys: None,  # noqa: ARG001  # for what it does
) -> Iterator[Seated]:
    """Makes players at the endpoint, with a clock of the test's, and closes them at the end."""
    with ExitStack() as stack:

        def seat(
            model: str = "tiny",
            retry_budget_s: float = 20.0,
            model_options: ModelOptions = USUAL_MODEL,
            **limits: float | str,
        ) -> ModelPlayer:
            granted = Limits(
                patience=retry_budget_s,
                model=model_options,
                **{"url": fake.url, "seconds": 20.0, **limits},  # type: ignore[arg-type]  # by name
            )
            player = ModelPlayer(model, granted, clock=clock)
            stack.callback(player.close)
            return player

        yield seat


def knot(moves: str = "", **settings: int | str) -> Situation:
    """What the next to move is told in a game of turns."""
    game = nd.load("number-knot", **settings)
    match = nd.Match(game, seed=1)
    for move in moves.split():
        match.submit(mover(match), game.parse(move))
    return situation(match, mover(match))


def mover(match: nd.Match[S, M, E]) -> nd.Seat:
    """Whose turn it is."""
    assert isinstance(match.turn, nd.Decision)
    return min(match.turn.options)
