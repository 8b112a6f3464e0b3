"""Feedback is what the solution says: of every answer to every sampled spot of every game."""

from __future__ import annotations

import re
from random import Random

import numpy as np
import pytest

import number_duels as nd
from number_duels.core.history import History
from number_duels.review.position import AnySolution
from number_duels.sessions.scene_tables import feedback_tables
from number_duels.trainer.exercise import MIXED, MOVE, Answer, Exercise, read_answer
from number_duels.trainer.feedback import Feedback, judge
from number_duels.trainer.spot import Spot
from tests.some_games import BOTH_CHOOSE
from tests.trainer.exercises import some_exercises


def test_a_move_costs_what_the_solution_says(solution: AnySolution) -> None:
    for exercise in some_exercises(solution):
        values = solution.values(exercise.spot.state, exercise.spot.seat)
        for move, value in values.items():
            found = judge(exercise, Answer({str(move): 1.0}))
            assert found.cost == pytest.approx(max(values.values()) - value, abs=1e-7)
            assert found.right == (found.cost < 1e-7) == (str(move) in found.best)
            assert found.right == found.headline.startswith("Right")
            assert all(said.endswith(".") for said in found.sentences)
            assert not [said for said in found.sentences if "answer" in said or "Player" in said]


def test_every_option_is_good_or_bad_once(solution: AnySolution) -> None:
    for exercise in some_exercises(solution):
        found = judge(exercise, Answer({str(exercise.spot.options[0]): 1.0}))
        good, bad = ([one.move for one in part] for part in (found.good, found.bad))
        assert sorted(good) == sorted(found.best)
        assert sorted(good + bad) == sorted(map(str, exercise.spot.options))
        values = [round(one.value, 9) for one in (*found.good, *found.bad)]
        assert values == sorted(values, reverse=True)
        assert sum(one.probability for one in found.good) == pytest.approx(1)


def test_a_mistake_is_punished_by_moves_that_can_be_played(solution: AnySolution) -> None:
    """The line begins with the game and the mistake, and leaves less than was there."""
    punished = 0
    for exercise in some_exercises(solution):
        history, seat = exercise.spot.history, exercise.spot.seat
        for option in exercise.options:
            found = judge(exercise, Answer({option.move: 1.0}))
            if found.right:
                assert not re.search(
                    r"reply (with|by)|choice against|can now|ends the game", said(found)
                )
            else:  # a concrete reply, or the end of the game
                assert re.search(
                    r"reply (with|by)|can (then|draw|win)|ends the game|[Aa]t worst|or example",
                    said(found),
                )
            if found.line is None:
                continue
            punished += 1
            line = History.read(solution.game, history.start, found.line)
            assert line.steps[: len(history.steps)] == history.steps
            made = line.steps[len(history.steps)]
            assert str(made.moves[seat]) == option.move
            left = solution.value(line.state) * (1, -1)[seat]
            drawn = any(not step.moves for step in line.steps[len(history.steps) :])
            # A card of the line is the one that hurts most often, not the one that hurts most.
            assert left <= (exercise.value if drawn else option.value) + 1e-7
            certain = left < -1 + 1e-7 or re.search(
                r"with a (win|draw|loss)| draw (with|by)|and you (win|draw|lose)", said(found)
            )
            assert certain or exercise.value - left >= 2 * found.cost - 1e-7
    assert punished


def said(found: Feedback) -> str:
    return " ".join(found.sentences)


def test_every_mistake_is_explained_with_a_reply_also_if_it_shows_hardly_more_than_the_cost() -> (
    None
):
    name: str = "number-stack-showdown"
    spot = Spot(name, {}, None, "7", nd.Seat.ONE).open()  # the first card of the game is a 7
    found = judge(Exercise(spot, nd.solve(spot.game)), Answer({"g": 1.0}))
    assert found.line is None
    lowers, reply, merit = found.sentences
    assert lowers.startswith("Giving the 7 lowers your winning chance from ")
    assert re.fullmatch(r"If \d+ is drawn next, your opponent can reply by .*: that .*%\.", reply)
    assert merit.startswith("Keeping brings you closer to 40.")
    assert found.answer_is_last


