"""A review adds up: what was lost, what was luck, and what came of it."""

from __future__ import annotations

from random import Random

import pytest

import number_duels as nd
from number_duels.core.game import SomeGame
from number_duels.core.player import AnyMatch
from number_duels.review import examine, review
from number_duels.review.position import AnySolution
from number_duels.solvers import solve
from tests.core.playing import take_step, walk

SMALL: dict[str, dict[str, int | str]] = {
    "high-low-battle": {"cards": 4, "rounds": 3},
    "number-bid": {"numbers": 6},
    "number-drop": {"side": 2},
    "number-knot": {"numbers": 5, "life": 6},
    "number-stack-showdown": {"target": 15, "highest": 5, "copies": 2},
}


def random_match(game: SomeGame, seed: int) -> AnyMatch:
    match = nd.Match(game, seed=seed)
    while take_step(match, Random(seed).choice):
        pass
    return match


@pytest.fixture(scope="module", params=nd.games())
def solution(request: pytest.FixtureRequest) -> AnySolution:
    found: AnySolution = solve(nd.load(request.param, **SMALL.get(request.param, {})), cache=False)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_result_is_value_less_losses_plus_luck(solution: AnySolution, seed: int) -> None:
    match = random_match(solution.game, seed)
    found = review(solution.game, match.record, solution)
    one, two = found.players[nd.Seat.ONE], found.players[nd.Seat.TWO]
    result = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}[match.result]
    start = found.course[0]
    assert start - one.loss + two.loss + one.luck == pytest.approx(result, abs=1e-6)
    assert one.luck == pytest.approx(-two.luck)
    assert found.course[-1] == result


@pytest.mark.parametrize("seed", range(3))
def test_every_decision_is_graded_and_no_best_move_costs(solution: AnySolution, seed: int) -> None:
    match = random_match(solution.game, seed)
    found = review(solution.game, match.record, solution)
    decided = sum(len(step.moves) for step in match.steps(nd.Seat.ONE))
    assert len(found.grades) == decided
    for grade in found.grades:
        assert 0 <= grade.loss <= grade.worst <= 2 + 1e-9
        assert grade.best
        assert (grade.loss == 0) == (grade.move in grade.best)
    for tally in found.players.values():
        assert 0 <= tally.accuracy <= 100


def test_without_chance_or_secrets_there_is_no_luck() -> None:
    game = nd.load("number-knot", numbers=5, life=6)
    solution = solve(game, cache=False)
    for seed in range(5):
        found = review(game, random_match(game, seed).record, solution)
        assert found.players[nd.Seat.ONE].luck == pytest.approx(0, abs=1e-9)


def test_a_known_blunder_is_the_decisive_mistake() -> None:
    game = nd.load("number-knot", numbers=3, life=3)
    match = nd.Match(game, seed=1)
    for seat, move in ((nd.Seat.ONE, "A1"), (nd.Seat.TWO, "A2"), (nd.Seat.ONE, "S3")):
        match.submit(seat, move)
    found = review(match)
    assert found.decisive is not None
    assert (found.decisive.turn, found.decisive.move) == (1, "A1")
    assert found.decisive.best == ("S3",)


def test_options_of_a_position_are_best_first_and_probabilities_sum_to_one(
    solution: AnySolution,
) -> None:
    for state in walk(solution.game, Random(3)):
        for options in examine(solution, state).options.values():
            values = [option.value for option in options]
            assert values == sorted(values, reverse=True)
            assert sum(option.probability for option in options) == pytest.approx(1)


def test_a_match_and_its_record_have_the_same_review() -> None:
    game = nd.load("number-stack-showdown", target=8, highest=3, copies=2)
    match, solution = random_match(game, 3), solve(game, cache=False)
    found = review(match)
    assert found == review(match.record) == review(game, match.record, solution)
    assert review(nd.Match(game), solution=solution).grades == ()
    with pytest.raises(TypeError, match="a match, or a record, or a game"):
        review(game)  # type: ignore[call-overload]  # that is the mistake


def test_a_game_that_was_given_up_is_reviewed_as_far_as_it_went() -> None:
    match = nd.Match(nd.load("number-knot", numbers=3, life=3), seed=1)
    match.submit(nd.Seat.ONE, "A1")
    match.concede(nd.Seat.TWO, "resigned.")
    found = review(match)
    assert (found.record.result, len(found.grades)) == ("1-0", 1)
