"""Endpoint errors, retries with a total time limit, and size limits for responses."""

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


ANSWERED: Final = "answered"
FORCED: Final = "forced"  # nothing was sent, because there was one move
INTERRUPTED: Final = "interrupted"  # by the user
LATE: Final = "late"  # no complete answer in time
BUSY: Final = "busy"  # 429: too many requests
FAILING: Final = "failing"  # 5xx, or an error within an answer
CUT: Final = "cut"  # no connection, or one that was lost
GARBLED: Final = "garbled"  # not a chat completion
REJECTED: Final = "rejected"  # 400 and 422: a part of the request is not accepted
DENIED: Final = "denied"  # 401, 403, 404, …: retrying is useless
RETRYABLE: Final = frozenset({BUSY, FAILING, CUT, GARBLED})

RETRYABLE_STATUSES: Final = frozenset({408, 409, 425})
#: Error codes that come with status 429, although a retry cannot help.
QUOTA_CODES: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
MAX_REASON_CHARS: Final = 200


class EndpointError(Exception):
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
        self.retry_after_s = retry_after_s
        #: Seconds without any sign of life before this error.
        self.silent_s = silent_s


def endpoint_error(error: APIError, clean: Callable[[str], str], now: datetime) -> EndpointError:
    """Convert an error of the client library. `clean` makes its message safe to store."""
    from openai import APIConnectionError, APIStatusError

    said = one_line(clean(words(error)))
    if isinstance(error.__cause__, BadResponse):  # older versions of the client wrap it
        return EndpointError(GARBLED, str(error.__cause__))
    if isinstance(error, APIConnectionError):
        return EndpointError(CUT, "the connection failed or was lost")
    if not isinstance(error, APIStatusError):
        return EndpointError(FAILING, f"it stopped with an error ({said})")
    status = error.status_code
    return EndpointError(
        kind(status, error.code),
        f"it returned status {status} ({said})",
        status,
        retry_after_s(error.response.headers, now),
    )


def kind(status: int, code: str | None) -> str:
    """Return the kind of error for an HTTP status and an error code.

    >>> [kind(status, None) for status in (400, 401, 404, 429, 500, 503)]
    ['rejected', 'denied', 'denied', 'busy', 'failing', 'failing']
    """
    if status in (400, 422):
        return REJECTED
    if status == 429:
        return DENIED if code in QUOTA_CODES else BUSY
    return FAILING if status >= 500 or status in RETRYABLE_STATUSES else DENIED


def words(error: APIError) -> str:
    if isinstance(error.body, dict):
        said = error.body.get("message") or error.body.get("detail")
        param = error.body.get("param")
        return " ".join(str(part) for part in (said, param and f"[{param}]") if part)
    return str(error.body or error.message)


def one_line(text: str) -> str:
    r"""Return an endpoint's text as one line that is safe to print.

    >>> one_line("no\nsuch model")
    'no such model'
    """
    return printable(" ".join(text.split()), MAX_REASON_CHARS)


def retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return how many seconds the headers ask the client to wait, or None.

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


#: Requests that waited together continue at random moments within this time.
SPREAD_S: Final = 0.25


class Gate:
    def __init__(self, place: str, clock: Clock = SYSTEM_CLOCK) -> None:
        self.place = place
        self.clock = clock
        self.closed_until = 0.0
        self.answered_at = 0.0
        #: How many answers in a row were late, and when the last one was noticed.
        self.late, self.late_at = 0, 0.0

    def hold(self, seconds: float) -> None:
        self.closed_until = max(self.closed_until, self.clock.monotonic() + seconds)

    def answered(self) -> None:
        self.answered_at = self.clock.monotonic()
        self.late = 0

    async def passed(self) -> None:
        while (left := self.closed_until - self.clock.monotonic()) > 0:
            await self.clock.sleep(left + uniform(0, spread_s(left)))


def spread_s(pause_s: float) -> float:
    return SPREAD_S * min(1.0, pause_s)


GATES: Final[dict[tuple[str, Clock], Gate]] = {}


