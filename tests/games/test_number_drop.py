"""Number Drop, rule by rule."""

from __future__ import annotations

from random import Random
from typing import cast

import pytest

from number_duels import Decision, Outcome, Seat, load
from number_duels.core.board import Grid
from number_duels.games.number_drop import Attack, NumberDrop, Operation
from tests.games.table import IllegalMove, outcome, played, told

GAME = NumberDrop()
SMALL = NumberDrop(side=2)
DEAL = "294753618 672159834"
IN_ORDER = "1234 1234"


def test_both_grids_have_the_numbers_one_to_nine() -> None:
    for start in (GAME.start(), GAME.start(Random(1)), GAME.start(deal=DEAL)):
        assert start.left(Seat.ONE) == start.left(Seat.TWO) == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_grids_are_in_order_or_shuffled_or_as_dealt() -> None:
    assert GAME.start().grids == ((1, 2, 3, 4, 5, 6, 7, 8, 9),) * 2
    one, two = GAME.start(Random(1)).grids
    assert one != two
    assert GAME.start(deal=DEAL).grids == ((2, 9, 4, 7, 5, 3, 6, 1, 8), (6, 7, 2, 1, 5, 9, 8, 3, 4))


def test_any_two_different_numbers_can_be_added_or_subtracted() -> None:
    turn = GAME.turn(GAME.start())
    assert isinstance(turn, Decision)
    assert set(turn.options) == {Seat.ONE}
    pairs = [(a, b) for a in range(1, 10) for b in range(1, a)]
    expected = {f"{a}{sign}{b}" for a, b in pairs for sign in "+-"}
    assert set(map(str, turn.options[Seat.ONE])) == expected
    assert len(turn.options[Seat.ONE]) == 72


def test_a_result_that_the_opponent_has_not_removes_only_ones_own_numbers() -> None:
    state = played(GAME, "7+5", DEAL).view(None)
    assert state.grids[0] == (2, 9, 4, None, None, 3, 6, 1, 8)
    assert state.left(Seat.TWO) == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_a_result_that_the_opponent_has_is_eliminated() -> None:
    match = played(GAME, "7+5 7-6", DEAL)
    assert match.view(None).grids == (
        (2, 9, 4, None, None, 3, 6, None, 8),
        (None, None, 2, 1, 5, 9, 8, 3, 4),
    )
    assert "- Number 1 is eliminated from Player 1's grid." in told(match)


def test_the_words_of_the_documents_third_turn() -> None:
    assert told(played(GAME, "7+5 7-6 9-3", DEAL), Seat.ONE) == [
        "Calculating: 9 - 3 = 6",
        "Attempting to eliminate number 6 from opponent's grid...",
        "Result:",
        "- Number 6 is not on opponent's grid.",
        "- Removed numbers 3 and 9 from your grid.",
    ]


def test_numbers_once_used_or_eliminated_cannot_be_used() -> None:
    match = played(GAME, "7+5 7-6", DEAL)
    for gone in ("8-7", "5+2", "2-1"):
        with pytest.raises(IllegalMove, match="is not available"):
            match.submit(Seat.ONE, GAME.parse(gone))


def test_a_number_is_not_combined_with_itself() -> None:
    with pytest.raises(IllegalMove):
        GAME.play(GAME.start(), {Seat.ONE: GAME.parse("4+4")})


def test_one_number_alone_is_played_only_when_it_is_the_last() -> None:
    with pytest.raises(IllegalMove):
        GAME.play(GAME.start(), {Seat.ONE: GAME.parse("4")})
    match = played(SMALL, "2+1 2+1", IN_ORDER)
    assert match.view(None).left(Seat.ONE) == [4]
    assert match.options(Seat.ONE) == (Attack(4),)


def test_with_a_last_number_no_operation_is_asked() -> None:
    question = SMALL.question(played(SMALL, "2+1 2+1", IN_ORDER).view(Seat.ONE), Seat.ONE)
    (answer,) = question.answers
    assert answer.text == "4"
    assert answer.leads_to == Attack(4)


def test_if_both_grids_are_empty_the_player_whose_turn_it_was_wins() -> None:
    match = played(SMALL, "2+1 2+1 4", IN_ORDER)
    assert match.view(None).left(Seat.ONE) == match.view(None).left(Seat.TWO) == []
    assert match.turn == Outcome(Seat.ONE, "Both grids are empty, and it was Player 1's turn.")
    assert outcome(NumberDrop(side=2, first=2), "2+1 2+1 4", IN_ORDER) == "0-1"
    assert told(match)[-1] == "Player 1 wins the game!"


def test_using_up_ones_own_grid_without_emptying_the_other_loses() -> None:
    match = played(SMALL, "2+1 4-2 4+3", IN_ORDER)
    assert match.view(None).left(Seat.TWO) == [1]
    assert match.turn == Outcome(Seat.TWO, "Player 1 has no numbers left.")


