"""Limits on requests (size, rate, origin), and the security headers of every answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from ipaddress import ip_address
from typing import TypeAlias
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from number_duels.web.config import Config
from number_duels.web.errors import ApiError
from number_duels.web.rate_limits import RateLimiter, RequestRates, client_of
from number_duels.web.tokens import game_of, profile_token, token_of

#: For which a body that is announced as too large is read, and thrown away.
DRAIN_TIMEOUT_S = 2.0
#: How much of a body that is too large is still read.
MAX_DRAINED_BYTES = 32 * 1024 * 1024
#: What whoever runs the server asks; it is counted apart from what people ask.
PROBES = ("/healthz", "/readyz", "/metrics")
#: What may wait long, for news or for the solver, takes nobody's turn.
WAITING = re.compile(
    r".*/(events|hint|review|analysis)|/api/train/(session|book|book/games|book/cards/[^/]+)"
)
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
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

#: The same as they are sent.
SECURITY_LINES = [(name.lower().encode(), text.encode()) for name, text in SECURITY_HEADERS.items()]
SECURITY_NAMES = frozenset(name for name, _ in SECURITY_LINES)

#: What makes the answer of a refusal.
Respond: TypeAlias = Callable[[Request, ApiError], Response]


class RequestLimits:
    """Lets through what is small enough, not too frequent, meant for us and from our own pages."""

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
            async with self.rates.turns.turn(lane):
                await self.app(scope, receive, answer)
        except ApiError as error:
            await self.respond(Request(scope), error)(scope, receive, answer)

    async def check(self, scope: Scope, receive: Receive) -> tuple[str, Receive]:
        """Whose turn a request takes, and its body; refused if anything about it is not right."""
        request = HTTPConnection(scope)
        lane = await self.check_rate(request)
        if scope["method"] not in ("GET", "HEAD") or has_body(request.headers):
            receive = await self.whole_body(scope, receive)
        self.check_host(request)
        if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            check_origin(request.headers)
        return lane, receive

    async def check_rate(self, request: HTTPConnection) -> str:
        """Whose turn a request takes; refused, and not at once, if there are too many."""
        client = client_of(request.client.host if request.client else "")
        path: str = request.scope["path"]
        game = game_of(path)
        token = (token_of(request, game) or profile_token(request)) if game else ""
        if self.rates.is_seat(token):
            lane, enough = f"{client} seats", self.rates.allow_seat(client, token)
        else:
            lane, enough = client, self.limiter_of(path).allow(client)
        if not enough:
            await self.rates.refuse(client, "requests")
        await self.rates.admission.wait(lane)
        return lane

    def limiter_of(self, path: str) -> RateLimiter:
        """What counts the requests for an address that are no seat's."""
        if path in PROBES:
            return self.rates.probes
        return self.rates.files if path.startswith("/static/") else self.rates.clients

    def check_host(self, request: HTTPConnection) -> None:
        """Refuse a name that is not ours: another site's could be made to lead here."""
        hosts = request.headers.getlist("host")
        # Only the older protocol does without; no browser speaks it.
        if len(hosts) != 1 and (hosts or request.scope["http_version"] != "1.0"):
            raise ApiError(400, "A request has one Host header.")
        if hosts and not self.is_ours(hosts[0]):
            raise ApiError(
                421, "This server does not go by that name; whoever runs it sets --public-host."
            )

    def is_ours(self, host: str) -> bool:
        """Whether a Host header names this server."""
        name, is_address = host_name(host)
        return is_address or name in self.names

    async def whole_body(self, scope: Scope, receive: Receive) -> Receive:
        """The body, read here up to its limit, to be read again by the route."""
        limit = self.config.body_limit
        refusal = ApiError(413, f"The body is over {limit:,} bytes.", {"Connection": "close"})
        said = Headers(scope=scope).get("content-length", "")
        announced = said.isdecimal() and int(said[:20]) > limit
        body, size, more = b"", 0, True
        try:
            limit_s = DRAIN_TIMEOUT_S if announced else self.config.body_time
            async with self.rates.clock.timeout(limit_s):
                # What is too large is read to its end all the same, and thrown away: a client
                # that is still sending would see a broken connection instead of the answer.
                while more and size <= limit + MAX_DRAINED_BYTES:
                    message = await receive()
                    piece = message.get("body", b"")
                    size += len(piece)
                    body = body + piece if size <= limit else b""
                    more = message.get("more_body", False)
            if announced or size > limit:
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
    """The name in a Host header, and whether it is an address.

    >>> host_name("Example.org.:8000"), host_name("[::1]:80")
    (('example.org', False), ('[::1]', True))
    """
    name = re.sub(r":\d*$", "", host).rstrip(".").lower()
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return name, False
    return name, True


def has_body(headers: Headers) -> bool:
    """Whether a body is announced."""
    return headers.get("content-length", "0") != "0" or "transfer-encoding" in headers


def check_origin(headers: Headers) -> None:
    """Refuse what another site's page sends; programs say nothing of where they come from."""
    if headers.get("authorization"):
        return
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    foreign = origin is not None and place_of(origin) != headers.get("host", "")
    if foreign or site not in (None, "same-origin", "none"):
        raise ApiError(403, "Pages of other sites cannot play here.")


def place_of(origin: str) -> str | None:
    """The host and port of an origin; None if it is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def secured(headers: Iterable[tuple[bytes, bytes]], path: str) -> list[tuple[bytes, bytes]]:
    """The headers of an answer with those for security, and who may keep it."""
    found = [header for header in headers if header[0] not in SECURITY_NAMES] + SECURITY_LINES
    if not any(name == b"cache-control" for name, _ in found):
        found.append((b"cache-control", cache_rule(path).encode()))
    return found


def cache_rule(path: str) -> str:
    """Files are checked before they are used again; everything else is never kept."""
    return "no-cache" if path.startswith("/static/") else "no-store"


def error_response(error: ApiError) -> JSONResponse:
    return JSONResponse({"error": error.sentence}, error.status, error.headers)
