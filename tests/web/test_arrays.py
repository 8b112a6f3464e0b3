"""What pages ask about is answered from arrays, built once, if that does not take long."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import number_duels as nd
from number_duels.solvers.cache import solutions_folder
from number_duels.web.service import analysis

NAME: str = "number-bid"
GAME: nd.AnyGame = nd.load(NAME, numbers=6)
REQUEST = analysis.AnalysisRequest("number-bid", moves="3/4", settings=("numbers=6",))


pytestmark = pytest.mark.usefixtures("own_cache", "no_solution_open")


@pytest.fixture
def no_solution_open() -> Iterator[None]:
    analysis.opened.cache_clear()
    yield
    analysis.opened.cache_clear()


def test_an_analysis_lays_out_all_strategies_once() -> None:
    nd.solve(GAME)
    assert len(list(solutions_folder().iterdir())) == 1
    first = analysis.analysis(REQUEST, analysis.KEPT_ONLY)
    assert len(list(solutions_folder().iterdir())) == 1, "nobody waits for them"
    assert analysis.make_ready(GAME, 60.0)
    assert len(list(solutions_folder().iterdir())) == 2
    assert analysis.analysis(REQUEST, analysis.KEPT_ONLY)["advice"] == first["advice"]


def test_a_page_does_not_wait_for_what_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    analysis.make_ready(GAME, 60.0)
    with_arrays = analysis.analysis(REQUEST, 60.0)
    for file in solutions_folder().iterdir():
        file.unlink()
    analysis.opened.cache_clear()
    monkeypatch.setattr(analysis, "MAX_ARRAYS_SECONDS", -1.0)
    assert analysis.make_ready(GAME, 60.0)
    state_by_state = analysis.analysis(REQUEST, 60.0)
    assert len(list(solutions_folder().iterdir())) == 1
    assert state_by_state["value"] == pytest.approx(with_arrays["value"])
    assert state_by_state["advice"] == with_arrays["advice"]
