"""`llm:MODEL`: a language model behind an OpenAI-compatible endpoint.

What the model gets wrong is its own fault and is counted: an answer that is refused goes
back with the reason. What the endpoint gets wrong is not: it is asked again, after a
pause, while the retry budget lasts.
"""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from random import uniform
from typing import Final

from number_duels.core.game import AnyGame, Seat
from number_duels.core.player import Forfeit, Situation
from number_duels.players import external
from number_duels.players.external import ExternalPlayer, Fault, Limits
from number_duels.players.llm import errors
from number_duels.players.llm.client import Chat
from number_duels.players.llm.errors import EndpointError
from number_duels.players.llm.parsing import Reply, read_answer, spoken
from number_duels.players.llm.prompt import Message, again, question
from number_duels.players.llm.request_options import RequestOptions

#: How long an endpoint may take to recover, counted from its first error.
RETRY_BUDGET_S: Final = 60.0
#: The same for one that has never answered at all: its address may be wrong.
FIRST_CONTACT_BUDGET_S: Final = 5.0
#: Each pause is twice the one before.
FIRST_PAUSE_S: Final = 0.5
MAX_PAUSE_S: Final = 20.0


@dataclass(frozen=True)
class Call:
    when: str
    model: str
    messages: tuple[Message, ...]
    #: What it was asked for besides: the form of the answer, and the seed.
    asked: dict[str, object]
    #: `answered`, or what the trouble was.
    kind: str
    #: The HTTP status of an error; None where there was none.
    status: int | None
    #: What the trouble was, in words.
    reason: str
    answer: str
    #: The model that the endpoint says has answered.
    served: str | None
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float

    def as_object(self) -> dict[str, object]:
        return asdict(self)


class ModelPlayer(ExternalPlayer):
    """Plays what a language model answers; `calls` has every request since `begin`."""

    def __init__(self, model: str, limits: Limits, retry_budget_s: float = RETRY_BUDGET_S) -> None:
        super().__init__(limits)
        self.chat = Chat(model, limits.url, send_key=limits.send_key)
        self.retry_budget_s = retry_budget_s
        self.calls: list[Call] = []
        self.seed: int | None = None
        #: What the endpoint has been found to accept.
        self.options = RequestOptions()
        self.answered = False
        self.talk: tuple[Message, ...] = ()
        self.said = ""

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        super().begin(game, seat, seed)
        self.calls = []
        self.seed = seed

    def answer(self, situation: Situation, refused: Fault | None) -> str:
        """What the model says; after a refusal, with the reason in the same conversation."""
        if refused is None:
            self.talk = (question(situation),)
        else:
            self.talk = (*self.talk, *again(spoken(self.said), refused.reason))
        reply = self.ask(tuple(map(str, situation.options)))
        self.said = reply.text
        return read_answer(reply)

    def kept(self) -> list[dict[str, object]]:
        """Every call of this game, as JSON objects."""
        return [call.as_object() for call in self.calls]

    def close(self) -> None:
        self.chat.close()

    def ask(self, moves: tuple[str, ...]) -> Reply:
        """A reply to the conversation; Forfeit when there is none to be had."""
        options = self.options
        budget: RetryBudget | None = None
        while True:
            try:
                reply = self.call(options, moves)
            except EndpointError as error:
                rejected = error.kind == errors.REJECTED
                fewer = rejected and options.without_rejected(error.reason, self.seed)
                if fewer:
                    options = fewer
                    continue
                budget = budget or RetryBudget(self.chat.place)
                known = self.answered or error.status is not None
                most = math.inf if known else FIRST_CONTACT_BUDGET_S
                budget.wait(error, min(most, self.retry_budget_s))
            else:
                # Only what has worked is remembered: a refusal may have had another reason.
                self.options, self.answered = options, True
                return reply

    def call(self, options: RequestOptions, moves: tuple[str, ...]) -> Reply:
        """One request, which is kept whatever becomes of it."""
        asked = options.asked(moves, self.seed)
        when = datetime.now(UTC).isoformat(timespec="milliseconds")
        began = time.perf_counter()

        kind, status, reason, reply = errors.INTERRUPTED, None, "", Reply("")
        try:
            reply = self.chat.exchange(self.talk, asked, self.limits.seconds)
            kind = errors.ANSWERED
            return reply
        except EndpointError as error:
            kind, status, reason = error.kind, error.status, error.reason
            raise
        finally:
            call = Call(
                when=when,
                model=self.chat.model,
                messages=self.talk,
                asked=asked,
                kind=kind,
                status=status,
                reason=reason,
                answer=reply.text,
                served=reply.served,
                prompt_tokens=reply.prompt_tokens,
                completion_tokens=reply.completion_tokens,
                seconds=round(time.perf_counter() - began, 3),
            )
            self.calls.append(call)


class RetryBudget:
    """Pauses before a failing endpoint is asked again: each longer, up to a total."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.began = time.monotonic()
        self.pause = FIRST_PAUSE_S

    def wait(self, error: EndpointError, seconds: float) -> None:
        """Wait until it may be asked again; Forfeit when it may not."""
        if error.kind == errors.LATE:
            raise Forfeit(external.LATE, error.reason)
        what = f"the endpoint {self.place} gives no answer: {error.reason}"
        if error.kind not in errors.RETRYABLE:
            raise Forfeit(external.UNREACHABLE, what)
        # Jitter, so that players who failed together do not all retry together.
        pause = max(error.retry_after_s or 0.0, self.pause * uniform(0.75, 1.25))
        if time.monotonic() - self.began + pause > seconds:
            raise Forfeit(external.UNREACHABLE, f"{what}, and patience ends ({seconds:g} seconds)")
        time.sleep(pause)
        self.pause = min(2 * self.pause, MAX_PAUSE_S)