def test_emptying_the_opponents_grid_wins() -> None:
    match = played(GAME, "9-8 9+8 7-5 7+6 6+3 5+4 2+1", DEAL)
    assert match.view(None).left(Seat.ONE) == [4]
    assert match.turn == Outcome(Seat.ONE, "Player 2 has no numbers left.")


def test_the_smallest_game_is_won_by_the_first_turn() -> None:
    assert outcome(NumberDrop(side=1), "1", "1 1") == "1-0"
    assert outcome(NumberDrop(side=1, first=2), "1", "1 1") == "0-1"


def test_nobody_ever_has_to_pass() -> None:
    """Whoever is to move has numbers; who has none has lost before."""
    for seed in range(50):
        rng = Random(seed)
        state = GAME.start(rng)
        while isinstance(turn := GAME.turn(state), Decision):
            assert state.left(Seat.ONE)
            assert state.left(Seat.TWO)
            state = GAME.play(state, {state.mover: rng.choice(turn.options[state.mover])})


def test_where_a_number_lies_does_not_matter_to_the_future() -> None:
    dealt, in_order = GAME.start(deal=DEAL), GAME.start()
    assert dealt != in_order
    assert GAME.key(dealt) == GAME.key(in_order)


def test_a_removed_number_leaves_an_empty_cell() -> None:
    board = GAME.board(played(GAME, "7+5", DEAL).view(None))
    assert board[0] == Grid("Grid", Seat.ONE, ((2, 9, 4), (None, None, 3), (6, 1, 8)))
    assert list(GAME.drawing(played(GAME, "7+5", DEAL).view(None), Seat.ONE)) == [
        "[2][9][4]",
        "[ ][ ][3]",
        "[6][1][8]",
    ]


@pytest.mark.parametrize("text", ["8-3", "3-8", "3 - 8", " 8 -3 ", "8- 3"])
def test_what_people_type_is_taken_and_the_larger_number_comes_first(text: str) -> None:
    assert GAME.parse(text) == Attack(8, Operation.SUBTRACT, 3)
    assert str(GAME.parse(text)) == "8-3"


@pytest.mark.parametrize(
    "text", ["", "+", "8-", "-3", "8*3", "8-3-1", "\u0668-\u0663", "8\u22123", "eight", "1e3"]
)
def test_what_is_no_move_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ValueError, match="A move is two numbers with"):
        GAME.parse(text)


def test_equal_moves_do_the_same() -> None:
    """A move is a value: one that equals an option is refused or does what the option does."""
    move = Attack(8, cast("Operation", "-"), 3)
    if move == Attack(8, Operation.SUBTRACT, 3):
        assert GAME.play(GAME.start(), {Seat.ONE: move}).left(Seat.TWO) == [1, 2, 3, 4, 6, 7, 8, 9]


@pytest.mark.parametrize(
    "deal",
    [
        "",
        "294753618",
        "294753618 672159834 123456789",
        "294753618 672159833",
        "29475361 672159834",
        "2947536180 672159834",
        "294753618 67215983x",
        "294753618 672159834x",
        "294753618 \u066672159834",
        "2,9,4,7,5,3,6,1 672159834",
        "294753618/672159834",
        "9" * 5000 + ",1 672159834",
    ],
)
def test_a_deal_that_is_not_two_whole_grids_is_refused(deal: str) -> None:
    with pytest.raises(
        ValueError, match="two grids, each with every number from 1 to 9 once, such as"
    ):
        GAME.start(deal=deal)


def test_larger_grids_are_dealt_with_commas() -> None:
    game = NumberDrop(side=4)
    numbers = ",".join(map(str, range(16, 0, -1)))
    start = game.start(deal=f"{numbers} {numbers}")
    assert start.grids[0] == tuple(range(16, 0, -1))
    assert game.deal_text(start) == f"{numbers} {numbers}"
    with pytest.raises(ValueError, match="1 to 16"):
        game.start(deal=DEAL)


def test_a_match_always_knows_its_deal() -> None:
    record = played(GAME).record
    assert record.deal is not None
    assert GAME.start(deal=record.deal) == played(GAME).view(None)
    assert played(GAME, deal=DEAL).record.deal == DEAL


@pytest.mark.parametrize(
    ("settings", "allowed"),
    [({"side": 0}, "1 to 5"), ({"side": 6}, "1 to 5"), ({"first": 0}, "1 or 2")],
)
def test_settings_have_their_ranges(settings: dict[str, int | str], allowed: str) -> None:
    with pytest.raises(ValueError, match=allowed):
        load("number-drop", **settings)


def test_a_move_says_before_it_is_made_which_numbers_it_uses_up() -> None:
    start = GAME.start()
    said = [GAME.consequence(start, Seat.ONE, GAME.parse(move)) for move in ("8-3", "9+8")]
    assert said == [
        "8 - 3 = 5: strikes 5, uses up 8 and 3",
        "9 + 8 = 17: strikes nothing, uses up 9 and 8",
    ]
