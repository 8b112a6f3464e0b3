"""The application: pages, interface, guard, and how every error is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from logging import getLogger
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from number_duels import __version__
from number_duels.games import names
from number_duels.web.api.models import Health, Problem
from number_duels.web.api.routes import api
from number_duels.web.config import Config
from number_duels.web.db.announcer import Announcer
from number_duels.web.db.engine import ANSWERED
from number_duels.web.db.postgres_notify import SharedAnnouncer
from number_duels.web.db.repository import Store
from number_duels.web.errors import Away, Refusal
from number_duels.web.middleware.limits import Guard, refused
from number_duels.web.middleware.telemetry import Observer
from number_duels.web.service.games import House

log = getLogger(__name__)

STATIC = Path(__file__).parent / "static"
SENTENCES = {404: "There is nothing at this address.", 405: "This address is not used that way."}
DESCRIPTION = """\
Play the games by program. Who starts or joins a game gets a token, which is sent
as `Authorization: Bearer TOKEN`; without one the caller is a spectator."""


def build(url: str, config: Config) -> FastAPI:
    """The application on a database."""
    store = Store(url, config)
    house = House(store, config, SharedAnnouncer(store) if store.shared else Announcer())

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
    app.add_middleware(Observer, metrics=house.metrics)
    app.include_router(api)
    add_probes(app)
    add_pages(app)
    add_errors(app)
    return app


def add_probes(app: FastAPI) -> None:
    """What those who run the server ask it."""
    house: House = app.state.house

    @app.get("/healthz")
    async def healthz() -> Health:
        """Whether the server answers; if not, it wants to be started again."""
        return Health(ok=True)

    @app.get("/readyz", responses={503: {"model": Problem, "description": "Not now."}})
    async def readyz() -> Health:
        """Whether people may be sent here: the store answers, and the server is not stopping."""
        reason = await house.ready()
        if reason is not None:
            raise Refusal(503, reason, {"Retry-After": "1"})
        return Health(ok=True)

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return Response(house.metrics.text(), media_type=CONTENT_TYPE_LATEST)


def add_pages(app: FastAPI) -> None:
    """The pages, which ask the interface for everything that they show."""

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

    @app.exception_handler(Exception)
    async def unforeseen(_: Request, __: Exception) -> JSONResponse:
        return refused(Refusal(500, "This should not have happened; please report it."))

    async def away(request: Request, error: Exception) -> JSONResponse:
        house: House = request.app.state.house
        if isinstance(error, ANSWERED):
            # What the database says of our own mistakes may quote what was to be written.
            log.error("The database refused something: %s", type(error).__name__)
            return await unforeseen(request, error)
        house.metrics.errors.labels("database").inc()
        log.warning("The database does not answer: %s", error)
        sentence = "The database does not answer; try again in a moment."
        return refused(Refusal(503, sentence, {"Retry-After": "1"}))

    app.add_exception_handler(Away, away)
    app.add_exception_handler(SQLAlchemyError, away)
