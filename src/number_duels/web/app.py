"""The application: pages, interface, guard, and how every error is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from sqlalchemy.exc import DBAPIError
from starlette.exceptions import HTTPException

from number_duels import __version__
from number_duels.games import names
from number_duels.web.announcer import Announcer
from number_duels.web.config import Config
from number_duels.web.errors import Refusal
from number_duels.web.guard import Guard, refused
from number_duels.web.house import House
from number_duels.web.routes import api
from number_duels.web.schemas import Health
from number_duels.web.store import Store

STATIC = Path(__file__).parent / "static"
SENTENCES = {404: "There is nothing at this address.", 405: "This address is not used that way."}
DESCRIPTION = """\
Play the games by program. Who starts or joins a game gets a token, which is sent
as `Authorization: Bearer TOKEN`; without one the caller is a spectator."""


def build(url: str, config: Config) -> FastAPI:
    """The application on a database."""
    house = House(Store(url), config, Announcer())

    @asynccontextmanager
    async def open_hours(_: FastAPI) -> AsyncIterator[None]:
        await house.open()
        yield
        await house.close()

    app = FastAPI(
        title="Number Duels",
        version=__version__,
        description=DESCRIPTION,
        openapi_url="/api",
        # Their pages load scripts from another host.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=open_hours,
    )
    app.state.house = house
    app.add_middleware(Guard, config=config)
    app.include_router(api)
    add_pages(app)
    add_errors(app)
    return app


def add_pages(app: FastAPI) -> None:
    """The pages, which ask the interface for everything that they show."""

    @app.get("/healthz")
    async def healthz(request: Request) -> Health:
        """Whether the server and its store answer."""
        await request.app.state.house.store.alive()
        return Health(ok=True)

    def page(file: str, status: int = 200) -> FileResponse:
        return FileResponse(STATIC / file, status, media_type="text/html; charset=utf-8")

    @app.get("/", include_in_schema=False)
    def front() -> FileResponse:
        return page("index.html")

    @app.get("/play/{id}", include_in_schema=False)
    def table(id: str) -> FileResponse:  # noqa: A002, ARG001 (the page reads its own address)
        return page("play.html")

    @app.get("/rules/{game}", include_in_schema=False)
    def rules(game: str) -> FileResponse:
        return page("rules.html", 200 if game in names() else 404)

    @app.get("/analysis/{game}", include_in_schema=False)
    def analysis(game: str) -> FileResponse:
        return page("analysis.html", 200 if game in names() else 404)

    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False), name="static")


def add_errors(app: FastAPI) -> None:
    """Every error is one sentence."""

    @app.exception_handler(Refusal)
    async def refusal(_: Request, error: Refusal) -> JSONResponse:
        return refused(error)

    @app.exception_handler(RequestValidationError)
    async def misfit(_: Request, error: RequestValidationError) -> JSONResponse:
        problem = error.errors()[0]
        if problem["type"] == "json_invalid":
            return refused(Refusal(400, "The body is not JSON."))
        where = ".".join(str(part) for part in problem["loc"][1:])
        what = str(problem["msg"]).rstrip(".")
        return refused(Refusal(422, f"{where}: {what}." if where else f"{what}."))

    @app.exception_handler(HTTPException)
    async def other(_: Request, error: HTTPException) -> JSONResponse:
        sentence = SENTENCES.get(error.status_code, f"{str(error.detail).rstrip('.')}.")
        return refused(Refusal(error.status_code, sentence, error.headers))

    @app.exception_handler(DBAPIError)
    async def away(_: Request, __: DBAPIError) -> JSONResponse:
        return refused(Refusal(503, "The database does not answer; try again in a moment."))

    @app.exception_handler(Exception)
    async def unforeseen(_: Request, __: Exception) -> JSONResponse:
        return refused(Refusal(500, "This should not have happened; please report it."))
