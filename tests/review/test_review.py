"""A review adds up: what was lost, what was luck, and what came of it."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

import number_duels as nd
from number_duels.arena.grading import Grader
from number_duels.core.record import Person, with_names
from number_duels.review import Tally, examine, review, totals
from number_duels.review.json import review_json
from number_duels.review.mistakes import LEAST_MISTAKE, Grade
from number_duels.review.player_stats import player_stats
from number_duels.review.position import AnySolution
from number_duels.review.words import chance, headline, review_lines
from number_duels.solvers import solve
from tests.core.playing import walk
from tests.review.positions import random_match


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
def test_a_review_is_good_english_where_a_player_is_you(solution: AnySolution, seed: int) -> None:
    match = random_match(solution.game, seed)
    match.players = (Person("Player 1"), Person("Player 2", "random"))
    for line in review_lines(review(match, solution=solution)):
        shown = with_names(line, ("You", "Computer"))
        assert not re.search(r"\b[Yy]ou's|Player [12]|[a-z,] You|\b[Yy]ou \w*[^\Ws]s\b", shown)


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
        assert tally.accuracy is not None
        assert -1e-9 <= tally.accuracy <= 100


def test_a_card_that_its_drawer_still_hides_is_no_luck_yet() -> None:
    game = nd.load("number-stack-showdown", target=6, highest=4, copies=2)
    solution = solve(game)
    found = [
        review(nd.Match.from_record(game, record), solution=solution)
        for card in ("2", "3", "4")
        for record in [nd.Record(game.name, game.settings, None, 7, moves=f"1k {card}")]
    ]
    assert len({(one.grades, one.course, *one.players.values()) for one in found}) == 1


def test_without_chance_or_secrets_there_is_no_luck() -> None:
    game = nd.load("number-knot", numbers=5, life=6)
    solution = solve(game, cache=False)
    for seed in range(5):
        found = review(game, random_match(game, seed).record, solution)
        assert found.players[nd.Seat.ONE].luck == pytest.approx(0, abs=1e-9)


def test_a_known_blunder_is_the_first_one() -> None:
    game = nd.load("number-knot", numbers=3, life=3)
    match = nd.Match(game, seed=1)
    for seat, move in ((nd.Seat.ONE, "A1"), (nd.Seat.TWO, "A2"), (nd.Seat.ONE, "S3")):
        match.submit(seat, move)
    found = review(match)
    assert found.first_blunder is not None
    assert (found.first_blunder.turn, found.first_blunder.move) == (1, "A1")
    assert found.first_blunder.best == ("S3",)


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
    with pytest.raises(TypeError, match="a match, a record, or a game"):
        review(game)  # type: ignore[call-overload]  # that is the mistake


def test_a_game_that_was_given_up_is_reviewed_as_far_as_it_went() -> None:
    match = nd.Match(nd.load("number-knot", numbers=3, life=3), seed=1)
    match.submit(nd.Seat.ONE, "A1")
    match.concede(nd.Seat.TWO, "resigned.")
    found = review(match)
    assert (found.record.result, len(found.grades)) == ("1-0", 1)


@pytest.mark.parametrize("moves", ["", "S5", "S5 A3", "S5 A3 S8", "S5 A3 A1"])
def test_a_forfeit_costs_what_the_arena_charges(moves: str) -> None:
    settings = nd.load("number-knot", life=11).settings
    match = nd.Record("number-knot", settings, None, 7, moves=moves).match()
    seat = nd.Seat(len(moves.split()) % 2)
    match.concede(seat, "forfeits: it was late.")
    found, solution = review(match), nd.solve(match.game)
    charged = Grader(solution).grade(match.record, (None, None), [seat]).costs
    for tally, cost in zip(found.players.values(), charged, strict=True):
        assert (tally.loss, tally.worst, tally.decisions) == (cost.loss, cost.worst, cost.decisions)
    value = solution.value(match.state) * (1, -1)[seat]
    own = sum(grade.loss for grade in found.grades if grade.seat is seat)
    assert found.players[seat].loss == own + value + 1
    assert review_json(found)["forfeit"] == {"seat": seat + 1, "loss": value + 1}
    assert f"The forfeit cost {chance(value)}." in "\n".join(review_lines(found))
    assert (f"{seat} forfeited a winning chance of" in headline(found)) == (value > -1)
    one, two = ("human" if one is seat else "random" for one in nd.Seat)
    people = Person("Ann", one), Person("Bo", two)
    stats = player_stats([replace(match.record, players=people)])
    assert stats.tally.loss == found.players[seat].loss


def test_a_game_given_up_at_its_start_has_no_accuracy() -> None:
    match = nd.Match(nd.load("number-knot", numbers=3, life=3), seed=1)
    match.concede(nd.Seat.TWO, "resigned.")
    found = review(match)
    assert found.players[nd.Seat.TWO].accuracy is None
    assert found.players[nd.Seat.TWO].carelessness is None


@pytest.mark.parametrize(("loss", "blunder"), [(0.5, True), (0.49999999999, True), (0.499, False)])
def test_a_cost_of_one_half_is_a_blunder_in_spite_of_rounding(loss: float, blunder: bool) -> None:
    grade = Grade(1, nd.Seat.ONE, "7", 0.0, loss, 1.0, ("8",))
    assert grade.is_blunder is blunder


@pytest.mark.parametrize(
    ("loss", "probability", "mixed", "kind"),
    [
        (0.04, 0.0, True, "mistake"),
        (0.03999999999, 0.0, False, "mistake"),
        (0.039, 0.0, True, "inaccuracy"),
        (0.0, 0.005, True, "rare"),
        (0.0, 0.05, True, "right"),
        (0.0, 0.0, False, "right"),
    ],
)
def test_a_decision_is_graded_by_its_cost_and_then_by_how_often_perfect_play_makes_it(
    loss: float, probability: float, mixed: bool, kind: str
) -> None:
    grade = Grade(1, nd.Seat.ONE, "7", 0.0, loss, 1.0, ("8",), "", "", probability, mixed)
    assert grade.kind == kind
    assert grade.is_mistake is (kind == "mistake")


@pytest.mark.parametrize("seed", range(3))
def test_skill_and_luck_are_two_lines_and_no_mistake_sits_on_a_rise(
    solution: AnySolution, seed: int
) -> None:
    found = review(random_match(solution.game, seed), solution=solution)
    for course, skill, luck in zip(found.course, found.skill, found.luck, strict=True):
        assert skill + luck == pytest.approx(course)
    assert found.luck[-1] == pytest.approx(found.players[nd.Seat.ONE].luck, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_the_json_has_what_the_identity_and_the_accuracy_need(
    solution: AnySolution, seed: int
) -> None:
    match = random_match(solution.game, seed)
    found = review_json(review(match, solution=solution))
    result = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}[str(found["result"])]
    total = found["value"]
    assert isinstance(total, float)
    turns, players = found["turns"], found["players"]
    assert isinstance(turns, list)
    assert isinstance(players, dict)
    for seat, sign in (("1", -1), ("2", 1)):
        own = [turn for turn in turns if turn["seat"] == int(seat)]
        loss, worst = (sum(turn[what] for turn in own) for what in ("loss", "worst"))
        total += sign * loss
        accuracy = 100 * (1 - loss / worst) if worst else 100
        assert players[seat]["accuracy"] == pytest.approx(accuracy)
        assert all(("why" in turn) == (turn["loss"] >= LEAST_MISTAKE) for turn in own)
    assert total + players["1"]["luck"] == pytest.approx(result, abs=1e-6)


def test_the_measure_of_a_player_leaves_out_what_is_obvious() -> None:
    game = nd.load("number-bid", numbers=6)
    solution = nd.solve(game)
    reviews = [review(game, random_match(game, seed).record, solution) for seed in range(40)]
    tally = totals(reviews)["Player 1"]
    grades = [g for one in reviews for g in one.grades if g.seat is nd.Seat.ONE and g.worst > 0]
    assert tally.choices == len(grades) < tally.decisions
    measure = tally.carelessness
    assert measure is not None
    assert measure.mean == pytest.approx(sum(g.loss for g in grades) / 2 / len(grades))
    assert measure.interval is not None
    low, high = measure.interval
    assert 0 < low < measure.mean < high < 1
    one = reviews[0].players[nd.Seat.ONE].carelessness
    assert one is not None
    assert one.interval is None


def test_a_player_without_mistakes_is_not_certain_to_make_none() -> None:
    tally = sum((Tally.of_game([(0.0, 2.0)] * 3, 0.0) for _ in range(10)), Tally())
    assert tally.carelessness is not None
    assert tally.carelessness.mean == 0
    assert tally.carelessness.interval == pytest.approx((0.0, 0.1))
