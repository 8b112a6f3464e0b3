"""What a learner misses comes up more often, and recent answers count more."""

from __future__ import annotations

from random import Random

import pytest

import number_duels as nd
from number_duels.trainer.book import BUCKET_HALF_LIFE, SPOT_HALF_LIFE, Book, Learner
from number_duels.trainer.drills import Drills, Scope
from tests.trainer.events import DAY, MONDAY, SPOTS, answered

HERE, ELSEWHERE = SPOTS[0].id, SPOTS[1].id


def after(pattern: str, phase: str = "opening") -> Learner:
    """A learner after right and wrong answers in the same spot."""
    return Learner.of(answered(right=letter == "+", phase=phase) for letter in pattern)


def test_of_somebody_new_nothing_is_known() -> None:
    assert Learner().weight(HERE, "opening") == Learner().weight(ELSEWHERE, "") == 1.0
    assert Book().learner("any") == Learner()


def test_the_miss_rate_has_a_prior() -> None:
    assert after("-").spots[HERE].rate == pytest.approx(2 / 3)
    assert after("+").spots[HERE].rate == pytest.approx(1 / 3)
    assert after("-").weight(HERE, "opening") == pytest.approx(4 * (2 / 3) ** 2)


def test_what_is_missed_comes_up_more_often_than_what_is_not() -> None:
    missed, known = after("--"), after("++")
    assert missed.weight(HERE, "opening") > missed.weight(ELSEWHERE, "opening") > 1
    assert known.weight(HERE, "opening") < known.weight(ELSEWHERE, "opening") < 1
    assert missed.weight(ELSEWHERE, "end") == 1


def test_recent_answers_count_more() -> None:
    assert after("--++").weight(HERE, "end") < 1 < after("++--").weight(HERE, "end")


@pytest.mark.parametrize("half_life", [SPOT_HALF_LIFE, BUCKET_HALF_LIFE])
def test_after_its_half_life_an_answer_counts_half(half_life: int) -> None:
    learner = after("-" + "+" * half_life)
    rates = {SPOT_HALF_LIFE: learner.spots[HERE], BUCKET_HALF_LIFE: learner.buckets["opening"]}
    assert rates[half_life].misses == pytest.approx(0.5)


def test_a_weight_is_never_nothing_and_never_past_its_bound() -> None:
    assert 0 < after("+" * 2000).weight(HERE, "opening") < 0.1
    assert 3 < after("-" * 2000).weight(HERE, "opening") < 4


def test_answers_in_other_games_tell_nothing() -> None:
    book = Book(tuple(answered(time=MONDAY + n * DAY, right=False) for n in range(3)))
    assert book.learner(SPOTS[0].game.name).weight(HERE, "opening") > 2
    assert book.learner("another").weight(HERE, "opening") == 1


def test_drills_ask_for_what_is_missed() -> None:
    drills = Drills(nd.solve(SPOTS[0].game))
    missed = Learner.of(answered(right=False, phase="middle") for _ in range(20))
    known = Learner.of(answered(right=True, phase="middle") for _ in range(20))

    def middles(learner: Learner) -> int:
        rng = Random(4)
        return sum(drills.draw(Scope(), learner, rng).phase == "middle" for _ in range(15))

    assert middles(missed) > 2 * middles(known)
