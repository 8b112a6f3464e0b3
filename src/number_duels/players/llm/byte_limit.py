"""A limit on the bytes of a response while they arrive, below everything that would keep them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from importlib import import_module
from typing import Final, Protocol

#: One event of a stream, or a whole response that is none: an answer is a few words.
MAX_EVENT_BYTES: Final = 1_000_000
#: A whole stream, whose every letter may be an event of its own.
MAX_STREAM_BYTES: Final = 50_000_000
#: Lines of one event; who puts them together takes ever longer for each.
MAX_EVENT_LINES: Final = 5000
EVENT_ENDS: Final = (b"\n\n", b"\r\r", b"\r\n\r\n")


class TooManyBytes(Exception):
    """A response that is longer than any answer."""

    def __init__(self) -> None:
        super().__init__("what came back is longer than any answer")


class Compressed(Exception):
    """A response that was packed though nobody asked for it: a few bytes may become any number."""

    def __init__(self) -> None:
        super().__init__("what came back is compressed, which was not asked for")


class ByteStream(Protocol):
    def __aiter__(self) -> AsyncIterator[bytes]: ...

    async def aclose(self) -> None: ...


class Response(Protocol):
    """What is used of a response of the client's HTTP library."""

    stream: ByteStream

    @property
    def headers(self) -> Mapping[str, str]: ...


class ByteCount:
    """How much has come, and how much of it since the last event ended."""

    def __init__(self) -> None:
        self.total = self.event = self.lines = 0
        self.tail = b""

    def add(self, piece: bytes) -> None:
        r"""Count a piece; TooManyBytes if it is too much.

        >>> count = ByteCount()
        >>> count.add(b"data: 1" + 2 * b"\n" + b"data")
        >>> count.event
        4
        """
        seen = self.tail + piece
        end = max(
            (at + len(mark) for mark in EVENT_ENDS if (at := seen.rfind(mark)) >= 0), default=-1
        )
        if end >= 0:
            self.event, self.lines = len(seen) - end, seen.count(b"\n", end)
        else:
            self.event, self.lines = self.event + len(piece), self.lines + piece.count(b"\n")
        self.total += len(piece)
        self.tail = seen[-3:]
        if (
            self.event > MAX_EVENT_BYTES
            or self.lines > MAX_EVENT_LINES
            or self.total > MAX_STREAM_BYTES
        ):
            raise TooManyBytes


async def limit_bytes(response: Response) -> None:
    """Have a response counted while it arrives; called by the client before it reads a body."""
    if response.headers.get("content-encoding", "identity") != "identity":
        raise Compressed
    response.stream = limited(response)


def limited(response: Response) -> ByteStream:
    """The response's bytes, up to the limit."""
    # The client takes only streams of its own HTTP library, which is another since version 3.
    library = import_module(type(response).__module__.partition(".")[0])
    base: type = library.AsyncByteStream
    source = response.stream

    async def pieces(_: object) -> AsyncIterator[bytes]:
        count = ByteCount()
        async for piece in source:
            count.add(piece)
            yield piece

    async def close(_: object) -> None:
        await source.aclose()

    made: ByteStream = type("LimitedStream", (base,), {"__aiter__": pieces, "aclose": close})()
    return made
