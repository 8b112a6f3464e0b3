"""A spot is told apart by all that the future depends on, and can be written down."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.review.position import AnySolution
from number_duels.trainer.spot import Spot
from tests.trainer.exercises import some_exercises


def test_a_spot_is_written_and_read_again(solution: AnySolution) -> None:
    for exercise in some_exercises(solution):
        spot = exercise.spot.spot
        again = Spot.from_json(spot.to_json()).open()
        assert again.spot == spot
        assert (again.id, again.state, again.options) == (
            exercise.spot.id,
            exercise.spot.state,
            exercise.spot.options,
        )


def test_two_ways_to_the_same_position_are_one_spot() -> None:
    one, two, other = (
        Spot("number-knot", {}, None, moves, nd.Seat.ONE).open()
        for moves in ("A1 A2 A3 A4", "A3 A2 A1 A4", "A3 A4 S1 A2")
    )
    assert one.id == two.id != other.id


def test_the_same_position_of_another_seat_or_setting_is_another_spot() -> None:
    start = Spot("number-bid", {}, None, "", nd.Seat.ONE)
    others = [
        Spot("number-bid", {}, None, "", nd.Seat.TWO),
        Spot("number-bid", {"numbers": 11}, None, "", nd.Seat.ONE),
    ]
    assert len({one.open().id for one in (start, *others)}) == 3


def test_an_id_is_the_same_in_every_process() -> None:
    """The hashes of Python are not: they differ from process to process."""
    spot = Spot("high-low-battle", {}, None, "6/9 9/8", nd.Seat.TWO).open()
    assert spot.id == "236c91b800d57d48"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"moves": 7}, "needs the name of its game and its moves"),
        ({"settings": []}, "needs settings"),
        ({"seat": 3}, "must name the seat that chooses: 1 or 2"),
        ({"seat": "1"}, "must name the seat that chooses: 1 or 2"),
        ({"game": "number-bit"}, "There is no game named"),
        ({"settings": {"numbers": 99}}, "numbers"),
        ({"moves": "7/66"}, "66"),
    ],
)
def test_what_is_no_spot_is_refused_in_a_sentence(wrong: dict[str, object], said: str) -> None:
    right = Spot("number-bid", {"numbers": 10}, None, "7/6", nd.Seat.ONE).to_json()
    with pytest.raises(ValueError, match=said):
        Spot.from_json({**right, **wrong}).open()


def test_who_has_nothing_to_decide_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Player 2 has no decision after A1 A2\."):
        Spot("number-knot", {}, None, "A1 A2", nd.Seat.TWO).open()
