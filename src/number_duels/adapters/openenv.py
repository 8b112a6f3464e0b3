"""OpenEnv environments in which an agent plays against a computer opponent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "OpenEnv", package="openenv"):
    from openenv.core.env_server.http_server import create_fastapi_app  # isort: skip
    from fastapi import FastAPI
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, Observation, State
    from pydantic import Field

from number_duels.adapters.text import LOSS, RETRIES, TextEnv
from number_duels.games import as_game
from number_duels.players.external import THINKING

__all__ = ["Answer", "DuelEnvironment", "DuelState", "Question", "create_app"]


class Answer(Action):
    """The agent's answer, such as `{"move": "S5"}`."""

    text: str


class Question(Observation):
    """The next prompt, and the reward for the last answer. After the game, all texts are empty."""

    #: The whole conversation about this decision, including rejected answers.
    text: str = ""
    #: The legal moves, in notation.
    moves: list[str] = Field(default_factory=list)
    #: The exact cost of the last decision, for every kind of reward.
    loss: float = 0.0
    #: Why the last answer was rejected, or empty.
    refused: str = ""


class DuelState(State):
    """The agent's result and losses so far. They reveal nothing that is hidden from the agent."""

    loss: float = 0.0
    decisions: int = 0
    #: 1 for a win, -1 for a loss, 0 for a draw or before the end.
    result: float = 0.0
    forfeited: bool = False


class DuelEnvironment(Environment[Answer, Question, DuelState]):
    """A game against a computer opponent. The options have the same meaning as in `TextEnv`."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        game: str,
        *,
        opponent: str = "perfect",
        seat: int | Literal["random"] = "random",
        reward: str = LOSS,
        retries: int = RETRIES,
        think: str = THINKING[0],
        **settings: int | str,
    ) -> None:
        super().__init__()
        self.env = TextEnv(
            as_game(game, **settings),
            opponent=opponent,
            seat=seat,
            reward=reward,
            retries=retries,
            think=think,
        )
        self._state = DuelState()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        moves: str | None = None,
        deal: str | None = None,
        **_: object,
    ) -> Question:
        self.env.reset(seed, moves=moves, deal=deal)
        self._state = DuelState(episode_id=episode_id)
        return self._question()

    def step(self, action: Answer, timeout_s: float | None = None, **_: object) -> Question:
        (seat,) = self.env.agents
        step = self.env.step({seat: action.text})
        score = self.env.score(seat)
        self._state = DuelState(
            episode_id=self._state.episode_id,
            step_count=self._state.step_count + 1,
            loss=score.loss,
            decisions=score.decisions,
            result=score.result,
            forfeited=score.forfeited,
        )
        asked = self._question()
        asked.reward, asked.loss = step.rewards[seat], step.losses[seat]
        asked.refused = step.refused.get(seat, "")
        return asked

    @property
    def state(self) -> DuelState:
        return self._state

    def _question(self) -> Question:
        if self.env.done:
            return Question(done=True)
        (ask,) = self.env.asked.values()
        return Question(text=ask.text, moves=list(ask.moves))


def create_app(make: Callable[[], DuelEnvironment], sessions: int = 64) -> FastAPI:
    """Return a web application for up to `sessions` clients, each with its own environment."""
    return create_fastapi_app(
        make, Answer, Question, max_concurrent_envs=sessions, state_cls=DuelState
    )
