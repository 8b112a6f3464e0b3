"""One request to a language model: what it asks for beside its messages, and how it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from number_duels.players.external import USUAL_MODEL, ModelOptions
from number_duels.players.llm.prompt import Message

#: How the form of an answer is asked for, from the strictest down.
FORMS: Final = ("schema", "object", "text")
#: Seeds are sent within 31 bits, which every endpoint can read.
SEED_RANGE: Final = 2**31


@dataclass(frozen=True)
class RequestOptions:
    """The optional parts of a request."""

    form: str = FORMS[0]
    seed: bool = True
    usage: bool = True
    stream: bool = True
    #: What the endpoint calls a limit of tokens.
    tokens_name: str = "max_tokens"

    def asked(
        self, moves: Sequence[str], seed: int | None, wanted: ModelOptions = USUAL_MODEL
    ) -> dict[str, object]:
        """The parts of a request that an endpoint may refuse, and what its player wants.

        >>> RequestOptions(form="object", usage=False).asked(["1", "2"], seed=7)
        {'response_format': {'type': 'json_object'}, 'seed': 7, 'stream': True}
        """
        asked: dict[str, object] = {}
        if self.form != "text" and wanted.think != "text":
            asked["response_format"] = (
                {"type": "json_object"}
                if self.form == "object"
                else schema(moves, reasoning=wanted.think == "field")
            )
        if self.seed and seed is not None:
            asked["seed"] = seed % SEED_RANGE
        if self.usage:
            asked["stream_options"] = {"include_usage": True}
        asked["stream"] = self.stream
        return asked | wanted.asked(self.tokens_name)

    def without_rejected(
        self, error: str, seed: int | None, wanted: ModelOptions = USUAL_MODEL
    ) -> RequestOptions | None:
        """Without the part that an error names, or else without the next; None: nothing is left.

        >>> RequestOptions().without_rejected("unknown field: seed", seed=7)
        RequestOptions(form='schema', seed=False, usage=True, stream=True, tokens_name='max_tokens')
        >>> RequestOptions().without_rejected("bad request", seed=7).form
        'object'
        """
        fewer: dict[str, RequestOptions] = {}
        if wanted.max_tokens and "max_tokens" in error and self.tokens_name == "max_tokens":
            return replace(self, tokens_name="max_completion_tokens")
        if self.form != FORMS[-1] and wanted.think != "text":
            form = FORMS[FORMS.index(self.form) + 1]
            fewer["response_format"] = replace(self, form=form)
        if self.seed and seed is not None:
            fewer["seed"] = replace(self, seed=False)
        if self.usage:
            fewer["stream_options"] = replace(self, usage=False)
        elif self.stream:
            fewer["stream"] = replace(self, stream=False)
        named = [options for name, options in fewer.items() if name in error]
        return next(iter([*named, *fewer.values()]), None)


def schema(moves: Sequence[str], *, reasoning: bool = False) -> dict[str, object]:
    """The form of an answer as a JSON schema: an object with one of the moves, after thoughts."""
    move = {"move": {"type": "string", "enum": list(moves)}}
    parts = {"reasoning": {"type": "string"}, **move} if reasoning else move
    return {
        "type": "json_schema",
        "json_schema": {
            "name": "move",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": parts,
                "required": list(parts),
                "additionalProperties": False,
            },
        },
    }


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
