"""What pages ask about is answered from arrays, built once, if that does not take long."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import number_duels as nd
from number_duels.solvers.cache import solutions_folder
from number_duels.web.service import solver_tasks
from tests.clock import ManualClock

NAME: str = "number-bid"
GAME: nd.AnyGame = nd.load(NAME, numbers=6)
REQUEST = solver_tasks.AnalysisRequest("number-bid", moves="3/4", settings=("numbers=6",))


pytestmark = pytest.mark.usefixtures("own_cache", "no_solution_open")


@pytest.fixture
def no_solution_open() -> Iterator[None]:
    solver_tasks.opened.cache_clear()
    yield
    solver_tasks.opened.cache_clear()


def test_solving_is_given_up_when_its_time_is_over() -> None:
    clock = ManualClock()
    report = solver_tasks.give_up_after(60, "Number Bid", clock)
    clock.advance(59)
    report(0.5)
    clock.advance(1)
    with pytest.raises(solver_tasks.SolveTimeout, match=r"Number Bid .* takes too long to solve"):
        report(0.6)


def test_an_analysis_lays_out_all_strategies_once() -> None:
    nd.solve(GAME)
    assert len(list(solutions_folder().iterdir())) == 1
    first = solver_tasks.analysis(REQUEST, solver_tasks.KEPT_ONLY)
    assert len(list(solutions_folder().iterdir())) == 1, "nobody waits for them"
    assert solver_tasks.make_ready(GAME, 60.0)
    assert len(list(solutions_folder().iterdir())) == 2
    assert solver_tasks.analysis(REQUEST, solver_tasks.KEPT_ONLY)["advice"] == first["advice"]


def test_a_page_does_not_wait_for_what_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    solver_tasks.make_ready(GAME, 60.0)
    with_arrays = solver_tasks.analysis(REQUEST, 60.0)
    for file in solutions_folder().iterdir():
        file.unlink()
    solver_tasks.opened.cache_clear()
    monkeypatch.setattr(solver_tasks, "MAX_ARRAYS_SECONDS", -1.0)
    assert solver_tasks.make_ready(GAME, 60.0)
    state_by_state = solver_tasks.analysis(REQUEST, 60.0)
    assert len(list(solutions_folder().iterdir())) == 1
    assert state_by_state["value"] == pytest.approx(with_arrays["value"])
    assert state_by_state["advice"] == with_arrays["advice"]
