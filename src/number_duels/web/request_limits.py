"""Rate limits, request checks, security headers, and the tokens of seats and profiles."""

from __future__ import annotations

import re
from asyncio import Semaphore
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from ipaddress import ip_address
from typing import NoReturn, TypeAlias
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.web.config import Config
from number_duels.web.errors import ApiError
from number_duels.web.network import client_of

#: How many clients to remember. A forgotten client gets a full allowance.
MAX_CLIENTS = 10_000
#: How many seats to remember. The requests of a forgotten seat count against its client.
MAX_SEATS = 10_000
#: A 429 response is delayed, and a client gets only so many per second, so that a flood of requests
#: does not keep the server busy.
REFUSAL_DELAY_S = 0.25
REFUSALS_PER_S = 200.0
MAX_REFUSAL_DELAY_S = 10.0
#: The cost of a request, by the start of its path.
COSTS = {
    "/static/": 0.25,
    "/api/catalogue": 3.0,
    "/api/me": 3.0,
    "/api/train/book": 3.0,
    "/api/train/daily": 3.0,
    # For operators. `/readyz` writes to the database, and `/metrics` takes milliseconds.
    "/healthz": 10.0,
    "/readyz": 10.0,
    "/metrics": 10.0,
}
#: Requests that may wait long, for events or the solver. They do not count as running at once.
WAITING = re.compile(
    r".*/(events|hint|review|analysis)|/api/train/(session|daily|book|book/games|book/cards/[^/]+)"
)
PROFILE_COST, CODE_COST = 5.0, 5.0
DRAIN_TIMEOUT_S = 2.0
MAX_DRAINED_BYTES = 32 * 1024 * 1024
GAME_PATHS = "/api/games/"
#: Different from every game's cookie, which starts with `duels_`.
PROFILE_COOKIE = "duels-profile"
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
#: Browsers read these only with a page.
PAGE_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def header_lines(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), text.encode()) for name, text in headers.items()]


SECURITY_LINES, PAGE_LINES = header_lines(SECURITY_HEADERS), header_lines(PAGE_HEADERS)
SECURITY_NAMES = frozenset(name for name, _ in SECURITY_LINES)

Respond: TypeAlias = Callable[[Request, ApiError], Response]


class RateLimiter:
    """A rate limit per client. It lets a burst pass, then delays requests, then refuses them.

    >>> limiter = RateLimiter(rate=2, burst=2, waiting=1)
    >>> [limiter.delay("Ann", now=now) for now in (0.0, 0.0, 0.0, 0.0, 0.5)]
    [0.0, 0.0, 0.5, None, 0.5]
    """

    def __init__(
        self, rate: float, burst: float, waiting: float = 0.0, clock: Clock = SYSTEM_CLOCK
    ) -> None:
        self.rate = rate
        self.burst = burst
        self.waiting = waiting
        self.clock = clock
        #: When each client would be done with its accepted requests at the steady rate.
        self._done: OrderedDict[str, float] = OrderedDict()

    def delay(self, client: str, cost: float = 1.0, now: float | None = None) -> float | None:
        """Count a request. Return the seconds it must wait, or None to refuse it."""
        now = self.clock.monotonic() if now is None else now
        used = max(0.0, self._done.get(client, now) - now) * self.rate + cost
        if used > self.burst + self.waiting:
            return None
        self._done[client] = now + used / self.rate
        self._done.move_to_end(client)
        if len(self._done) > MAX_CLIENTS:
            self._done.popitem(last=False)
        return max(0.0, used - self.burst) / self.rate


