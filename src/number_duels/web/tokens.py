"""Where a request has its token: in a header, or in a cookie of its game or of a profile."""

from __future__ import annotations

from starlette.requests import HTTPConnection

GAME_PATHS = "/api/games/"
#: No game's cookie can have this name.
PROFILE_COOKIE = "duels-profile"


def token_of(request: HTTPConnection, game: str) -> str | None:
    """The token that a request brings to a game; empty if none, None if it cannot be read."""
    header = request.headers.get("authorization")
    if header is None:
        return request.cookies.get(cookie_name(game), "")
    scheme, _, token = header.partition(" ")
    return token.strip() or None if scheme.casefold() == "bearer" else None


def cookie_name(game: str) -> str:
    return f"duels_{game}"


def profile_token(request: HTTPConnection) -> str:
    """The token of the browser's profile; empty if it has none."""
    return request.cookies.get(PROFILE_COOKIE, "")


def game_of(path: str) -> str:
    """The game that an address is about; empty if it is about none.

    >>> game_of("/api/games/abc/moves"), game_of("/api/games")
    ('abc', '')
    """
    return path[len(GAME_PATHS) :].partition("/")[0] if path.startswith(GAME_PATHS) else ""
