"""HTML pages and static files. The pages load their data from the API."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from string import Template
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse, Response

from number_duels.games import load, names
from number_duels.players.registry import BUILT_IN, KINDS, full_name
from number_duels.trainer.puzzles import daily, read_day
from number_duels.web.api.models import ReleaseFacts
from number_duels.web.assets import Asset, Assets, Release, compress, send
from number_duels.web.db.stored_game import StoredGame
from number_duels.web.errors import ApiError, refused
from number_duels.web.service.games import GameService

NAVIGATION = (
    ("/", "Play", ("start_page",)),
    ("/train", "Train", ("train", "daily")),
    ("/rules", "Rules", ("rules",)),
    ("/record", "Record", ("statistics_page",)),
)
LOADING = '<p class="quiet-text">Loading…</p>'
CURRENT = ' aria-current="page"'
OK = 200
CHALLENGE = "Can you do better from here?"
ALL_GAMES = '<p><a class="button primary" href="/">All games</a></p>'
IMAGE = "preview.png"
IMAGE_SIZE = (1200, 630)
FOR_PROGRAMS = ("/api", "/static/", "/healthz", "/readyz", "/metrics")


@dataclass(frozen=True)
class Page:
    """The contents of a page. Its script and stylesheet are named after the page."""

    name: str
    title: str
    description: str
    #: API paths that the browser loads together with the script.
    data: tuple[str, ...] = ()
    told: str = ""
    main: str = LOADING
    status: int = OK


@cache
def front() -> str:
    """Return the content of the front page, with empty elements for the script to fill."""
    loaded = [load(name) for name in names()]
    entries = "".join(
        f'<li class="game"><div class="preview"></div><h3>{game.title}</h3>'
        f'<p class="summary">{escape(game.summary)}</p>'
        f'<p class="row"><a class="button" href="#play/{game.name}">Play now</a>'
        f'<a class="button with-server" href="#{game.name}">With a friend</a></p>'
        f'<p class="row more"><a href="/rules/{game.name}">Rules</a>'
        f'<a href="/analysis/{game.name}">Analysis</a></p></li>'
        for game in loaded
    )
    first = loaded[0]
    computers = [full_name(who).removeprefix("Level ") for who in KINDS if who in BUILT_IN]
    levels = "".join(f"<label><span>{name}</span></label>" for name in computers)
    return (
        '<div class="own running-place"></div><div class="hero"><section class="invite">'
        "<h1>Small numbers, sharp duels</h1>"
        '<p class="lead">Two players, a few numbers, a few minutes. Play the computer, '
        'from easy to perfect<span class="with-server">, or send a friend a link</span>.</p>'
        f'<p class="featured"><strong>{first.title}</strong> {escape(first.summary)}</p>'
        '<p class="row"><a class="button primary first" href="#play">Play the computer</a>'
        f'<a class="button first with-server" href="#{first.name}">Play a friend</a></p>'
        f'<fieldset class="levels"><legend>The computer&rsquo;s level</legend><div>{levels}</div>'
        '<p class="note">&nbsp;</p></fieldset>'
        '<p><a href="#games-title">Choose another game</a></p></section>'
        '<section class="daily-card"><header><h2>Daily puzzle</h2></header>'
        '<p class="question">Today&rsquo;s puzzle is being set up…</p></section></div>'
        f'<section><h2 id="games-title">The games</h2><ul class="games">{entries}</ul></section>'
    )


START_PAGE = Page(
    "start_page",
    "Number Duels",
    "Short number games for two, in the browser: play a friend or the computer.",
    data=("/api/catalogue", "/api/me", "/api/train/daily"),
)
RECORD = Page(
    "statistics_page",
    "My record \N{EN DASH} Number Duels",
    "Your results, and what your mistakes cost.",
    data=("/api/me/statistics",),
)
TRAIN = Page(
    "train",
    "Train \N{EN DASH} Number Duels",
    "Drills, puzzles and lessons, with exact feedback, and a book of your mistakes.",
    data=("/api/catalogue",),
)


def write_page(page: Page, release: Release, preview: Iterable[str] = ()) -> str:
    return Template(release.template).substitute(
        name=page.name,
        title=escape(page.title),
        description=escape(page.description),
        release=release.name,
        static=release.address("")[:-1],
        head="\n    ".join([*links(page, release), *preview]),
        nav="".join(
            f'<a class="button quiet" href="{path}"{CURRENT * (page.name in within)}>{label}</a>'
            for path, label, within in NAVIGATION
        ),
        main=page.main,
    )


def links(page: Page, release: Release) -> Iterable[str]:
    # The browser loads all files and data before any script runs.
    icon, font = release.address("favicon.svg"), release.address("fonts/inter-latin.woff2")
    yield f'<link rel="icon" href="{icon}" type="image/svg+xml">'
    yield f'<link rel="apple-touch-icon" href="{release.address("icon-180.png")}">'
    yield f'<link rel="manifest" href="{release.address("manifest.webmanifest")}">'
    yield f'<link rel="preload" href="{font}" as="font" type="font/woff2" crossorigin>'
    if style := release.style(page.name):
        yield f'<link rel="stylesheet" href="{release.address(style)}">'
    for address in page.data:
        yield f'<link rel="preload" href="{escape(address)}" as="fetch" crossorigin>'
    if script := release.script(page.name):
        yield f'<script type="module" src="{release.address(script)}"></script>'


def wants_page(request: Request) -> bool:
    reads_html = "text/html" in request.headers.get("accept", "")
    return reads_html and not request.url.path.startswith(FOR_PROGRAMS)


def error_page(status: int, sentence: str) -> Page:
    heading = "Nothing here" if status == 404 else "This did not work"
    digits = "".join(f"<b>{digit}</b>" for digit in str(status))
    shown = f'<div class="digits" aria-hidden="true">{digits}</div>'
    main = f"{shown}<h1>{heading}</h1><p>{escape(sentence)}</p>{ALL_GAMES}"
    return Page("error", f"{heading} \N{EN DASH} Number Duels", sentence, main=main, status=status)


def send_page(request: Request, page: Page) -> Response:
    release = current_release(request)
    image = whole_address(request, release.address(IMAGE))
    preview = preview_tags(page, str(request.url), image) if page.status == OK else ()
    body = write_page(page, release, preview).encode()
    return send(request, Asset(body, "text/html", compress(body)), "no-store", page.status)


def add_pages(app: FastAPI) -> None:
    service: GameService = app.state.service

    @app.get("/", include_in_schema=False)
    async def start_page(request: Request) -> Response:
        return send_page(request, replace(START_PAGE, main=front()))

    @app.get("/record", include_in_schema=False)
    async def record(request: Request) -> Response:
        return send_page(request, RECORD)

    @app.get("/train", include_in_schema=False)
    async def train(request: Request, game: str = "", spot: str = "") -> Response:
        if not spot or game not in names():
            return send_page(request, TRAIN)
        asked = f"A position from {load(game).title}. Find a better move than the one played."
        return send_page(request, replace(TRAIN, description=asked, told=CHALLENGE))

    @app.get("/daily/{day}", include_in_schema=False)
    async def daily_puzzle(request: Request, day: str) -> Response:
        with refused(404):
            puzzle = daily(read_day(day, service.clock.now()))
        title = load(puzzle.game).title
        page = Page(
            "daily",
            f"Daily puzzle for {day} \N{EN DASH} Number Duels",
            f"{title} {puzzle.stars}. Everybody has three tries.",
            data=(f"/api/train/daily?day={day}",),
            told=f"Can you solve the puzzle for {day}?",
        )
        return send_page(request, page)

    @app.get("/play/{id}", include_in_schema=False)
    async def table(request: Request, id: str) -> Response:  # noqa: A002 (as in the interface)
        session = await service.find(id)
        game = session.stored.game
        page = Page(
            "table",
            f"{game.title} \N{EN DASH} Number Duels",
            game.summary,
            data=(f"/api/games/{quote(id)}",),
            told=preview_title(session.stored),
        )
        return send_page(request, page)

    @app.get("/rules", include_in_schema=False)
    async def all_rules() -> Response:
        return RedirectResponse(f"/rules/{names()[0]}")

    @app.get("/rules/{game}", include_in_schema=False)
    async def rules(request: Request, game: str) -> Response:
        page = game_page(game, "rules", "the rules", "The rules of {title}.")
        return send_page(request, page)

    @app.get("/analysis/{game}", include_in_schema=False)
    async def analysis(request: Request, game: str) -> Response:
        description = "The winning chance of every move in a position of {title}."
        return send_page(request, game_page(game, "analysis", "analysis", description))


def whole_address(request: Request, path: str) -> str:
    return str(request.url.replace(path=path, query=""))


def current_release(request: Request) -> Release:
    assets: Assets = request.app.state.assets
    return assets.release


def game_page(game: str, name: str, what: str, description: str) -> Page:
    if game not in names():
        raise ApiError(404, f"There is no game called {game}; choose one of {', '.join(names())}.")
    title = load(game).title
    heading = f"{title}: {what} \N{EN DASH} Number Duels"
    return Page(name, heading, description.format(title=title), data=("/api/catalogue",))


def add_assets(app: FastAPI) -> None:
    assets = app.state.assets = Assets()

    @app.get("/static/{path:path}", include_in_schema=False)
    async def static(request: Request, path: str) -> Response:
        found = assets.find(path)
        if found is None:
            raise ApiError(404, "There is nothing at this address.")
        return send(request, *found)

    @app.get("/api/release")
    async def release() -> ReleaseFacts:
        """Return the release name of the pages. If it changes, the server was upgraded."""
        return ReleaseFacts(release=assets.release.name)


def preview_tags(page: Page, address: str, image: str) -> tuple[str, ...]:
    # Previews need absolute URLs.
    facts = {
        "og:type": "website",
        "og:site_name": "Number Duels",
        "og:title": page.told or page.title,
        "og:description": page.description,
        "og:url": address,
        "og:image": image,
        "og:image:width": str(IMAGE_SIZE[0]),
        "og:image:height": str(IMAGE_SIZE[1]),
        "og:image:alt": "Number Duels: small number games for two",
    }
    tags = [f'<meta property="{name}" content="{escape(text)}">' for name, text in facts.items()]
    return *tags, '<meta name="twitter:card" content="summary_large_image">'


def preview_title(stored: StoredGame) -> str:
    title = stored.game.title
    seated = [holder.name for holder in stored.seats if holder.seated]
    if len(seated) == 1 and not stored.over:
        return f"{seated[0]} invites you to {title}"
    return f"{' against '.join(stored.names)}: {title}"
