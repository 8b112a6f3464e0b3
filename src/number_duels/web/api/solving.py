"""How far the server is with a game that somebody waits for."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from number_duels.web.api.dependencies import Service
from number_duels.web.api.problems import PROBLEMS
from number_duels.web.errors import ApiError
from number_duels.web.service import analysis

solving_api = APIRouter(prefix="/api", responses=PROBLEMS)


class SolvingFacts(BaseModel):
    """How much of a game is solved, from 0 to 1; null while it is not being solved."""

    share: float | None


@solving_api.get("/solving")
async def solving(
    service: Service,
    *,
    game: Annotated[str, Query(max_length=64)],
    first: Annotated[str | None, Query(pattern="^[12]$")] = None,
    settings: Annotated[list[str] | None, Query(alias="set", max_length=20)] = None,
) -> SolvingFacts:
    """How far the server is with solving a game."""
    asked = analysis.AnalysisRequest(game, first=first, settings=tuple(settings or ()))
    try:
        rules = analysis.game_of(asked)
    except ValueError as error:
        raise ApiError(422, str(error)) from None
    return SolvingFacts(share=service.worker.solved_share(rules))
