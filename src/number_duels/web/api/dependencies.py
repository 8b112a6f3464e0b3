"""What a route asks for by the type of a parameter: the service, and who asks about which game."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import Depends, Request

from number_duels.web.api.auth import Caller, find_caller, games_of
from number_duels.web.service.games import GameService
from number_duels.web.service.train_books import TrainingService

# Coroutines, though they wait for nothing: FastAPI calls a plain function in another thread.


async def service_of(request: Request) -> GameService:
    return games_of(request)


async def training_of(request: Request) -> TrainingService:
    training: TrainingService = request.app.state.training
    return training


async def now_of(request: Request) -> datetime:
    return games_of(request).clock.now()


Now = Annotated[datetime, Depends(now_of)]
Training = Annotated[TrainingService, Depends(training_of)]
Service = Annotated[GameService, Depends(service_of)]
Asked = Annotated[Caller, Depends(find_caller)]
