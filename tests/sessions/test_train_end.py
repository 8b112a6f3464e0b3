"""What a training session says at its end, and what a skipped or missed task leaves behind."""

from __future__ import annotations

from number_duels.core.scene import OVER, TOLD
from number_duels.sessions.train import Plan, TrainSession
from number_duels.solvers import solve
from number_duels.trainer.puzzles import find_puzzle
from tests.sessions.training import MemoryBook


def opened(plan: Plan) -> TrainSession:
    session = TrainSession(plan, MemoryBook())
    work_through(session)
    return session


def work_through(session: TrainSession) -> None:
    while work := session.work():
        work.run(solve(work.game))


def do(session: TrainSession, key: str, text: str = "") -> str:
    said = session.act(key, text)
    work_through(session)
    return said


def wrong_move(session: TrainSession) -> str:
    puzzle = find_puzzle(session.asked_task().note)
    return next(str(m) for m in session.asked_task().spot.options if str(m) not in puzzle.answers)


def test_a_skipped_task_shows_its_answer_and_is_counted() -> None:
    session = opened(Plan("drill", "number-knot", count=2, seed=3))
    said = do(session, "skip")
    assert "best move" in said or "Every move" in said
    do(session, "skip")
    assert session.state.stage == OVER
    assert "2 skipped." in session.scene().lines


def test_a_missed_puzzle_is_asked_again_and_becomes_a_card() -> None:
    session = opened(Plan("puzzle", "number-knot", count=1, seed=1))
    first = session.asked_task().spot.id
    do(session, "answer", wrong_move(session))
    assert session.state.stage == TOLD
    assert session.scene().verdict is not None
    do(session, "next")
    assert session.asked_task().spot.id == first
    assert session.scene().status[0] == "puzzle 1 of 1, try 2 of 2"
    puzzle = find_puzzle(session.asked_task().note)
    do(session, "answer", puzzle.answers[0])
    do(session, "next")
    assert session.state.stage == OVER
    assert session.scene().lines[0].startswith("0 of 1 right.")
    assert session.added_mistakes
    another = session.another(seed=7)
    assert another is not None
    assert another.seed == 7
