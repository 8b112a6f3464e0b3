"""An answer of a language model, read strictly: a move, or a reason why there is none."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from number_duels.core.input_files import parse_json
from number_duels.core.text import printable
from number_duels.players.external import UNREADABLE, Refused

#: Objects without others inside, which is what was asked for.
OBJECT = re.compile(r"\{[^{}]*\}")
LAST_LINE = re.compile(r"MOVE:(.+)", re.IGNORECASE)
#: How an endpoint says that a model came to an end of its own accord; the rest say why not.
STOPPED: Final = "stop"
TOO_LONG: Final = "too long"
ENDINGS = {
    "length": "it was cut off at the endpoint's limit of tokens",
    "content_filter": "the endpoint's filter held it back",
    TOO_LONG: "it was far too long",
}


@dataclass(frozen=True)
class Reply:
    """What an endpoint brought back: a text, and how it came to its end."""

    text: str
    ending: str = STOPPED
    refusal: str = ""
    called_tools: bool = False
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    #: The model that the endpoint says has answered.
    served: str | None = None
    #: Thoughts that the endpoint sends beside the answer.
    reasoning: str = ""


def read_answer(reply: Reply) -> str:
    """The move that a reply names; Refused says why it names none."""
    if reply.refusal:
        raise unreadable(f"the model declined to answer ({printable(reply.refusal)})")
    if reply.ending in ENDINGS:
        raise unreadable(ENDINGS[reply.ending])
    text = spoken(reply.text)
    if not text:
        what = "it called a tool, and there is none" if reply.called_tools else "it was empty"
        raise unreadable(what)
    return move_in(text)


def spoken(text: str) -> str:
    """A text without the thoughts before it.

    >>> spoken("<think>S5 or A3?</think> S5")
    'S5'
    """
    return text.rpartition("</think>")[2].partition("<think>")[0].strip()


def move_in(text: str) -> str:
    r"""The one move that a text names: in a JSON object, or in a last line `MOVE: x`.

    >>> move_in('I take the highest: {"move": "S9"}'), move_in("So be it.\nMOVE: S9")
    ('S9', 'S9')
    """
    pieces = [text] if named(text) else OBJECT.findall(text)
    found = {move for piece in pieces for move in named(piece)}
    if len(found) > 1:
        raise unreadable(f"it named several moves ({', '.join(map(printable, sorted(found)[:4]))})")
    last = LAST_LINE.fullmatch(text.splitlines()[-1].strip())
    if not found and last is None:
        raise unreadable('it had no JSON object {"move": "..."}')
    return found.pop() if found or last is None else last[1].strip()


def named(text: str) -> list[str]:
    """The move in a text that is a JSON object, if it is one and has one."""
    try:
        value = parse_json(text)
    except ValueError:
        return []
    move = value.get("move") if isinstance(value, dict) else None
    numeric = isinstance(move, int) and not isinstance(move, bool)
    return [str(move)] if numeric or isinstance(move, str) else []


def unreadable(why: str) -> Refused:
    """The refusal of an answer that was not in the form that was asked for."""
    return Refused(UNREADABLE, f"The answer could not be read: {why}.")
