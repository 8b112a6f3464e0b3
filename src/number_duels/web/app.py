"""The FastAPI application: routes, middleware and error handlers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from logging import getLogger

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from prometheus_client import CONTENT_TYPE_LATEST
from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from number_duels import __version__
from number_duels.core.bug_reports import unforeseen
from number_duels.core.clock import SYSTEM_CLOCK, Clock
from number_duels.solvers.errors import Unsolvable
from number_duels.web.api.events import streams
from number_duels.web.api.games import games
from number_duels.web.api.models import Health, Problem
from number_duels.web.api.profiles import me
from number_duels.web.api.training import train
from number_duels.web.api.validation import misfit_sentence
from number_duels.web.config import Config
from number_duels.web.db.engine import STATEMENT_ERRORS
from number_duels.web.db.notify import Notifier, PostgresNotifier
from number_duels.web.db.repository import GameRepository
from number_duels.web.errors import ApiError, DatabaseUnavailable
from number_duels.web.pages import add_assets, add_pages, error_page, send_page, wants_page
from number_duels.web.request_limits import (
    SECURITY_HEADERS,
    RequestLimits,
    RequestRates,
    error_response,
)
from number_duels.web.service.games import GameService
from number_duels.web.service.profiles import ProfileService
from number_duels.web.service.training import TrainingService
from number_duels.web.service.worker import SolverWorker
from number_duels.web.telemetry import Telemetry

log = getLogger(__name__)

SENTENCES = {
    404: "There is nothing at this address.",
    405: "This address does not accept this HTTP method.",
}
DESCRIPTION = """\
Play the games from a program. Starting or joining a game returns a token. Send it as
`Authorization: Bearer TOKEN`. Callers without a token are spectators."""


def build(
    url: str | URL,
    config: Config,
    clock: Clock = SYSTEM_CLOCK,
    make_worker: Callable[[Config, Clock], SolverWorker] = SolverWorker,
) -> FastAPI:
    repository = GameRepository(url, config, clock)
    notifier = PostgresNotifier(repository) if repository.shared else Notifier()
    service = GameService(repository, config, notifier, make_worker)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await service.open()
        yield
        await service.close()

    app = FastAPI(
        title="Number Duels",
        version=__version__,
        description=DESCRIPTION,
        openapi_url="/api",
        # These pages would load scripts from another host.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.service = service
    app.state.profiles = ProfileService(service)
    app.state.training = TrainingService(service, app.state.profiles)
    app.state.rates = RequestRates(config, clock)
    app.add_middleware(RequestLimits, config=config, rates=app.state.rates, respond=answer)
    app.add_middleware(Telemetry, metrics=service.metrics, clock=clock)
    app.add_middleware(HeadAsGet)
    for router in (games, streams, me, train):
        app.include_router(router)
    add_probes(app)
    add_assets(app)
    add_pages(app)
    add_errors(app)
    return app


class HeadAsGet:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope = {**scope, "method": "GET", "state": {**scope.get("state", {}), "head": True}}
        await self.app(scope, receive, send)


def add_probes(app: FastAPI) -> None:
    service: GameService = app.state.service

    @app.get("/healthz")
    async def healthz() -> Health:
        """Check that the server is running."""
        return Health(ok=True)

    @app.get("/readyz", responses={503: {"model": Problem, "description": "Not now."}})
    async def readyz() -> Health:
        """Check that the server, its database and its computer players are ready."""
        reason = await service.unready_reason()
        if reason is not None:
            raise ApiError(503, reason, {"Retry-After": "1"})
        return Health(ok=True)

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        return Response(service.metrics.text(), media_type=CONTENT_TYPE_LATEST)


def answer(request: Request, error: ApiError) -> Response:
    if not wants_page(request):
        return error_response(error)
    response = send_page(request, error_page(error.status, error.sentence))
    response.headers.update(error.headers)
    return response


def add_errors(app: FastAPI) -> None:
    @app.exception_handler(ApiError)
    async def refusal(request: Request, error: ApiError) -> Response:
        return answer(request, error)

    @app.exception_handler(RequestValidationError)
    async def misfit(request: Request, error: RequestValidationError) -> Response:
        problem = error.errors()[0]
        if problem["type"] == "json_invalid":
            return answer(request, ApiError(400, "The body is not JSON."))
        return answer(request, ApiError(422, misfit_sentence(problem)))

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        sentence = SENTENCES.get(error.status_code, f"{str(error.detail).rstrip('.')}.")
        return answer(request, ApiError(error.status_code, sentence, error.headers))

    @app.exception_handler(Unsolvable)
    async def overworked(request: Request, error: Unsolvable) -> Response:
        return answer(request, ApiError(503, str(error), {"Retry-After": "1"}))

    @app.exception_handler(Exception)
    async def failure(request: Request, __: Exception) -> Response:
        # This response bypasses the middleware that adds these headers.
        headers = {**SECURITY_HEADERS, "Cache-Control": "no-store"}
        sentence = unforeseen(where="to the operator of this server")
        return answer(request, ApiError(500, sentence, headers))

    async def away(request: Request, error: Exception) -> Response:
        service: GameService = request.app.state.service
        if isinstance(error, STATEMENT_ERRORS):
            # The database's message may quote private values, so it is not logged.
            log.error("The database rejected a statement: %s", type(error).__name__)
            return await failure(request, error)
        service.metrics.errors.labels("database").inc()
        log.warning("The database does not answer: %s", error)
        sentence = "The database does not answer; try again in a moment."
        return answer(request, ApiError(503, sentence, {"Retry-After": "1"}))

    app.add_exception_handler(DatabaseUnavailable, away)
    app.add_exception_handler(SQLAlchemyError, away)
