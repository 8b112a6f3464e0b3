"""verifiers environments for games between two agents. `number_duels_verifiers` exports them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Literal, TypeAlias

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "verifiers", package="verifiers"):
    import verifiers.v1 as vf  # isort: skip  # first, so that the error names it
    import httpx
    from pydantic import Field

from number_duels.adapters.text import CORRECTED, LOSS, RESULT, RETRIES, Ask, Seat, TextEnv
from number_duels.games import load, names

__all__ = ["ChatHarness", "DuelEnv", "DuelTaskset"]


AnyTrace: TypeAlias = vf.Trace[vf.TaskData, vf.State, vf.AgentConfig]


class DuelData(vf.TaskData):
    """A game with its seed, and the seat that is measured."""

    game: str
    settings: dict[str, int | str] = Field(default_factory=dict)
    seed: int
    seat: int


class DuelTask(vf.Task[DuelData]):
    """A game to play. Its rewards come from the environment, which knows both seats."""


class DuelTasksetConfig(vf.TasksetConfig):
    """The games and seeds to play. If `game` is empty, all games are played."""

    game: str = ""
    settings: dict[str, int | str] = Field(default_factory=dict)
    #: How many seeds. Each is played from both seats.
    pairs: int = 100
    first_seed: int = 1


class DuelTaskset(vf.Taskset[DuelTask, DuelTasksetConfig]):
    """Games with fixed seeds, each played from both seats."""

    def load(self) -> Iterator[DuelTask]:
        config = self.config
        for seed in range(config.first_seed, config.first_seed + config.pairs):
            for game in [config.game] if config.game else names():
                for seat in (1, 2):
                    data = DuelData(  # type: ignore[call-arg]  # other fields have defaults
                        name=f"{game} {seed} from seat {seat}",
                        game=game,
                        settings=config.settings,
                        seed=seed,
                        seat=seat,
                    )
                    yield DuelTask(data, config.task)


class ChatHarnessConfig(vf.HarnessConfig):
    """The configuration of `ChatHarness`. It adds no options."""


class ChatHarness(vf.Harness[ChatHarnessConfig]):
    """A harness that only sends messages. It has no tools and starts no process.

    Each turn is sent without the earlier turns, because its prompt contains the history.
    """

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(  # noqa: PLR0917  # the library's signature
        self,
        ctx: vf.ModelContext,
        trace: AnyTrace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        system, prompt = self.resolve_prompt(data)
        said = [vf.UserMessage(content=prompt)] if isinstance(prompt, str) else prompt or []
        messages = [*([vf.SystemMessage(content=system)] if system else []), *said]
        async with httpx.AsyncClient(timeout=None) as client:
            reply = await client.post(
                f"{endpoint}/chat/completions",
                headers={"Authorization": f"Bearer {secret}"},
                json={
                    "model": ctx.model,
                    "messages": [{"role": m.role, "content": m.content} for m in messages],
                },
            )
        return vf.ProgramResult(int(reply.is_error), "", reply.text if reply.is_error else "")

    async def resume(  # noqa: PLR0917  # the library's signature
        self,
        ctx: vf.ModelContext,
        trace: AnyTrace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
        messages: vf.Messages,
        tool_interception_url: str | None = None,
    ) -> vf.ProgramResult:
        asked = data.model_copy(update={"prompt": messages})
        return await self.launch(ctx, trace, runtime, endpoint, secret, mcp_urls, asked)


SEAT = vf.AgentConfig(runtime=vf.SubprocessConfig())


class DuelEnvConfig(vf.EnvConfig):
    """The players and the kind of reward."""

    player_1: vf.AgentConfig = SEAT
    player_2: vf.AgentConfig = SEAT
    #: A computer opponent such as `perfect` for the seat that is not measured. If empty, agents
    #: take both seats.
    opponent: str = ""
    reward: Literal["loss", "result", "corrected"] = "loss"
    answer_retries: int = RETRIES
    #: Where the answer may contain thinking: nowhere, in a field of its object, or in free text.
    think: Literal["no", "field", "text"] = "no"
    #: Two, so that both seats can be asked at once.
    max_concurrent_agents: int | None = 2


class DuelEnv(vf.Env[DuelEnvConfig]):
    """A game between two agents, or between an agent and a computer opponent.

    The trace of each seat records the sum of its rewards, and metrics such as its loss.
    """

    async def run(self, task: vf.Task[vf.TaskData], agents: vf.Agents) -> None:
        data = task.data
        assert isinstance(data, DuelData)
        game = TextEnv(
            load(data.game, **data.settings),
            opponent=self.config.opponent or None,
            seat=data.seat,
            reward=self.config.reward,
            retries=self.config.answer_retries,
            think=self.config.think,
        )
        game.reset(data.seed)
        rewards = dict.fromkeys(Seat, 0.0)
        async with AsyncExitStack() as stack:
            seats = {
                seat: await stack.enter_async_context(
                    getattr(agents, f"player_{seat + 1}").interaction(task)
                )
                for seat in game.agents
            }
            while game.asked:
                asked = list(game.asked.values())
                said = await asyncio.gather(*(answer(seats[ask.seat], ask) for ask in asked))
                step = game.step({ask.seat: text for ask, text in zip(asked, said, strict=True)})
                for seat, reward in step.rewards.items():
                    rewards[seat] += reward
            for seat, interaction in seats.items():
                record(interaction.trace, game, seat, rewards[seat], self.config.reward)


MESSAGES = {"user": vf.UserMessage, "assistant": vf.AssistantMessage}


async def answer(seat: vf.Interaction, ask: Ask) -> str:
    """Return an agent's answer. Raise RuntimeError if the agent has stopped."""
    segment = await seat.turn(
        [MESSAGES[one["role"]](content=one["content"]) for one in ask.messages]
    )
    if segment.terminated:
        raise RuntimeError(f"{ask.seat} gave no answer: {seat.trace.stop_condition}")
    return segment.last_reply


def record(trace: AnyTrace, game: TextEnv, seat: Seat, reward: float, kind: str) -> None:
    names_of = {LOSS: "exact_loss", RESULT: "result", CORRECTED: "result_less_luck"}
    trace.record_reward(names_of[kind], reward)
    score = game.score(seat)
    trace.record_metrics(
        {
            "loss": score.loss,
            "decisions": float(score.decisions),
            "accuracy": 100.0 if score.accuracy is None else score.accuracy,
            "result": score.result,
            "corrected": score.corrected,
            "forfeited": float(score.forfeited),
        }
    )
    trace.info["record"] = game.match.record.as_object()
