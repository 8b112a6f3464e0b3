"""The exercises for a class in docs/learn.md show what the page says."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.review.words import chance
from number_duels.trainer import judge, read_answer
from number_duels.trainer.exercise import Exercise
from number_duels.trainer.spot import Spot
from tests.documented import ROOT

PAGE = (ROOT / "docs" / "learn.md").read_text(encoding="utf-8")
HIGH = "high-low-battle"


def test_four_cards_are_rock_paper_scissors() -> None:
    solution = nd.solve(nd.load(HIGH, cards=4, rounds=3))
    start = solution.game.start()
    matrix = solution.matrix(start)
    for card, row in zip(matrix.rows, matrix.values, strict=True):
        assert f"# {card} {row}\n" in PAGE
    thirds = pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])
    assert list(solution.strategy(start, nd.Seat.ONE).values()) == thirds


@pytest.mark.parametrize(("mixture", "taken"), [("8:100", "26%"), ("9:50 8:50", "20%")])
def test_a_mixture_gives_away_what_the_page_says(mixture: str, taken: str) -> None:
    spot = Spot(HIGH, {}, None, "", nd.Seat.ONE).open()
    exercise = Exercise(spot, nd.solve(spot.game), "mixture")
    answer = read_answer(spot, mixture, "mixture")
    assert f"takes {taken} of your winning chance" in judge(exercise, answer).headline
    assert f"`{mixture}`" in PAGE
    assert taken in PAGE


def test_what_habits_cost() -> None:
    high, bid = nd.load(HIGH), nd.load("number-bid")
    eight = nd.solve(high, locks=["2 always 8 at start"])
    replies = eight.reply_values(high.start(), nd.Seat.ONE)
    best = max(replies, key=lambda move: replies[move])
    assert f"{best} against the 8 brings a winning chance of {chance(replies[best])} " in PAGE
    never_ten = nd.solve(bid, locks=["2 never 10"])
    assert never_ten.value(bid.start()) == pytest.approx(1)


def test_a_lucky_player_lost_by_the_last_card() -> None:
    settings: dict[str, int | str] = {"target": 12, "highest": 4, "copies": 3}
    moves = "3g 4k 1k 4k 1k 4g 1g"
    assert moves in PAGE
    found = nd.review(nd.Record("number-stack-showdown", settings, None, 0, moves=moves))
    me = found.players[nd.Seat.ONE]
    assert f"# lost by mistakes {me.loss:.2f}, luck {me.luck:+.2f}\n" in PAGE
    assert found.decisive is not None
    assert (found.decisive.turn, found.decisive.move) == (len(moves.split()), "g")
    assert found.decisive.value_before == pytest.approx(0.8)  # wins nine times in ten, if kept
