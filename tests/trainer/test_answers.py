"""What a learner may type, and what is refused with what would have been right."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.trainer.exercise import MIXED, read_answer
from number_duels.trainer.spot import OpenSpot, Spot


@pytest.fixture
def bids() -> OpenSpot:
    return Spot("number-bid", {}, None, "7/6", nd.Seat.ONE).open()


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        ("9", {"9": 1.0}),
        ("9:1 10:3", {"9": 0.25, "10": 0.75}),
        ("10:75%, 9:25%", {"9": 0.25, "10": 0.75}),
        ("10 : 1.5 , 9:0.5", {"9": 0.25, "10": 0.75}),
        ("9:0 10:5", {"10": 1.0}),
    ],
)
def test_a_mixed_strategy_is_typed_in_any_usual_way(
    bids: OpenSpot, text: str, weights: dict[str, float]
) -> None:
    answer = read_answer(bids, text, MIXED)
    assert answer.weights == weights
    assert read_answer(bids, answer.text, MIXED).weights == weights


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("7", "'7' is not available; choose"),
        ("7:50 8:50", "'7' is not available; choose"),
        ("9:50 9:50", "9 appears twice"),
        ("9:0 10:0", "more than 0%"),
        ("9:-1 10:2", "'9:-1' is not a choice with a percentage; type CHOICE:PERCENT"),
        ("9:1e9", "is not a choice with"),
        (":5", "is not a choice with"),
        ("9:", "is not a choice with"),
        ("9:1 10", "'10' is not a choice with"),
        ("nine", "."),
        ("", "."),
    ],
)
def test_what_is_no_answer_is_refused_in_a_sentence(bids: OpenSpot, text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_answer(bids, text, MIXED)


def test_a_move_is_typed_as_in_a_game() -> None:
    spot = Spot("number-knot", {}, None, "", nd.Seat.ONE).open()
    assert read_answer(spot, "s 5", "move").weights == {"S5": 1.0}
