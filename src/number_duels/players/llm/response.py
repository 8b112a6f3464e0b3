"""A reply as it comes in from an endpoint, streamed or whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from number_duels.players.llm.errors import CUT, FAILING, GARBLED, Trouble, in_short
from number_duels.players.llm.parsing import STOPPED, TOO_LONG, Reply

if TYPE_CHECKING:
    from openai import AsyncStream
    from openai.types.chat import ChatCompletion, ChatCompletionChunk

    Incoming = AsyncStream[ChatCompletionChunk]

#: An answer is a few words; with thoughts it may be a book, and then it is cut off.
MOST_CHARACTERS: Final = 100_000
MOST_BYTES: Final = 10 * MOST_CHARACTERS


async def hear(stream: Incoming, clean: Callable[[str], str]) -> Reply:
    """Hear an endpoint out; Trouble says why that was no reply."""
    from openai import APIError

    hearing = Hearing(clean)
    try:
        kind = stream.response.headers.get("content-type", "")
        if "json" in kind or "html" in kind:  # a page is no answer, and is found to be none
            await hearing.whole(stream)
        else:
            await hearing.pieces(stream)
        return hearing.reply()
    except (APIError, Trouble):
        raise
    except (ValueError, TypeError, AttributeError):  # whatever one stumbles over in foreign data
        raise Trouble(GARBLED, "what came back is no chat completion") from None
    except Exception:  # before version 3 the client lets errors of its HTTP library through
        raise Trouble(CUT, "the connection was lost") from None


class Hearing:
    """What has been heard so far."""

    def __init__(self, clean: Callable[[str], str]) -> None:
        self.clean = clean
        self.text = self.refusal = self.ending = ""
        self.called_tools = False
        self.tokens: tuple[int | None, int | None] = (None, None)
        self.served: str | None = None

    async def pieces(self, stream: Incoming) -> None:
        """Hear a stream to its end, unless it is far too long."""
        async for chunk in stream:
            self.take(chunk)
            if len(self.text) > MOST_CHARACTERS:
                self.ending = TOO_LONG
                return
        if not self.ending:  # a connection that is closed too early looks like an end
            raise Trouble(CUT, "the answer broke off")

    async def whole(self, stream: Incoming) -> None:
        """Hear an endpoint that does not stream."""
        from openai.types.chat import ChatCompletion

        body = b""
        async for piece in stream.response.aiter_bytes():
            body += piece
            if len(body) > MOST_BYTES:
                self.ending = TOO_LONG
                return
        value = json.loads(body)
        if value.get("error"):
            said = in_short(self.clean(str(value["error"])))
            raise Trouble(FAILING, f"it answered with an error ({said})")
        if not isinstance(value.get("choices"), list):
            raise ValueError("no choices")
        self.take(ChatCompletion.construct(None, **value))

    def take(self, part: ChatCompletionChunk | ChatCompletion) -> None:
        """A piece of a reply, or the whole; not every endpoint sends every field."""
        for choice in getattr(part, "choices", None) or ():
            if getattr(choice, "index", 0):
                continue  # only one was asked for
            said = getattr(choice, "delta", None) or getattr(choice, "message", None)
            self.text += getattr(said, "content", None) or ""
            self.refusal += getattr(said, "refusal", None) or ""
            self.called_tools |= bool(getattr(said, "tool_calls", None))
            self.ending = getattr(choice, "finish_reason", None) or self.ending
        if usage := getattr(part, "usage", None):
            self.tokens = count(usage.prompt_tokens), count(usage.completion_tokens)
        self.served = getattr(part, "model", None) or self.served

    def reply(self) -> Reply:
        """All of it."""
        return Reply(
            self.clean(self.text[:MOST_CHARACTERS]),
            self.ending or STOPPED,
            self.clean(self.refusal),
            self.called_tools,
            *self.tokens,
            self.served and self.clean(in_short(str(self.served))),
        )


def count(tokens: object) -> int | None:
    """A number of tokens, if it is one."""
    return tokens if isinstance(tokens, int) else None