class RequestRates:
    """The rate limits of this process. A client's players have limits of their own."""

    def __init__(self, config: Config, clock: Clock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self.requests_at_once = config.requests_at_once
        self.requests = RateLimiter(
            config.request_rate, config.request_burst, config.waiting_requests, clock
        )
        self.expensive = RateLimiter(config.expensive_rate, config.expensive_burst, clock=clock)
        self.refusals = RateLimiter(REFUSALS_PER_S, 1, REFUSALS_PER_S * MAX_REFUSAL_DELAY_S, clock)
        self._seat_tokens: OrderedDict[str, None] = OrderedDict()
        self._turns: OrderedDict[str, Semaphore] = OrderedDict()

    def remember_seat(self, token: str) -> None:
        self._seat_tokens[token] = None
        self._seat_tokens.move_to_end(token)
        if len(self._seat_tokens) > MAX_SEATS:
            self._seat_tokens.popitem(last=False)

    def is_seat(self, token: str) -> bool:
        return token in self._seat_tokens

    def turns(self, lane: str) -> Semaphore:
        found = self._turns.setdefault(lane, Semaphore(self.requests_at_once))
        self._turns.move_to_end(lane)
        if len(self._turns) > MAX_CLIENTS:
            self._turns.popitem(last=False)
        return found

    async def admit(self, client: str, lane: str, cost: float = 1.0) -> None:
        delay = self.requests.delay(lane, cost)
        if delay is None:
            await self.refuse(client, "requests")
        if delay:
            await self.clock.sleep(delay)

    async def admit_expensive(self, client: str, what: str, cost: float = 1.0) -> None:
        if self.expensive.delay(client, cost) is None:
            await self.refuse(client, what)

    async def refuse(self, client: str, what: str) -> NoReturn:
        delay = self.refusals.delay(client)
        await self.clock.sleep(REFUSAL_DELAY_S + (MAX_REFUSAL_DELAY_S if delay is None else delay))
        raise ApiError(429, f"Too many {what}; wait a moment.", {"Retry-After": "1"})


def cost_of(path: str) -> float:
    return next((cost for start, cost in COSTS.items() if path.startswith(start)), 1.0)


class RequestLimits:
    """Middleware that checks the rate, size, host and origin of every request."""

    def __init__(self, app: ASGIApp, config: Config, rates: RequestRates, respond: Respond) -> None:
        self.app = app
        self.config = config
        self.rates = rates
        self.respond = respond
        self.names = {"localhost", *filter(None, re.split(r"[\s,]+", config.public_host.lower()))}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = secured(message["headers"], scope["path"])
            await send(message)

        try:
            lane, receive = await self.check(scope, receive)
            if WAITING.fullmatch(scope["path"]):
                await self.app(scope, receive, answer)
                return
            async with self.rates.turns(lane):
                await self.app(scope, receive, answer)
        except ApiError as error:
            await self.respond(Request(scope), error)(scope, receive, answer)

    async def check(self, scope: Scope, receive: Receive) -> tuple[str, Receive]:
        request = HTTPConnection(scope)
        client, path = client_of(request.client.host if request.client else ""), scope["path"]
        game = game_of(path)
        token = (token_of(request, game) or profile_token(request)) if game else ""
        # A client's players and its other callers are limited separately.
        lane = f"{client} seats" if self.rates.is_seat(token) else client
        await self.rates.admit(client, lane, cost_of(path))
        if scope["method"] not in ("GET", "HEAD") or request.headers.get("content-length"):
            receive = await self.whole_body(scope, receive)
        self.check_host(request)
        if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            check_origin(request.headers)
        return lane, receive

    def check_host(self, request: HTTPConnection) -> None:
        """Refuse requests whose Host header names another host, to prevent DNS rebinding."""
        hosts = request.headers.getlist("host")
        # Only HTTP/1.0 allows a request without a Host header, and no browser uses it.
        if len(hosts) != 1 and (hosts or request.scope["http_version"] != "1.0"):
            raise ApiError(400, "A request needs exactly one Host header.")
        if hosts and not self.is_ours(hosts[0]):
            raise ApiError(
                421,
                "The server does not answer to this host name; its operator can allow it with"
                " --public-host.",
            )

    def is_ours(self, host: str) -> bool:
        name, is_address = host_name(host)
        return is_address or name in self.names

    async def whole_body(self, scope: Scope, receive: Receive) -> Receive:
        """Read the whole body, and return a `receive` function that passes it to the route.

        Raise an ApiError if the body is too large or does not arrive in time.
        """
        limit = self.config.body_limit
        refusal = ApiError(
            413, f"The body is larger than {limit:,} bytes.", {"Connection": "close"}
        )
        said = Headers(scope=scope).get("content-length", "")
        announced = said.isdecimal() and int(said[:20]) > limit
        body, size, more = b"", 0, True
        try:
            limit_s = DRAIN_TIMEOUT_S if announced else self.config.wait_time
            async with self.rates.clock.timeout(limit_s):
                # A client that is still sending would see a broken connection instead of the
                # response.
                while more and size <= limit + MAX_DRAINED_BYTES:
                    message = await receive()
                    piece = message.get("body", b"")
                    size += len(piece)
                    body = body + piece if size <= limit else b""
                    more = message.get("more_body", False)
            if size > limit:
                raise refusal
        except TimeoutError:
            if announced:
                raise refusal from None
            raise ApiError(
                400, "The body did not arrive in time.", {"Connection": "close"}
            ) from None
        unread = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return unread.pop() if unread else await receive()

        return again


@lru_cache(maxsize=256)
def host_name(host: str) -> tuple[str, bool]:
    """Return the name in a Host header, and whether it is an IP address.

    >>> host_name("Example.org.:8000"), host_name("[::1]:80")
    (('example.org', False), ('[::1]', True))
    """
    name = re.sub(r":\d*$", "", host).rstrip(".").lower()
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return name, False
    return name, True


def check_origin(headers: Headers) -> None:
    """Refuse requests from other sites, unless they have an Authorization header."""
    if headers.get("authorization"):
        return
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    foreign = origin is not None and place_of(origin) != headers.get("host", "")
    if foreign or site not in (None, "same-origin", "none"):
        raise ApiError(403, "Requests from other sites are not allowed.")


def place_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def token_of(request: HTTPConnection, game: str) -> str | None:
    """Return the request's token for a game, "" without one, or None if the header is malformed."""
    header = request.headers.get("authorization")
    if header is None:
        return request.cookies.get(cookie_name(game), "")
    scheme, _, token = header.partition(" ")
    return token.strip() or None if scheme.casefold() == "bearer" else None


def cookie_name(game: str) -> str:
    return f"duels_{game}"


def profile_token(request: HTTPConnection) -> str:
    return request.cookies.get(PROFILE_COOKIE, "")


def game_of(path: str) -> str:
    return path[len(GAME_PATHS) :].partition("/")[0] if path.startswith(GAME_PATHS) else ""


def secured(headers: Iterable[tuple[bytes, bytes]], path: str) -> list[tuple[bytes, bytes]]:
    found = [header for header in headers if header[0] not in SECURITY_NAMES] + SECURITY_LINES
    if any(name == b"content-type" and kind.startswith(b"text/html") for name, kind in found):
        found += PAGE_LINES
    if not any(name == b"cache-control" for name, _ in found):
        rule = b"no-cache" if path.startswith("/static/") else b"no-store"
        found.append((b"cache-control", rule))
    return found


def error_response(error: ApiError) -> JSONResponse:
    needed = {"needs": error.needs} if error.needs else {}
    return JSONResponse({"error": error.sentence, **needed}, error.status, error.headers)
