"""Who listens to the feedback gets better, by the exact cost of each move; who guesses does not."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.review.position import AnySolution
from tests.trainer.learners import Guesser, Listener, chance_lost, drill

DRILLS, GAMES = 40, 60


def test_who_listens_gets_better(solution: AnySolution) -> None:
    learner = Listener()
    before = chance_lost(learner, solution, GAMES)
    drill(learner, solution, DRILLS)
    assert chance_lost(learner, solution, GAMES) < 0.6 * before


def test_who_guesses_does_not(solution: AnySolution) -> None:
    learner = Guesser()
    before = chance_lost(learner, solution, GAMES)
    drill(learner, solution, DRILLS)
    assert chance_lost(learner, solution, GAMES) == pytest.approx(before, rel=0.15)


@pytest.mark.slow
@pytest.mark.parametrize("name", nd.games())
def test_an_evening_of_drills_at_the_usual_settings(name: str) -> None:
    game: AnyGame = nd.load(name)
    solution, learner = nd.solve(game), Listener()
    before = chance_lost(learner, solution, 200)
    drill(learner, solution, 300)
    after = chance_lost(learner, solution, 200)
    print(f"{name}: {before:.0f}% -> {after:.0f}% of the winning chance a game")  # noqa: T201  # a figure
    assert after < 0.6 * before
