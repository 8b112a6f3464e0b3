"""Number Bid, rule by rule."""

from __future__ import annotations

import pytest

from number_duels import Decision, Outcome, Seat, load
from number_duels.games.number_bid import Bid, NumberBid
from tests.games.table import IllegalMove, outcome, played, told

GAME = NumberBid()
EXAMPLE = "7/6 5/9 10/8 2/4 3/1"


def test_the_pool_is_one_to_ten_and_nobody_has_points() -> None:
    start = GAME.start()
    assert start.pool == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert start.scores == (0, 0)


def test_both_bid_at_once_from_the_same_pool() -> None:
    turn = played(GAME, "7/6").turn
    assert isinstance(turn, Decision)
    assert turn.options[Seat.ONE] == turn.options[Seat.TWO]
    assert [bid.number for bid in turn.options[Seat.ONE]] == [1, 2, 3, 4, 5, 8, 9, 10]


@pytest.mark.parametrize(("bids", "scores"), [("7/5", (12, 0)), ("5/7", (0, 12)), ("2/1", (3, 0))])
def test_the_higher_bid_scores_the_sum_of_both(bids: str, scores: tuple[int, int]) -> None:
    assert played(GAME, bids).view(None).scores == scores


def test_equal_bids_score_nothing_and_remove_that_one_number() -> None:
    match = played(GAME, "7/7")
    assert match.view(None).scores == (0, 0)
    assert match.view(None).pool == (1, 2, 3, 4, 5, 6, 8, 9, 10)
    assert "Numbers Removed: 7" in told(match)
    assert "It's a tie! No points awarded." in told(match)


@pytest.mark.parametrize("number", [7, 6])
def test_a_number_that_was_bid_cannot_be_bid_again_by_anybody(number: int) -> None:
    match = played(GAME, "7/6")
    for seat in Seat:
        with pytest.raises(IllegalMove, match=rf"{number} is not available; choose one of 1, 2,"):
            match.submit(seat, Bid(number))


def test_the_example_of_the_document() -> None:
    match = played(GAME, EXAMPLE)
    scores = [step.after.scores for step in match.steps(None)]
    assert scores == [(13, 0), (13, 14), (31, 14), (31, 20), (35, 20)]
    assert match.turn == Outcome(Seat.ONE, "Player 1 has the higher total score.")
    assert "Remaining Numbers: None" in told(match)
    assert told(match)[-4:] == [
        "Final Scores:",
        "Player 1: 35",
        "Player 2: 20",
        "Player 1 wins the game with a higher total score.",
    ]


def test_the_words_after_a_round_are_those_of_the_document() -> None:
    assert told(played(GAME, "7/6")) == [
        "Player 1 bid: 7",
        "Player 2 bid: 6",
        "Player 1 wins the round and scores 13 points!",
        "Numbers Removed: 7, 6",
        "Remaining Numbers: 1, 2, 3, 4, 5, 8, 9, 10",
        "Player 1 Score: 13",
        "Player 2 Score: 0",
    ]


def test_a_last_number_is_bid_by_both_and_scores_nothing() -> None:
    game = NumberBid(numbers=3)
    match = played(game, "2/1")
    turn = match.turn
    assert isinstance(turn, Decision)
    assert turn.options == {Seat.ONE: (Bid(3),), Seat.TWO: (Bid(3),)}
    for seat in Seat:
        match.submit(seat, Bid(3))
    assert match.view(None).scores == (3, 0)
    assert match.result == "1-0"
    assert "Numbers Removed: 3" in told(match)


def test_equal_totals_are_a_draw() -> None:
    match = played(NumberBid(numbers=4), "4/1 2/3")
    assert match.view(None).scores == (5, 5)
    assert match.turn == Outcome(None, "Both players have the same total score.")
    assert told(match)[-1] == "The game is a draw: both players have the same total score."


def test_a_game_of_ties_alone_is_a_draw_with_no_points() -> None:
    assert outcome(GAME, " ".join(f"{n}/{n}" for n in range(1, 11))) == "1/2-1/2"


def test_bids_are_secret() -> None:
    for seat in Seat:
        question = GAME.question(GAME.start(), seat)
        assert question.secret
        assert question.typed_prompt == f"{seat}, enter your bid: "


@pytest.mark.parametrize("text", ["7", " 7 ", "007"])
def test_what_people_type_is_taken(text: str) -> None:
    assert GAME.parse(text) == Bid(7)


@pytest.mark.parametrize(
    "text", ["", "seven", "7/6", "-7", "+7", "7.0", "\u0667", "7 6", "77777", "\u2466"]
)
def test_what_is_no_bid_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ValueError, match="A bid is a number"):
        GAME.parse(text)


@pytest.mark.parametrize("numbers", [1, 21])
def test_the_pool_has_two_to_twenty_numbers(numbers: int) -> None:
    assert load("number-bid", numbers=2).settings == {"numbers": 2}
    assert load("number-bid", numbers=20).settings == {"numbers": 20}
    with pytest.raises(ValueError, match="2 to 20"):
        load("number-bid", numbers=numbers)


def test_it_has_no_first_player_and_takes_no_deal() -> None:
    with pytest.raises(ValueError, match="no first player: both players choose at once"):
        load("number-bid", first=2)
    with pytest.raises(ValueError, match="takes no deal"):
        GAME.start(deal="1 2 3")
