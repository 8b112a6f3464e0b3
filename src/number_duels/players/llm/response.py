"""A reply as it comes in from an endpoint, streamed or whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from number_duels.core.input_files import parse_json
from number_duels.players.llm.byte_limit import TooManyBytes
from number_duels.players.llm.errors import CUT, FAILING, GARBLED, EndpointError, one_line
from number_duels.players.llm.parsing import STOPPED, TOO_LONG, Reply

if TYPE_CHECKING:
    from openai import AsyncStream
    from openai.types.chat import ChatCompletion, ChatCompletionChunk

    Incoming = AsyncStream[ChatCompletionChunk]

#: An answer is a few words; with its reasoning it may be a book, and then it is cut off.
MAX_REPLY_CHARS: Final = 100_000


async def read_reply(stream: Incoming, clean: Callable[[str], str]) -> Reply:
    """Read a response to its end; EndpointError says why it is no reply."""
    from openai import APIError

    builder = ReplyBuilder(clean)
    try:
        kind = stream.response.headers.get("content-type", "")
        if "json" in kind or "html" in kind:  # a page is no answer, and is found to be none
            await builder.whole(stream)
        else:
            await builder.pieces(stream)
        return builder.reply()
    except (APIError, EndpointError):
        raise
    except TooManyBytes:
        builder.ending = TOO_LONG
        return builder.reply()
    except (
        ValueError,
        TypeError,
        AttributeError,
        RecursionError,
    ):  # whatever one stumbles over in foreign data
        raise EndpointError(GARBLED, "what came back is no chat completion") from None
    except Exception:  # before version 3 the client lets errors of its HTTP library through
        raise EndpointError(CUT, "the connection was lost") from None


class ReplyBuilder:
    """The reply as far as it has come."""

    def __init__(self, clean: Callable[[str], str]) -> None:
        self.clean = clean
        self.text = self.refusal = self.reasoning = self.ending = ""
        self.called_tools = False
        self.tokens: tuple[int | None, int | None, int | None] = (None, None, None)
        self.served: str | None = None

    async def pieces(self, stream: Incoming) -> None:
        """Read a stream to its end, unless it is far too long."""
        async for chunk in stream:
            self.take(chunk)
            if len(self.text) > MAX_REPLY_CHARS:
                self.ending = TOO_LONG
                return
        if not self.ending:  # a connection that is closed too early looks like an end
            raise EndpointError(CUT, "the answer broke off")

    async def whole(self, stream: Incoming) -> None:
        """Read the response of an endpoint that does not stream."""
        from openai.types.chat import ChatCompletion

        body = bytearray()
        async for piece in stream.response.aiter_bytes():
            body += piece
        value = parse_json(bytes(body))
        if not isinstance(value, dict):
            raise ValueError("no object")
        if value.get("error"):
            said = one_line(self.clean(str(value["error"])))
            raise EndpointError(FAILING, f"it answered with an error ({said})")
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
    """What a model thinks beside its answer, under either of the names in use."""
    names = ("reasoning_content", "reasoning")
    found = (getattr(said, name, None) for name in names)
    return next((text for text in found if isinstance(text, str)), "")


def count(tokens: object) -> int | None:
    return tokens if isinstance(tokens, int) else None