def gate_of(place: str, clock: Clock = SYSTEM_CLOCK) -> Gate:
    return GATES.setdefault((place, clock), Gate(place, clock))


#: The limit for an endpoint that has never answered, because its address may be wrong.
FIRST_CONTACT_BUDGET_S: Final = 5.0
FIRST_PAUSE_S: Final = 0.5
MAX_PAUSE_S: Final = 20.0
#: After this many late answers in a row, stop: more games would only measure the time limit.
MAX_LATE: Final = 5


class RetryBudget:
    """The time limit for retrying a failing endpoint, with growing pauses between retries."""

    def __init__(self, gate: Gate, seconds: float) -> None:
        self.gate = gate
        self.clock = gate.clock
        self.seconds = seconds
        self.asked_at = self.clock.monotonic()
        self.began: float | None = None
        self.pause = FIRST_PAUSE_S

    async def wait(self, error: EndpointError) -> None:
        """Wait before the next retry. Raise Forfeit or Outage if a retry cannot help."""
        if error.kind == LATE:
            if self.asked_at >= self.gate.late_at:  # requests sent together are late together
                self.gate.late, self.gate.late_at = self.gate.late + 1, self.clock.monotonic()
            if self.gate.late >= MAX_LATE:
                raise Outage(
                    f"{self.gate.place} answered too late {self.gate.late} times in a row"
                    f" ({error.reason}); allow more time with --seconds."
                )
            raise Forfeit(external.LATE, error.reason)
        if self.began is None:
            self.began = self.clock.monotonic() - error.silent_s
        what = f"the endpoint {self.gate.place} failed: {error.reason}"
        if error.kind not in RETRYABLE:
            raise Outage(what)
        # Jitter, so that players that failed together do not retry together.
        pause = max(error.retry_after_s or 0.0, self.pause * uniform(0.75, 1.25))
        # All requests wait if one is asked to.
        together = error.kind == BUSY or error.retry_after_s is not None
        longest = pause + spread_s(pause) if together else pause
        if self.spent(error) + longest > self.limit(error):
            raise Outage(f"{what}; retries ended after {self.limit(error):g} seconds")
        if together:
            self.gate.hold(pause)
        else:
            await self.clock.sleep(pause)
        self.pause = min(2 * self.pause, MAX_PAUSE_S)

    def spent(self, error: EndpointError) -> float:
        """Return the seconds since the first error, or since a later answer of a busy endpoint."""
        busy = error.kind == BUSY
        return self.clock.monotonic() - max(
            self.began or 0.0, self.gate.answered_at if busy else 0.0
        )

    def limit(self, error: EndpointError) -> float:
        known = self.gate.answered_at or error.status is not None
        return min(math.inf if known else FIRST_CONTACT_BUDGET_S, self.seconds)


#: The limit for one event of a stream, or for a response that is not a stream.
MAX_EVENT_BYTES: Final = 1_000_000
#: The limit for a whole stream, in which every letter may be an event.
MAX_STREAM_BYTES: Final = 50_000_000
#: Bytes added per line of an event, because the client copies the event for each line.
LINE_BYTES: Final = 200
EVENT_ENDS: Final = (b"\n\n", b"\r\r", b"\r\n\r\n")


class BadResponse(Exception):
    """Raised to stop reading a response. The message says why."""


class ByteStream(Protocol):
    def __aiter__(self) -> AsyncIterator[bytes]: ...

    async def aclose(self) -> None: ...


class Response(Protocol):
    stream: ByteStream

    @property
    def headers(self) -> Mapping[str, str]: ...


async def limit_bytes(response: Response) -> None:
    """Limit the size of a response. The client calls this before it reads the body."""
    if response.headers.get("content-encoding", "identity") != "identity":
        # A few compressed bytes may expand to any size.
        raise BadResponse("the response is compressed, although this was not requested")
    # The client accepts only streams of its own HTTP library, which changed in version 3.
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
                raise BadResponse("the response is too long")
            yield piece

    async def close(_: object) -> None:
        await source.aclose()

    response.stream = type("LimitedStream", (base,), {"__aiter__": pieces, "aclose": close})()
