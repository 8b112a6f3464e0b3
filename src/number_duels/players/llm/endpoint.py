"""Errors of an endpoint, how long to retry, and how much of an answer to read.

The official client retries too, but a request of its own is in no log of calls, its pauses have no
total, and each request pauses alone. Its HTTP library has no limit on the bytes of a response.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from importlib import import_module
from random import uniform
from typing import TYPE_CHECKING, Final, Protocol

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.core.player import Forfeit, Outage
from number_duels.core.text import printable
from number_duels.players import external

if TYPE_CHECKING:
    from openai import APIError


#: How a call can end.
ANSWERED: Final = "answered"
FORCED: Final = "forced"  # not asked at all: there was one move
INTERRUPTED: Final = "interrupted"  # by the user
LATE: Final = "late"  # no whole answer in time
BUSY: Final = "busy"  # 429: too many requests
FAILING: Final = "failing"  # 5xx, or an error in the midst of an answer
CUT: Final = "cut"  # no connection, or one that was lost
GARBLED: Final = "garbled"  # something that is no chat completion
REJECTED: Final = "rejected"  # 400 and 422: something in the request is not taken
DENIED: Final = "denied"  # 401, 403, 404, …: asking again is of no use
#: What may be over after a pause.
RETRYABLE: Final = frozenset({BUSY, FAILING, CUT, GARBLED})

RETRYABLE_STATUSES: Final = frozenset({408, 409, 425})
#: Error codes that come as 429 and do not pass.
QUOTA_CODES: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
MAX_REASON_CHARS: Final = 200


class EndpointError(Exception):
    """Why an endpoint gave no answer, and how long it asks to be left alone."""

    def __init__(
        self,
        kind: str,
        reason: str,
        status: int | None = None,
        retry_after_s: float | None = None,
        *,
        silent_s: float = 0.0,
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.reason = reason
        self.status = status
        #: The pause that the endpoint asks for, if it does.
        self.retry_after_s = retry_after_s
        #: How long one waited for a sign of life.
        self.silent_s = silent_s


def endpoint_error(error: APIError, clean: Callable[[str], str], now: datetime) -> EndpointError:
    """What an error of the client means; what the endpoint says is cleaned first."""
    from openai import APIConnectionError, APIStatusError

    said = one_line(clean(words(error)))
    if isinstance(error.__cause__, BadResponse):  # which older versions of the client wrap
        return EndpointError(GARBLED, str(error.__cause__))
    if isinstance(error, APIConnectionError):
        return EndpointError(CUT, "there is no connection, or it was lost")
    if not isinstance(error, APIStatusError):
        return EndpointError(FAILING, f"it broke off with an error ({said})")
    status = error.status_code
    return EndpointError(
        kind(status, error.code),
        f"it answered with status {status} ({said})",
        status,
        retry_after_s(error.response.headers, now),
    )


def kind(status: int, code: str | None) -> str:
    """What an HTTP status means for another try.

    >>> [kind(status, None) for status in (400, 401, 404, 429, 500, 503)]
    ['rejected', 'denied', 'denied', 'busy', 'failing', 'failing']
    """
    if status in (400, 422):
        return REJECTED
    if status == 429:
        return DENIED if code in QUOTA_CODES else BUSY
    return FAILING if status >= 500 or status in RETRYABLE_STATUSES else DENIED


def words(error: APIError) -> str:
    """What an endpoint says of an error: its message, and the parameter that it names."""
    if isinstance(error.body, dict):
        said = error.body.get("message") or error.body.get("detail")
        param = error.body.get("param")
        return " ".join(str(part) for part in (said, param and f"[{param}]") if part)
    return str(error.body or error.message)


def one_line(text: str) -> str:
    r"""A text of the endpoint's in one line that is safe to show.

    >>> one_line("no\nsuch model")
    'no such model'
    """
    return printable(" ".join(text.split()), MAX_REASON_CHARS)


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """The seconds that `Retry-After` asks for, as a number or as a date.

    >>> retry_after_s({"retry-after": "1.5"}, datetime(2026, 1, 5))
    1.5
    """
    milliseconds, seconds = headers.get("retry-after-ms"), headers.get("retry-after", "")
    try:
        pause = float(milliseconds) / 1000 if milliseconds else float(seconds)
    except ValueError:
        try:
            pause = (parsedate_to_datetime(seconds) - now).total_seconds()
        except (ValueError, TypeError):  # no date either, or one without a zone
            return None
    return max(0.0, pause) if math.isfinite(pause) else None


# ---- when it may be asked --------------------------------------------------------


#: Requests that waited together go on within this time, not in one moment.
SPREAD_S: Final = 0.25


class Gate:
    """The requests to one endpoint, held back together."""

    def __init__(self, place: str, clock: Clock = SYSTEM_CLOCK) -> None:
        self.place = place
        self.clock = clock
        self.closed_until = 0.0
        #: When the endpoint answered last; 0: never.
        self.answered_at = 0.0

    def hold(self, seconds: float) -> None:
        """Let nobody through for some time."""
        self.closed_until = max(self.closed_until, self.clock.monotonic() + seconds)

    def answered(self) -> None:
        self.answered_at = self.clock.monotonic()

    async def passed(self) -> None:
        """Wait until the endpoint may be asked."""
        while (left := self.closed_until - self.clock.monotonic()) > 0:
            await self.clock.sleep(left + uniform(0, SPREAD_S * min(1.0, left)))


#: The gates of this process.
GATES: Final[dict[tuple[str, Clock], Gate]] = {}


def gate_of(place: str, clock: Clock = SYSTEM_CLOCK) -> Gate:
    """The gate of an endpoint, one for the whole process."""
    return GATES.setdefault((place, clock), Gate(place, clock))


# ---- how long it is asked again --------------------------------------------------


#: Patience with an endpoint that has never answered at all: its address may be wrong.
FIRST_CONTACT_BUDGET_S: Final = 5.0
#: Each pause is twice the one before.
FIRST_PAUSE_S: Final = 0.5
MAX_PAUSE_S: Final = 20.0


class RetryBudget:
    """Pauses before a failing endpoint is asked again: each longer, up to a total."""

    def __init__(self, gate: Gate, seconds: float) -> None:
        """The seconds are all the time for an endpoint to recover, from its first error on."""
        self.gate = gate
        self.clock = gate.clock
        self.seconds = seconds
        self.began: float | None = None
        self.pause = FIRST_PAUSE_S

    async def wait(self, error: EndpointError) -> None:
        """Wait until it may be asked again; Forfeit or Outage when it may not."""
        if error.kind == LATE:
            raise Forfeit(external.LATE, error.reason)
        if self.began is None:
            self.began = self.clock.monotonic() - error.silent_s
        what = f"the endpoint {self.gate.place} gives no answer: {error.reason}"
        if error.kind not in RETRYABLE:
            raise Outage(what)
        # Jitter, so that players who failed together do not all retry together.
        pause = max(error.retry_after_s or 0.0, self.pause * uniform(0.75, 1.25))
        if self.spent(error) + pause > self.limit(error):
            raise Outage(f"{what}, and patience ends ({self.limit(error):g} seconds)")
        if error.kind == BUSY or error.retry_after_s is not None:
            self.gate.hold(pause)  # what it asks of one, it asks of all
        else:
            await self.clock.sleep(pause)
        self.pause = min(2 * self.pause, MAX_PAUSE_S)

    def spent(self, error: EndpointError) -> float:
        """How long there was no answer; one that is busy may be busy with answers to others."""
        busy = error.kind == BUSY
        return self.clock.monotonic() - max(
            self.began or 0.0, self.gate.answered_at if busy else 0.0
        )

    def limit(self, error: EndpointError) -> float:
        known = self.gate.answered_at or error.status is not None
        return min(math.inf if known else FIRST_CONTACT_BUDGET_S, self.seconds)


# ---- how much is read ------------------------------------------------------------


#: One event of a stream, or a whole response that is none: an answer is a few words.
MAX_EVENT_BYTES: Final = 1_000_000
#: A whole stream, whose every letter may be an event of its own.
MAX_STREAM_BYTES: Final = 50_000_000
#: A line of an event counts as so many bytes more: the client copies the event for each.
LINE_BYTES: Final = 200
EVENT_ENDS: Final = (b"\n\n", b"\r\r", b"\r\n\r\n")


class BadResponse(Exception):
    """A response that is not read on, and why."""


class ByteStream(Protocol):
    def __aiter__(self) -> AsyncIterator[bytes]: ...

    async def aclose(self) -> None: ...


class Response(Protocol):
    """What is used of a response of the client's HTTP library."""

    stream: ByteStream

    @property
    def headers(self) -> Mapping[str, str]: ...


async def limit_bytes(response: Response) -> None:
    """Have a response counted while it arrives; called by the client before it reads a body."""
    if response.headers.get("content-encoding", "identity") != "identity":
        # A few bytes may become any number.
        raise BadResponse("what came back is compressed, which was not asked for")
    # The client takes only streams of its own HTTP library, which is another since version 3.
    library = import_module(type(response).__module__.partition(".")[0])
    base: type = library.AsyncByteStream
    source = response.stream

    async def pieces(_: object) -> AsyncIterator[bytes]:
        total = event = 0
        async for piece in source:
            total += len(piece)
            ended = any(end in piece for end in EVENT_ENDS)
            event = 0 if ended else event + len(piece) + LINE_BYTES * piece.count(b"\n")
            if event > MAX_EVENT_BYTES or total > MAX_STREAM_BYTES:
                raise BadResponse("what came back is longer than any answer")
            yield piece

    async def close(_: object) -> None:
        await source.aclose()

    response.stream = type("LimitedStream", (base,), {"__aiter__": pieces, "aclose": close})()
