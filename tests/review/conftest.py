"""The solution of every game at a small setting."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.review.position import AnySolution
from tests.review.positions import SMALL


@pytest.fixture(scope="session", params=nd.games())
def solution(request: pytest.FixtureRequest) -> AnySolution:
    found: AnySolution = nd.solve(nd.load(request.param, **SMALL.get(request.param, {})))
    return found
