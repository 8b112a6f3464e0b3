"""Why an endpoint brought no answer, and whether it is worth another try."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

from number_duels.core.text import printable
from number_duels.players.llm.byte_limit import Compressed

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
    if isinstance(error.__cause__, Compressed):  # which older versions of the client wrap
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
