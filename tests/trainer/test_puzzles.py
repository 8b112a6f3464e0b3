"""Every shipped puzzle is what its file says, by the solution of its game."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache

import pytest

import number_duels as nd
from make_puzzles import line_of
from number_duels.core.questions import by_notation, typed_form
from number_duels.review.position import AnySolution
from number_duels.trainer.exercise import MOVE, Exercise, read_answer
from number_duels.trainer.puzzles import (
    DATA,
    GRADES,
    Puzzle,
    find_puzzle,
    games_with_puzzles,
    judge_puzzle,
    puzzle_lines,
    puzzles,
    read_puzzle,
)
from number_duels.trainer.spot import Spot
from puzzle_themes import LEAST_TRAP, THEMES, themes, trap
from tests.conftest import SLOW

#: The least that a mistake costs, which `scripts/make_puzzles.py` asks for.
LEAST_GAP = 0.1
#: Its table takes a minute to compute: the long run has it.
LARGE = "number-stack-showdown"
every_game = pytest.mark.parametrize("name", games_with_puzzles())
every_solved_game = pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=[pytest.mark.slow] * (n == LARGE)) for n in games_with_puzzles()],
)


@cache
def solution_of(name: str) -> AnySolution:
    solution = nd.solve(nd.load(name))
    solution.open_arrays()
    return solution


def faults(puzzle: Puzzle, solution: AnySolution) -> list[str]:
    """What a puzzle says that its solution does not."""
    spot = puzzle.spot.open()
    exercise = Exercise(spot, solution)
    looks_best = trap(exercise) or ""
    wrong = [option.move for option in exercise.options if option.move not in exercise.best]
    says = {
        "id": puzzle.id == f"{spot.game.name}-{spot.id}",
        "best": set(puzzle.best) == set(exercise.best),
        "mistake": not puzzle.mistake or [puzzle.mistake] == wrong,
        "gap": puzzle.gap == pytest.approx(exercise.gap, abs=1e-6) and puzzle.gap >= LEAST_GAP,
        "trap": puzzle.trap == looks_best,
        "loss": puzzle.loss
        == pytest.approx(exercise.cost(looks_best) if looks_best else 0, abs=1e-6),
        "themes": puzzle.themes == themes(exercise),
        "answers": few(puzzle, len(exercise.options)),
    }
    return [name for name, true in says.items() if not true]


def few(puzzle: Puzzle, options: int) -> bool:
    """Whether guessing is of little use."""
    return len(puzzle.answers) == 1 or 3 * len(puzzle.answers) <= options


@every_solved_game
def test_every_puzzle_is_what_the_solution_says(name: str) -> None:
    some = puzzles(name)[:: 1 if SLOW else 12]
    found = {puzzle.id: faults(puzzle, solution_of(name)) for puzzle in some}
    assert len(found) == len(some) >= 25
    assert {puzzle: wrong for puzzle, wrong in found.items() if wrong} == {}


@every_game
def test_a_puzzle_is_named_after_its_spot(name: str) -> None:
    assert {puzzle.id for puzzle in puzzles(name)} == {
        f"{name}-{puzzle.spot.open().id}" for puzzle in puzzles(name)
    }


def test_a_puzzle_that_is_changed_is_found_out() -> None:
    solution = solution_of("number-knot")
    whole = next(puzzle for puzzle in puzzles("number-knot") if puzzle.trap)
    asks = next(puzzle for puzzle in puzzles("number-knot") if puzzle.mistake)
    earlier = replace(whole.spot, moves=" ".join(whole.spot.moves.split()[:-2]))
    changed = {
        "id": replace(whole, spot=earlier),
        "best": replace(whole, best=(whole.trap,)),
        "mistake": replace(asks, mistake=asks.best[0]),
        "gap": replace(whole, gap=whole.gap / 2),
        "trap": replace(whole, trap=whole.best[0]),
        "loss": replace(whole, loss=whole.loss + 0.5),
        "themes": replace(whole, themes=(*whole.themes, "must-mix")),
        "answers": replace(whole, best=(*whole.best, *map(str, whole.spot.open().options))),
    }
    assert faults(whole, solution) == faults(asks, solution) == []
    assert {what: what in faults(one, solution) for what, one in changed.items()} == dict.fromkeys(
        changed, True
    )


@every_solved_game
def test_answers_are_judged_by_what_is_asked(name: str) -> None:
    some = [
        *puzzles(name)[:: 32 if SLOW else 96],
        *[one for one in puzzles(name) if one.mistake][:5],
    ]
    for puzzle in some:
        for move in map(str, puzzle.spot.open().options):
            found = judge_puzzle(puzzle, solution_of(name), move)
            assert found.right is puzzle.is_right(move)
            assert found.headline.startswith("Right" if found.right else "Wrong")
            assert bool(found.cost) is (move not in puzzle.best)
    with pytest.raises(ValueError, match=r"\.$"):
        judge_puzzle(some[0], solution_of(name), "none of them")


@every_game
def test_how_to_type_an_answer_is_never_an_option(name: str) -> None:
    for puzzle in puzzles(name):
        spot = puzzle.spot.open()
        question = spot.question
        form = typed_form(question)
        answers = {text for one in question.answers for text in (one.text, *one.also)}
        for said in (form, *form.split()):
            assert by_notation(said, spot.game.parse) not in spot.options
            assert said not in answers
        with pytest.raises(ValueError, match="choose") as refused:
            read_answer(spot, "none of them", MOVE)
        assert set(map(str, spot.options)) <= set(re.findall(r"[\w+-]+", str(refused.value)))


# ---- the set -------------------------------------------------------------------


@every_game
def test_there_are_several_hundred_and_each_once(name: str) -> None:
    ids = [puzzle.id for puzzle in puzzles(name)]
    assert len(ids) == len(set(ids)) >= 300


@every_game
def test_grades_seats_and_parts_of_the_game_have_their_share(name: str) -> None:
    some = puzzles(name)
    for grade in GRADES:
        assert sum(puzzle.grade == grade for puzzle in some) >= 0.15 * len(some)
    for seat in nd.Seat:
        assert sum(puzzle.spot.seat is seat for puzzle in some) >= 0.3 * len(some)
    assert len({len(puzzle.spot.moves.split()) for puzzle in some}) >= 6
    assert sum("win-at-once" in puzzle.themes for puzzle in some) <= 0.1 * len(some)
    for puzzle in some:
        assert set(puzzle.themes) <= THEMES.keys()
        assert bool(puzzle.trap) is (puzzle.loss >= LEAST_TRAP)


def test_every_theme_has_puzzles() -> None:
    shown = {theme for name in games_with_puzzles() for p in puzzles(name) for theme in p.themes}
    assert shown == THEMES.keys()


@pytest.mark.slow
def test_in_number_bid_the_highest_number_is_never_wrong() -> None:
    """So it has no traps: what looks best is best, in every position that can arise."""
    solution, game = solution_of("number-bid"), nd.load("number-bid")
    for _, state in nd.states(game):
        if isinstance(game.turn(state), nd.Decision):
            values = list(solution.values(state, nd.Seat.ONE).values())
            assert values[-1] == pytest.approx(max(values), abs=1e-7)


# ---- files, and names ----------------------------------------------------------


@every_game
def test_a_line_tells_a_puzzle_and_a_puzzle_its_line(name: str) -> None:
    text = (DATA / f"{name}.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line_of(read_puzzle(name, line)) for line in lines] == lines


def test_settings_are_told_where_they_are_not_the_usual_ones() -> None:
    spot = Spot("number-knot", {"numbers": 6}, None, "S5", nd.Seat.TWO)
    puzzle = replace(puzzles("number-knot")[0], spot=spot)
    assert read_puzzle("number-knot", line_of(puzzle)) == puzzle


def test_a_puzzle_is_found_by_its_id_and_a_game_by_a_part_of_its_name() -> None:
    puzzle = puzzles("knot")[17]
    assert find_puzzle(puzzle.id) is puzzle
    for unknown in ("number-knot-0000000000000000", "number-knot", "", "../knot-1"):
        with pytest.raises(ValueError, match=r"^There is no puzzle .*\.$"):
            find_puzzle(unknown)


@pytest.mark.parametrize("name", ["take-away", "two-prizes", "", "number"])
def test_a_game_without_puzzles_says_so(name: str) -> None:
    with pytest.raises(ValueError, match=r"^There are no puzzles for .* choose .*\.$"):
        puzzles(name)


def test_puzzles_for_other_tools_explain_themselves() -> None:
    game = nd.load("number-drop")
    some = puzzles("number-drop")[:3]
    for puzzle, line in zip(some, puzzle_lines(some, solution_of("number-drop")), strict=True):
        found = json.loads(line)
        assert found["settings"] == game.settings
        assert Spot.from_json(found).open().id == puzzle.spot.open().id
        assert found["board"][0] == "Player 1 Grid:"
        values = {option["move"]: option["value"] for option in found["options"]}
        best = {move for move, value in values.items() if value == found["value"]}
        assert best == set(puzzle.best)
        assert found["answers"] == list(puzzle.answers)