def test_a_choice_that_perfect_play_seldom_makes_is_right_with_its_risk() -> None:
    exercise = Exercise(
        Spot("high-low-battle", {}, None, "", nd.Seat.ONE).open(), nd.solve("high-low-battle")
    )
    unusual = min(
        (o for o in exercise.options if exercise.cost(o.move) < 1e-7), key=lambda o: o.probability
    )
    risk, *_ = judge(exercise, Answer({unusual.move: 1.0})).sentences
    assert re.match(
        rf"If your opponent guesses {unusual.move} and plays \d+, your winning chance falls", risk
    )


@pytest.mark.parametrize("solution", BOTH_CHOOSE, indirect=True)
def test_a_mixed_strategy_is_read_as_a_matrix_says(solution: AnySolution) -> None:
    """Exploitability by NumPy: the worst column of what the rows bring."""
    rng = Random(7)
    checked = 0
    for exercise in some_exercises(solution, MIXED):
        spot = exercise.spot
        assert spot.both_choose
        checked += 1
        weights = {str(move): rng.random() for move in spot.options}
        total = sum(weights.values())
        answer = Answer({move: weight / total for move, weight in weights.items()})
        found = judge(exercise, answer)
        matrix = payoffs(exercise)
        brings = np.array([answer.weights[str(move)] for move in spot.options]) @ matrix
        assert found.best_reply is not None
        value = solution.value(spot.state) * (1, -1)[spot.seat]
        assert found.best_reply.taken == pytest.approx(value - brings.min(), abs=1e-7)
        replies = list(solution.strategy(spot.state, spot.seat.other))
        column = list(map(str, replies)).index(found.best_reply.move)
        assert brings[column] == pytest.approx(brings.min(), abs=1e-7)
        assert found.right == (found.cost <= 0.02 + 1e-7)
        assert "answer" not in " ".join(found.sentences)
    assert checked >= 10


def payoffs(exercise: Exercise) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    spot, solution = exercise.spot, exercise.solution
    turn = spot.game.turn(spot.state)
    assert isinstance(turn, nd.Decision)
    return np.array(
        [
            [
                (1, -1)[spot.seat]
                * solution.value(
                    spot.game.resolve(spot.state, {spot.seat: move, spot.seat.other: reply})
                )
                for reply in turn.options[spot.seat.other]
            ]
            for move in spot.options
        ]
    )


def test_perfect_play_itself_is_right_in_every_form(solution: AnySolution) -> None:
    for form in ("move", MIXED):
        for exercise in some_exercises(solution, form):
            perfect = {o.move: o.probability for o in exercise.options if o.probability}
            if form == MIXED:
                found = judge(exercise, Answer(perfect))
                assert found.right
                assert found.cost < 1e-6
            else:
                assert all(judge(exercise, Answer({move: 1.0})).right for move in perfect)


def opening(form: str) -> Exercise:
    """The first card of High-Low Battle, where perfect play mixes five of nine."""
    spot = Spot("high-low-battle", {}, None, "", nd.Seat.ONE).open()
    return Exercise(spot, nd.solve(spot.game), form)


def test_always_the_same_card_is_read() -> None:
    found = judge(opening(MIXED), Answer({"9": 1.0}))
    assert not found.right
    assert found.best_reply is not None
    assert found.best_reply.move == "1"
    assert found.headline == (
        "Wrong: it lowers your winning chance from 50% to 21% against an opponent who knows it."
    )
    assert found.sentences[0] == "Your opponent's best reply is to play 1."
    assert "answer" not in " ".join(found.sentences)  # the answer is the learner's


