"""The solution of some games, or in the long run of all, at a small setting."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.review.position import AnySolution
from tests.review.positions import SMALL
from tests.some_games import SOME_GAMES


@pytest.fixture(scope="session", params=SOME_GAMES)
def solution(request: pytest.FixtureRequest) -> AnySolution:
    found: AnySolution = nd.solve(nd.load(request.param, **SMALL.get(request.param, {})))
    return found
