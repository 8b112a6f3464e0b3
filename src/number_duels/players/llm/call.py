"""One request to a language model, as it is kept."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from number_duels.players.llm.prompt import Message


@dataclass(frozen=True)
class Call:
    when: str
    model: str
    #: Where it was sent.
    place: str
    messages: tuple[Message, ...]
    #: What it was asked for besides: the form of the answer, the seed, what its player wants.
    asked: dict[str, object]
    #: `answered`, or what the trouble was; `forced`: there was one move, and nothing was asked.
    kind: str
    #: The HTTP status of an error; None where there was none.
    status: int | None = None
    #: What the trouble was, in words.
    reason: str = ""
    answer: str = ""
    #: Thoughts that the endpoint sends beside the answer.
    reasoning: str = ""
    #: The model that the endpoint says has answered.
    served: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    seconds: float = 0.0
    #: The move that was played for it; empty: none.
    move: str = ""
    #: Why the answer was refused; empty: it was not.
    refused: str = ""

    def as_object(self) -> dict[str, object]:
        return asdict(self)
