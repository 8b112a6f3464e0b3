"""What a request asks for beside its messages, and how to do without what is rejected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

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

    def asked(self, moves: Sequence[str], seed: int | None) -> dict[str, object]:
        """The parts of a request that an endpoint may refuse.

        >>> RequestOptions(form="object", usage=False).asked(["1", "2"], seed=7)
        {'response_format': {'type': 'json_object'}, 'seed': 7, 'stream': True}
        """
        asked: dict[str, object] = {}
        if self.form != "text":
            asked["response_format"] = (
                {"type": "json_object"} if self.form == "object" else schema(moves)
            )
        if self.seed and seed is not None:
            asked["seed"] = seed % SEED_RANGE
        if self.usage:
            asked["stream_options"] = {"include_usage": True}
        asked["stream"] = self.stream
        return asked

    def without_rejected(self, error: str, seed: int | None) -> RequestOptions | None:
        """Without the part that an error names, or else without the next; None: nothing is left.

        >>> RequestOptions().without_rejected("unknown field: seed", seed=7)
        RequestOptions(form='schema', seed=False, usage=True, stream=True)
        >>> RequestOptions().without_rejected("bad request", seed=7).form
        'object'
        """
        fewer: dict[str, RequestOptions] = {}
        if self.form != FORMS[-1]:
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


def schema(moves: Sequence[str]) -> dict[str, object]:
    """The form of an answer as a JSON schema: an object with one of the moves."""
    return {
        "type": "json_schema",
        "json_schema": {
            "name": "move",
            "strict": True,
            "schema": {
                "type": "object",
                "properties": {"move": {"type": "string", "enum": list(moves)}},
                "required": ["move"],
                "additionalProperties": False,
            },
        },
    }
