"""`llm:MODEL`: a language model behind an OpenAI-compatible endpoint.

What the model gets wrong is its own fault and is counted: an answer that is refused goes
back with the reason. What the endpoint gets wrong is not: it is asked again, after a
pause, while patience lasts.
"""

from __future__ import annotations

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
from number_duels.players.llm.errors import Trouble
from number_duels.players.llm.parsing import Reply, read, spoken
from number_duels.players.llm.prompt import Message, again, question
from number_duels.players.llm.request_options import Manner

#: Seconds in which an endpoint in trouble must have recovered, counted from the first trouble.
PATIENCE: Final = 60.0
#: The same for one that has never answered and cannot be spoken with: its address may be wrong.
STRANGER: Final = 5.0
#: The first pause, in seconds, and the longest; each is twice the one before.
FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 20.0


@dataclass(frozen=True)
class Call:
    """One request, and what became of it."""

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
        """The call as JSON has it."""
        return asdict(self)


class ModelPlayer(ExternalPlayer):
    """Plays what a language model answers; `calls` has every request since `begin`."""

    def __init__(self, model: str, limits: Limits, patience: float = PATIENCE) -> None:
        super().__init__(limits)
        self.chat = Chat(model, limits.url)
        self.patience = patience
        self.calls: list[Call] = []
        self.seed: int | None = None
        #: As much as the endpoint has been found to take.
        self.manner = Manner()
        self.answered = False
        self.talk: tuple[Message, ...] = ()
        self.said = ""

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        """A new game, and a clean sheet."""
        super().begin(game, seat, seed)
        self.calls = []
        self.seed = seed

    def answer(self, situation: Situation, refused: Fault | None) -> str:
        """What the model says; one that was refused is told why, in the same conversation."""
        if refused is None:
            self.talk = (question(situation),)
        else:
            self.talk = (*self.talk, *again(spoken(self.said), refused.reason))
        reply = self.ask(tuple(map(str, situation.options)))
        self.said = reply.text
        return read(reply)

    def kept(self) -> list[dict[str, object]]:
        """Every call of this game, as JSON objects."""
        return [call.as_object() for call in self.calls]

    def close(self) -> None:
        """Hang up."""
        self.chat.close()

    def ask(self, moves: tuple[str, ...]) -> Reply:
        """A reply to the conversation; Forfeit when there is none to be had."""
        manner = self.manner
        patience: Patience | None = None
        while True:
            try:
                reply = self.call(manner, moves)
            except Trouble as met:
                simpler = met.kind == errors.REJECTED and manner.simpler(met.reason, self.seed)
                if simpler:
                    manner = simpler
                    continue
                patience = patience or Patience(self.chat.place)
                known = self.answered or met.status is not None
                patience.bear(met, self.patience if known else min(STRANGER, self.patience))
            else:
                # Only what has worked is remembered: a refusal may have had another reason.
                self.manner, self.answered = manner, True
                return reply

    def call(self, manner: Manner, moves: tuple[str, ...]) -> Reply:
        """One request, which is kept whatever becomes of it."""
        asked = manner.asked(moves, self.seed)
        when = datetime.now(UTC).isoformat(timespec="milliseconds")
        began = time.perf_counter()

        kind, status, reason, reply = errors.INTERRUPTED, None, "", Reply("")
        try:
            reply = self.chat.exchange(self.talk, asked, self.limits.seconds)
            kind = errors.ANSWERED
            return reply
        except Trouble as met:
            kind, status, reason = met.kind, met.status, met.reason
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


class Patience:
    """How an endpoint in trouble is borne with: pauses that grow, up to an end."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.began = time.monotonic()
        self.pause = FIRST_PAUSE

    def bear(self, met: Trouble, seconds: float) -> None:
        """Wait until it may be asked again; Forfeit when it may not."""
        if met.kind == errors.LATE:
            raise Forfeit(external.LATE, met.reason)
        what = f"the endpoint {self.place} gives no answer: {met.reason}"
        if met.kind not in errors.PASSING:
            raise Forfeit(external.UNREACHABLE, what)
        # Spread out, so that players who were sent away together do not come back together.
        pause = max(met.pause or 0.0, self.pause * uniform(0.75, 1.25))
        if time.monotonic() - self.began + pause > seconds:
            raise Forfeit(external.UNREACHABLE, f"{what}, and patience ends ({seconds:g} seconds)")
        time.sleep(pause)
        self.pause = min(2 * self.pause, LONGEST_PAUSE)