def test_a_mistake_says_what_it_cost_how_it_is_punished_and_what_was_right() -> None:
    spot = Spot("number-knot", {}, None, "S5", nd.Seat.TWO).open()
    found = judge(Exercise(spot, nd.solve(spot.game)), Answer({"A3": 1.0}))
    assert found.sentences == (
        "Adding 3 turns your draw into a loss.",
        "Your opponent can now win by subtracting 8.",
        "Adding 6, 7, 8 or 9 would have kept the draw.",
    )
    assert found.line == "S5 A3 S8"


@pytest.mark.parametrize(("share", "right"), [(0.02, True), (0.06, False)])
def test_a_mixed_strategy_may_give_one_percent_away(share: float, right: bool) -> None:
    """Perfect play with one card too often: a reader takes a little less, or more, than that."""
    exercise = opening(MIXED)
    perfect = {option.move: option.probability for option in exercise.options}
    weights = {m: (1 - share) * p + share * (m == "9") for m, p in perfect.items()}
    found = judge(exercise, Answer({m: w for m, w in weights.items() if w}))
    assert (0.0 if right else 0.02) < found.cost < (0.02 if right else 0.04)
    assert found.right == right


@pytest.mark.parametrize(("weights", "right"), [({"g": 1.0}, False), ({"k": 0.1, "g": 0.9}, True)])
def test_a_single_move_may_give_nothing_away(weights: dict[str, float], right: bool) -> None:
    """Giving the card costs 0.8% of the winning chance; who mixes may lose as much."""
    settings: dict[str, int | str] = {"target": 13, "highest": 4, "copies": 2}
    spot = Spot("number-stack-showdown", settings, None, "3k 1k 2", nd.Seat.ONE).open()
    form = "move" if len(weights) == 1 else MIXED
    found = judge(Exercise(spot, nd.solve(spot.game), form), Answer(weights))
    assert found.cost == pytest.approx(weights["g"] / 60)
    assert found.right == right
    wrong = "Inaccurate: it lowers your winning chance from "
    assert found.headline.startswith("Right" if right else wrong)


def test_what_perfect_play_never_chooses_stands_apart_though_it_costs_nothing() -> None:
    spot = Spot("high-low-battle", {}, None, "9/7", nd.Seat.ONE).open()
    exercise = Exercise(spot, nd.solve(spot.game))
    odds = {option.move: option.probability for option in exercise.options}
    never = [move for move in exercise.best if not odds[move]]
    assert exercise.mixes
    assert never
    found = judge(exercise, Answer({never[0]: 1.0}))
    assert found.headline == "Right: it costs nothing, though perfect play never chooses it."
    (table, *_) = feedback_tables(found)
    for rows in table.folded():
        assert len({row.words in {f"play {move}" for move in never} for row in rows}) == 1
        assert [row.short for row in rows] == [f"Play {rows[0].words[5:]}"] + [
            row.words.removeprefix("play ") for row in rows[1:]
        ]


def test_every_move_in_a_table_begins_with_a_capital_letter() -> None:
    settings = {"numbers": 5, "life": 3}
    spot = Spot("number-knot", settings, None, "", nd.Seat.ONE).open()
    found = judge(Exercise(spot, nd.solve(spot.game)), read_answer(spot, "S4", MOVE))
    good, bad = feedback_tables(found)
    assert (good.head, bad.head) == ("Best", "Worse")
    assert [row.short for row in good.rows] == ["Subtract 3", "4", "5"]
    assert {"Add 4", "Subtract 2"} <= {row.short for row in bad.rows}


def test_several_good_moves_are_listed_in_the_table_alone() -> None:
    settings = {"numbers": 5, "life": 3}
    spot = Spot("number-knot", settings, None, "", nd.Seat.ONE).open()
    found = judge(Exercise(spot, nd.solve(spot.game)), read_answer(spot, "S4", MOVE))
    assert found.right
    assert sorted(found.best) == ["S3", "S4", "S5"]
    assert not any("best moves" in said for said in found.sentences)
