"""Limits on requests (size, rate, origin), and the security headers of every answer."""

from __future__ import annotations

from asyncio import timeout
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from number_duels.web.config import Config
from number_duels.web.errors import ApiError
from number_duels.web.rate_limits import RateLimiter

#: For which a body that is announced as too large is read, and thrown away.
DRAIN_TIMEOUT_S = 2.0
#: How much of a body that is too large is still read.
MAX_DRAINED_BYTES = 32 * 1024 * 1024
#: What whoever runs the server may ask at any rate.
PROBES = ("/healthz", "/readyz", "/metrics")
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


class RequestLimits:
    """Lets through what is small enough, not too frequent and from our own pages."""

    def __init__(self, app: ASGIApp, config: Config) -> None:
        self.app = app
        self.config = config
        self.limiter = RateLimiter(config.client_rate, config.client_burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers[name] = value
                if "cache-control" not in headers:
                    headers["Cache-Control"] = cache_rule(scope["path"])
            await send(message)

        try:
            self.check(scope)
            if scope["method"] not in ("GET", "HEAD"):
                receive = await self.whole_body(scope, receive)
        except ApiError as error:
            await error_response(error)(scope, receive, answer)
            return
        await self.app(scope, receive, answer)

    def check(self, scope: Scope) -> None:
        """Refuse a client that asks too often, and another site's page."""
        client = scope["client"][0] if scope["client"] else ""
        free = scope["path"].startswith("/static/") or scope["path"] in PROBES
        if not free and not self.limiter.allow(client):
            raise ApiError(429, "Too many requests; wait a moment.", {"Retry-After": "1"})
        if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            check_origin(Headers(scope=scope))

    async def whole_body(self, scope: Scope, receive: Receive) -> Receive:
        """The body, read here up to its limit, to be read again by the route."""
        limit = self.config.body_limit
        refusal = ApiError(413, f"The body is over {limit:,} bytes.", {"Connection": "close"})
        said = Headers(scope=scope).get("content-length", "")
        announced = said.isdecimal() and int(said[:20]) > limit
        body, size, more = b"", 0, True
        try:
            async with timeout(DRAIN_TIMEOUT_S if announced else self.config.body_time):
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


def check_origin(headers: Headers) -> None:
    """Refuse what another site's page sends; programs say nothing of where they come from."""
    if headers.get("authorization"):
        return
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    foreign = origin is not None and urlsplit(origin).netloc != headers.get("host", "")
    if foreign or site not in (None, "same-origin", "none"):
        raise ApiError(403, "Pages of other sites cannot play here.")


def cache_rule(path: str) -> str:
    """Files are checked before they are used again; everything else is never kept."""
    return "no-cache" if path.startswith("/static/") else "no-store"


def error_response(error: ApiError) -> JSONResponse:
    return JSONResponse({"error": error.sentence}, error.status, error.headers)
