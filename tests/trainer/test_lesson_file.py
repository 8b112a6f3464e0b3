"""A file of a lesson is read strictly: what is wrong with it is said in a sentence."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.core.game import Seat
from number_duels.trainer.lessons import lesson_names, read_lesson
from tests.trainer.claims import read_claims

HEAD = 'title = "Number Knot"\nminutes = 2\n'
SAYS = '[[steps]]\nkind = "say"\ntext = "Hello."\n'
ASKS = '[[steps]]\nkind = "ask"\ntext = "Well?"\npraise = "Yes."\notherwise = "No."\n'


def read_step(step: str) -> None:
    read_lesson("number-knot", HEAD + step)


def test_every_game_has_a_lesson() -> None:
    assert list(lesson_names()) == sorted(nd.games())


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


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("title =", "is not written in TOML"),
        ("minutes = 2", "needs title, a text"),
        ('title = "Knot"', "needs minutes, a whole number"),
        (HEAD, "needs steps, and a deal"),
        (f'{HEAD}colour = "red"\n{SAYS}', "has 'colour', which nobody reads"),
    ],
)
def test_a_lesson_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^The lesson on number-knot {sentence}"):
        read_lesson("number-knot", text)


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ('[[steps]]\nkind = "sing"\ntext = "La."', "has the kind 'sing'; kinds are say, ask"),
        ('[[steps]]\nkind = "say"', "needs text, a text"),
        (f'{SAYS}praise = "Yes."', "has 'praise', which nobody reads"),
        (f"{SAYS}seat = 3", "needs a seat that is 1 or 2"),
        (f'{SAYS}form = "mixture"', "cannot ask for the form 'mixture'"),
        (ASKS, "asks something, and so needs moves"),
        (f'{ASKS}moves = "S5 A3 S9"', "asks where nobody can answer"),
        (f'{ASKS}moves = "S10"', "asks where nobody can answer: turn 1"),
        (f'{ASKS}moves = ""\nreplies = {{ S5 = 5 }}', "needs replies that are texts"),
        (f'{ASKS}moves = ""\naccepts = "S5"', "needs accepts in a list of texts"),
    ],
)
def test_a_step_is_refused(step: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^Step 1 of the lesson on number-knot {sentence}"):
        read_step(step)
