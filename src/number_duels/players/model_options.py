"""What one language model is asked for besides a move, and where it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

__all__ = ["ModelOptions"]

#: Where the key is, if nobody says.
KEY_VARIABLE: Final = "OPENAI_API_KEY"
#: Whether a model has room to think: no; in a field before the move; in text before a last line.
THINKING: Final = ("no", "field", "text")


@dataclass(frozen=True)
class ModelOptions:
    """The options of one language model; what is None or empty is the endpoint's own affair.

    >>> ModelOptions(temperature=0.7, think="text").facts()
    {'temperature': 0.7, 'think': 'text'}
    """

    #: Where this model is, if it is elsewhere than the others; and whether its key goes there.
    url: str | None = None
    send_key: bool = True
    #: The environment variable that holds the key.
    key_variable: str = KEY_VARIABLE
    #: How the model samples.
    temperature: float | None = None
    top_p: float | None = None
    #: How long an answer may be.
    max_tokens: int | None = None
    #: How long the model may think, in the endpoint's own words.
    reasoning_effort: str = ""
    #: More for every request, as a JSON object.
    extra_body: str = "{}"
    #: What is said before the prompt, as a system message.
    system: str = ""
    #: One of `THINKING`.
    think: str = THINKING[0]

    def asked(self, tokens_name: str = "max_tokens") -> dict[str, object]:
        """The parts of a request that these options want.

        >>> ModelOptions(temperature=0.7, extra_body='{"top_k": 20}').asked()
        {'temperature': 0.7, 'top_k': 20}
        """
        wanted = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            tokens_name: self.max_tokens,
            "reasoning_effort": self.reasoning_effort or None,
        }
        extra: dict[str, object] = json.loads(self.extra_body)
        return {name: value for name, value in wanted.items() if value is not None} | extra

    def facts(self) -> dict[str, object]:
        """All that may make a difference to what a model answers, but not where it is.

        >>> ModelOptions(temperature=0, think="text").facts()
        {'temperature': 0, 'think': 'text'}
        """
        said = {"system": self.system, "think": self.think}
        usual = {"system": USUAL_MODEL.system, "think": USUAL_MODEL.think}
        return self.asked() | {name: said[name] for name in said if said[name] != usual[name]}


#: A model of which nobody said anything.
USUAL_MODEL: Final = ModelOptions()
