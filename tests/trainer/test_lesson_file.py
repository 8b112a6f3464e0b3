"""How the file of a lesson is read."""

from __future__ import annotations

import number_duels as nd
from number_duels.core.game import Seat
from number_duels.trainer.lessons import lesson_names, read_lesson
from tests.documented import DOCUMENTED
from tests.trainer.claims import read_claims

HEAD = 'title = "Number Knot"\nminutes = 2\n'
SAYS = '[[steps]]\nkind = "say"\ntext = "Hello."\n'


def test_every_documented_game_has_a_lesson() -> None:
    assert set(DOCUMENTED) <= set(lesson_names()) <= set(nd.games())


def test_a_step_has_its_position_and_a_claim_may_have_another() -> None:
    claims = 'claims = [{ ends = "*" }, { ends = "1-0", moves = "S5 A3 S8" }]\n'
    text = f'{HEAD}{SAYS}moves = "S5"\nseat = 2\n{claims}'
    (step,) = read_lesson("number-knot", text).steps
    assert step.spot
    assert (step.spot.moves, step.spot.seat) == ("S5", Seat.TWO)
    ((here, there),) = read_claims("number-knot", text)
    assert here.spot == step.spot
    assert (there.spot.moves, there.spot.seat) == ("S5 A3 S8", Seat.TWO)
    assert here.holds()
    assert there.holds()


def test_a_board_is_shown_also_where_nobody_decides() -> None:
    found = read_lesson("number-knot", f'{HEAD}{SAYS}moves = "S5 A3 S9"\n')
    assert found.steps[0].board
    assert not read_lesson("number-knot", HEAD + SAYS).steps[0].board
