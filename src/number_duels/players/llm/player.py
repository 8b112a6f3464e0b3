"""The player `llm:MODEL`, which asks a language model for its moves."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.game import AnyGame, Seat
from number_duels.core.player import Situation
from number_duels.players.external import ExternalPlayer, Fault, Limits, Refused, legal, turn_number
from number_duels.players.llm import endpoint
from number_duels.players.llm.client import (
    ANSWER_FORMS,
    Call,
    Chat,
    RequestOptions,
    run_in_loop,
)
from number_duels.players.llm.endpoint import EndpointError, RetryBudget
from number_duels.players.llm.prompt import Message, again, opening
from number_duels.players.llm.replies import Reply, read_answer, spoken

T = TypeVar("T")


class ModelPlayer(ExternalPlayer):
    """A player whose moves come from a language model.

    `limits` sets the endpoint, the time per answer and the options of the model. `calls` has every
    request since `begin`. Raises ValueError if the openai library is missing, or if the key or the
    address is not valid. Nothing is sent before the first choice:

    >>> player = ModelPlayer("MODEL", Limits(seconds=60, url="http://localhost:8000/v1"))
    >>> player.calls
    []
    >>> player.close()
    """

    def __init__(
        self,
        model: str,
        limits: Limits,
        chat: Chat | None = None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        super().__init__(limits)
        self.chat = chat or Chat(
            model,
            limits.url,
            send_key=limits.send_key,
            variable=limits.model.key_variable,
            clock=clock,
        )
        self.clock = self.chat.clock
        self.calls: list[Call] = []
        self.seed: int | None = None
        self.turn = 0

    def another(self) -> ModelPlayer:
        """Return another player that shares these connections, for a parallel game."""
        return ModelPlayer(self.chat.model, self.limits, self.chat)

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        super().begin(game, seat, seed)
        self.calls = []
        self.seed = seed

    def choose(self, situation: Situation) -> Hashable:
        """Return a legal move. Raise Forfeit if the model fails, or Outage if the endpoint does."""
        return run_in_loop(self.decide(situation))

    async def decide(self, situation: Situation) -> Hashable:
        """Return a legal move. If only one move is legal, send no request."""
        self.turn = turn_number(situation.game, situation.history)
        if len(situation.options) == 1:
            (move,) = situation.options
            call = Call(self._now(), self.chat.model, self.chat.place, (), {}, endpoint.FORCED)
            self.calls.append(replace(call, turn=self.turn, move=str(move)))
            return move

        def read(reply: Reply) -> Hashable:
            move = legal(situation, read_answer(reply, situation))
            self.calls[-1] = replace(self.calls[-1], move=str(move))
            return move

        wanted, moves = self.limits.model, tuple(map(str, situation.options))
        return await self.settle(
            opening(situation, wanted), moves, read, partial(again, think=wanted.think)
        )

    async def settle(
        self,
        talk: tuple[Message, ...],
        moves: tuple[str, ...],
        read: Callable[[Reply], T],
        again: Callable[[str, str], tuple[Message, ...]],
    ) -> T:
        """Ask until `read` accepts a reply, and return the result of `read`.

        After a refusal, add the messages of `again` to the conversation.
        """
        refused: Fault | None = None
        for _ in range(self.limits.retries + 1):
            reply = await self.ask(talk, moves)
            try:
                return read(reply)
            except Refused as refusal:
                refused = self.refuse(refusal)
                talk = (*talk, *again(spoken(reply.text), refused.reason))
        raise self.out_of_answers(refused)

    def refuse(self, refusal: Refused) -> Fault:
        fault = super().refuse(refusal)
        self.calls[-1] = replace(self.calls[-1], refused=fault.reason)
        return fault

    def kept(self) -> list[dict[str, object]]:
        """Return every call of this game, as JSON objects."""
        return [call.as_object() for call in self.calls]

    def _now(self) -> str:
        return self.clock.now().isoformat(timespec="milliseconds")

    def close(self) -> None:
        self.chat.close()

    async def ask(self, talk: tuple[Message, ...], moves: tuple[str, ...]) -> Reply:
        """Return the reply to a conversation, with retries. Raise Forfeit or Outage if they fail.

        The schema allows only `moves`. If `moves` is empty, the reply may have any form.
        """
        options, wanted = self.chat.options, self.limits.model
        if not moves:
            options = replace(options, form=ANSWER_FORMS[-1])
        budget = RetryBudget(self.chat.gate, self.limits.patience)
        while True:
            try:
                reply = await self.call(talk, options, moves)
            except EndpointError as error:
                rejected = error.kind == endpoint.REJECTED
                fewer = rejected and options.without_rejected(error.reason, self.seed, wanted)
                if fewer:
                    options = fewer
                else:
                    await budget.wait(error)
            else:
                # Remember only what worked, because a rejection may have had another reason.
                if moves:
                    self.chat.options = options
                self.chat.gate.answered()
                return reply

    async def call(
        self, talk: tuple[Message, ...], options: RequestOptions, moves: tuple[str, ...]
    ) -> Reply:
        """Send one request, and record it even if it fails."""
        await self.chat.gate.passed()
        asked = options.asked(moves, self.seed, self.limits.model)
        call = Call(
            self._now(), self.chat.model, self.chat.place, talk, asked, endpoint.INTERRUPTED
        )
        began = self.clock.monotonic()
        try:
            reply = await self.chat.exchange(talk, asked, self.limits.model_seconds)
            call = answered(call, reply)
            return reply
        except EndpointError as error:
            call = replace(call, kind=error.kind, status=error.status, reason=error.reason)
            raise
        finally:
            seconds = round(self.clock.monotonic() - began, 3)
            self.calls.append(replace(call, turn=self.turn, seconds=seconds))


def answered(call: Call, reply: Reply) -> Call:
    return replace(
        call,
        kind=endpoint.ANSWERED,
        answer=reply.text,
        reasoning=reply.reasoning,
        served=reply.served,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        reasoning_tokens=reply.reasoning_tokens,
    )
