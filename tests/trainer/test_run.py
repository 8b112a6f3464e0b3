"""A run of three minutes: rising grades, three strikes, a clock that is passed in."""

from __future__ import annotations

import pytest

from number_duels.trainer.puzzles import GRADES, games_with_puzzles
from number_duels.trainer.run import PUZZLES_PER_GRADE, RUN_SECONDS, Run, best_score, start_run


def played(run: Run, rights: str, seconds_each: float = 1.0) -> Run:
    """A run after answers, right where there is an r."""
    for place, right in enumerate(rights, start=1):
        assert run.puzzle is not None
        move = run.puzzle.answers[0] if right == "r" else "none of them"
        run = run.answered(move, run.began + place * seconds_each)
    return run


@pytest.mark.parametrize("game", [None, *games_with_puzzles()])
def test_grades_rise_and_no_puzzle_comes_twice(game: str | None) -> None:
    run = start_run(game, seed=1, now=0.0)
    grades = [puzzle.grade for puzzle in run.puzzles]
    assert grades == sorted(grades)
    assert len({puzzle.id for puzzle in run.puzzles}) == len(run.puzzles)
    assert [grades.count(grade) for grade in GRADES[:-1]] == [PUZZLES_PER_GRADE] * 4
    assert grades.count(GRADES[-1]) >= 60
    shown = {puzzle.game for puzzle in run.puzzles}
    assert shown == (set(games_with_puzzles()) if game is None else {game})


def test_the_seed_decides_what_is_asked() -> None:
    assert start_run(None, 7, now=0.0) == start_run(None, 7, now=0.0)
    assert start_run(None, 7, now=0.0).puzzles != start_run(None, 8, now=0.0).puzzles


def test_right_answers_count_until_the_time_is_over() -> None:
    run = played(start_run("number-knot", 1, now=50.0), "rrwr")
    assert (run.score, run.wrong, run.longest_row) == (3, 1, 2)
    assert run.seconds_left(60.0) == RUN_SECONDS - 10
    assert not run.is_over(50 + RUN_SECONDS - 0.1)
    assert run.is_over(50 + RUN_SECONDS)
    assert run.puzzle is not None
    assert run.answered(run.puzzle.answers[0], 50 + RUN_SECONDS) == run
    assert run.answered(run.puzzle.answers[0], 50 + RUN_SECONDS - 0.1).score == 4


def test_the_third_wrong_answer_ends_it() -> None:
    run = played(start_run("number-knot", 1, now=0.0), "wrw")
    assert not run.is_over(10.0)
    over = played(run, "w")
    assert over.is_over(10.0)
    assert over.puzzle is None
    assert over.answered("A1", 10.0) == over


def test_it_ends_with_the_last_puzzle() -> None:
    run = start_run("number-knot", 1, now=0.0)
    short = Run(run.puzzles[:2], 0.0)
    assert played(short, "rr").is_over(5.0)


def test_the_best_run_is_the_one_with_most_right_answers() -> None:
    run = start_run("number-knot", 1, now=0.0)
    assert best_score([]) == 0
    assert best_score([played(run, "rr"), played(run, "wrrr"), run]) == 3


def test_a_game_without_puzzles_says_so() -> None:
    with pytest.raises(ValueError, match=r"^There are no puzzles of 'take-away'.*\.$"):
        start_run("take-away", 1, now=0.0)
