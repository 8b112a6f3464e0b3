"""Read an endpoint's replies, and find the moves in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from number_duels.core.input_files import parse_json
from number_duels.core.player import Situation
from number_duels.core.text import printable
from number_duels.players.external import UNREADABLE, Refused
from number_duels.players.llm.endpoint import (
    CUT,
    FAILING,
    GARBLED,
    BadResponse,
    EndpointError,
    one_line,
)

if TYPE_CHECKING:
    from openai import AsyncStream
    from openai.types.chat import ChatCompletion, ChatCompletionChunk

    Incoming = AsyncStream[ChatCompletionChunk]

#: An object without nested objects, as the prompt asks for.
OBJECT = re.compile(r"\{[^{}]*\}")
LAST_LINE = re.compile(r"MOVE:(.+)", re.IGNORECASE)
ANSWER = re.compile(r"<answer>([^<>]{0,100})</answer>", re.IGNORECASE)
BOXED = re.compile(r"\\boxed\{(?:\\text\{)?([^{}]{0,100})\}")
BOLD = re.compile(r"\*\*([^*\n]{1,40})\*\*")
DECORATION: Final = " \t*`\"'"
PUNCTUATION: Final = DECORATION + ".,:;!?()"
MAX_MOVE_CHARS: Final = 40
STOPPED: Final = "stop"
TOO_LONG: Final = "too long"
ENDINGS = {
    "length": "it was cut off at the endpoint's token limit",
    "content_filter": "the endpoint's content filter blocked it",
    TOO_LONG: "it was far too long",
}


@dataclass(frozen=True)
class Reply:
    text: str
    ending: str = STOPPED
    refusal: str = ""
    called_tools: bool = False
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    served: str | None = None
    reasoning: str = ""


def read_answer(reply: Reply, situation: Situation) -> str:
    if reply.refusal:
        raise unreadable(f"the model declined to answer ({printable(reply.refusal)})")
    if reply.ending in ENDINGS:
        raise unreadable(ENDINGS[reply.ending])
    text = spoken(reply.text)
    if not text:
        what = "it called a tool, but there are no tools" if reply.called_tools else "it was empty"
        raise unreadable(what)
    return move_in(text, situation)


def spoken(text: str) -> str:
    return text.rpartition("</think>")[2].partition("<think>")[0].strip()


def move_in(text: str, situation: Situation) -> str:
    """Return the move that a text names. Raise Refused if it names no move, or several."""
    written = in_objects(text) + in_last_line(text)
    for found in (written, in_marks(text), in_bold(text, situation), bare(text, situation)):
        moves = {meaning(move, situation): move for move in found}
        if len(moves) > 1:
            several = ", ".join(map(printable, sorted(moves.values())[:4]))
            raise unreadable(f"it named several moves ({several})")
        if moves:
            return next(iter(moves.values()))
    raise unreadable('it had no JSON object {"move": "..."}')


def in_objects(text: str) -> list[str]:
    """Return the moves in the JSON objects of a text. Other text may surround them.

    >>> in_objects('I take the highest: {"move": "S9"}')
    ['S9']
    """
    pieces = [text] if named(text) else OBJECT.findall(text)
    return [move for piece in pieces for move in named(piece)]


def in_last_line(text: str) -> list[str]:
    r"""Return the move in the last line, if the line has the form `MOVE: x`.

    >>> in_last_line("So be it.\nMOVE: S9")
    ['S9']
    """
    last = LAST_LINE.fullmatch(text.splitlines()[-1].strip(DECORATION))
    return [last[1].strip(DECORATION)] if last else []


def in_marks(text: str) -> list[str]:
    r"""Return the texts that `<answer>` or `\boxed` marks as the answer.

    >>> in_marks("<answer>S9</answer>"), in_marks(r"So: \boxed{\text{S9}}")
    (['S9'], ['S9'])
    """
    found = [*ANSWER.findall(text), *BOXED.findall(text)]
    return [one.strip(DECORATION) for one in found if one.strip(DECORATION)]


def in_bold(text: str, situation: Situation) -> list[str]:
    """Return all moves in a text if its last line has a bold move, otherwise an empty list."""
    lines = text.splitlines()
    if not any(is_move(one, situation) for one in BOLD.findall(lines[-1])):
        return []
    bold = [one for one in BOLD.findall(text) if is_move(one, situation)]
    words = BOLD.sub(" ", text).split()
    plain = {str(option) for option in situation.options}
    return bold + [word for word in (one.strip(PUNCTUATION) for one in words) if word in plain]


def bare(text: str, situation: Situation) -> list[str]:
    alone = text.strip(PUNCTUATION)
    return [alone] if is_move(alone, situation) else []


def is_move(text: str, situation: Situation) -> bool:
    return len(text) <= MAX_MOVE_CHARS and meaning(text, situation)[0]


def meaning(text: str, situation: Situation) -> tuple[bool, Hashable]:
    """Return True and the move if a text is a move. Otherwise return False and the text."""
    try:
        return True, situation.game.parse(text)
    except ValueError:
        return False, text.strip()


def named(text: str) -> list[str]:
    """Return a list with the move in a JSON object, or an empty list if there is none.

    A description after the move is ignored, because models copy it from the prompt.

    >>> named('{"move": "S5: Subtract 5"}')
    ['S5']
    """
    try:
        value = parse_json(text)
    except ValueError:
        return []
    move = value.get("move") if isinstance(value, dict) else None
    numeric = isinstance(move, int) and not isinstance(move, bool)
    return [str(move).partition(": ")[0]] if numeric or isinstance(move, str) else []


def unreadable(why: str) -> Refused:
    return Refused(UNREADABLE, f"The answer could not be read: {why}.")


#: Longer replies are cut off. Reasoning can be as long as a book.
MAX_REPLY_CHARS: Final = 100_000


async def read_reply(stream: Incoming, clean: Callable[[str], str]) -> Reply:
    from openai import APIError

    builder = ReplyBuilder(clean)
    try:
        kind = stream.response.headers.get("content-type", "")
        if "json" in kind or "html" in kind:  # `whole` rejects a page
            await builder.whole(stream)
        else:
            await builder.pieces(stream)
        return builder.reply()
    except (APIError, EndpointError):
        raise
    except BadResponse:
        builder.ending = TOO_LONG
        return builder.reply()
    except (
        ValueError,
        TypeError,
        AttributeError,
        RecursionError,
    ):  # foreign data can be anything
        raise EndpointError(GARBLED, "the response is not a chat completion") from None
    except Exception:  # before version 3, the client passes on errors of its HTTP library
        raise EndpointError(CUT, "the connection was lost") from None


class ReplyBuilder:
    def __init__(self, clean: Callable[[str], str]) -> None:
        self.clean = clean
        self.text = self.refusal = self.reasoning = self.ending = ""
        self.called_tools = False
        self.tokens: tuple[int | None, int | None, int | None] = (None, None, None)
        self.served: str | None = None

    async def pieces(self, stream: Incoming) -> None:
        async for chunk in stream:
            self.take(chunk)
            if len(self.text) > MAX_REPLY_CHARS:
                self.ending = TOO_LONG
                return
        if not self.ending:  # a connection closed too early looks like an end
            raise EndpointError(CUT, "the answer was cut off")

    async def whole(self, stream: Incoming) -> None:
        from openai.types.chat import ChatCompletion

        body = bytearray()
        async for piece in stream.response.aiter_bytes():
            body += piece
        value = parse_json(bytes(body))
        if not isinstance(value, dict):
            raise ValueError("no object")
        if value.get("error"):
            said = one_line(self.clean(str(value["error"])))
            raise EndpointError(FAILING, f"it returned an error ({said})")
        if not isinstance(value.get("choices"), list):
            raise ValueError("no choices")
        self.take(ChatCompletion.construct(None, **value))

    def take(self, part: ChatCompletionChunk | ChatCompletion) -> None:
        """Add a piece of a reply, or a whole reply. Endpoints may omit any field."""
        for choice in getattr(part, "choices", None) or ():
            if getattr(choice, "index", 0):
                continue  # only one was asked for
            said = getattr(choice, "delta", None) or getattr(choice, "message", None)
            self.text += getattr(said, "content", None) or ""
            self.refusal += getattr(said, "refusal", None) or ""
            if len(self.reasoning) < MAX_REPLY_CHARS:
                self.reasoning += thoughts(said)
            self.called_tools |= bool(getattr(said, "tool_calls", None))
            self.ending = getattr(choice, "finish_reason", None) or self.ending
        if usage := getattr(part, "usage", None):
            details = getattr(usage, "completion_tokens_details", None)
            self.tokens = (
                count(usage.prompt_tokens),
                count(usage.completion_tokens),
                count(getattr(details, "reasoning_tokens", None)),
            )
        self.served = getattr(part, "model", None) or self.served

    def reply(self) -> Reply:
        return Reply(
            self.clean(self.text[:MAX_REPLY_CHARS]),
            self.ending or STOPPED,
            self.clean(self.refusal),
            self.called_tools,
            *self.tokens,
            served=self.served and self.clean(one_line(str(self.served))),
            reasoning=self.clean(self.reasoning[:MAX_REPLY_CHARS]),
        )


def thoughts(said: object) -> str:
    """Return the reasoning that comes with an answer. Endpoints use two names for this field."""
    names = ("reasoning_content", "reasoning")
    found = (getattr(said, name, None) for name in names)
    return next((text for text in found if isinstance(text, str)), "")


def count(tokens: object) -> int | None:
    return tokens if isinstance(tokens, int) else None
