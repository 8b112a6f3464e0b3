"""Number Knot, rule by rule."""

from __future__ import annotations

from typing import cast

import pytest

from number_duels import Decision, Outcome, Seat, load
from number_duels.games.number_knot import Action, NumberKnot, Pull
from tests.games.table import IllegalMove, outcome, played, told

GAME = NumberKnot()
ALL_ADDED = "A1 A2 A3 A4 A5 A6 A7 A8 A9"  # 10 + 25 against 10 + 20


def test_both_start_with_ten_and_the_line_is_one_to_nine() -> None:
    start = GAME.start()
    assert start.life == (10, 10)
    assert start.line == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert start.mover is Seat.ONE


def test_any_number_can_be_added_or_subtracted() -> None:
    turn = GAME.turn(GAME.start())
    assert isinstance(turn, Decision)
    assert set(turn.options) == {Seat.ONE}
    expected = {f"{action}{n}" for action in "AS" for n in range(1, 10)}
    assert set(map(str, turn.options[Seat.ONE])) == expected


def test_adding_helps_oneself_and_subtracting_hurts_the_opponent() -> None:
    assert played(GAME, "S5").view(None).life == (10, 5)
    assert played(GAME, "A5").view(None).life == (15, 10)
    assert played(GAME, "S5 A3").view(None).life == (10, 8)
    assert played(GAME, "S5 S3").view(None).life == (7, 5)


def test_a_number_is_used_only_once() -> None:
    match = played(GAME, "S5")
    assert match.view(None).line == (1, 2, 3, 4, 6, 7, 8, 9)
    for move in ("S5", "A5"):
        with pytest.raises(IllegalMove, match=f"{move} is not available"):
            match.submit(Seat.TWO, GAME.parse(move))


def test_players_take_turns() -> None:
    match = played(GAME, "S5")
    assert match.view(None).mover is Seat.TWO
    with pytest.raises(IllegalMove, match="Only Player 2 can move now"):
        match.submit(Seat.ONE, GAME.parse("S3"))


def test_the_example_of_the_document() -> None:
    match = played(GAME, "S5 A3 S9")
    assert [s.after.life for s in match.steps(None)] == [(10, 5), (10, 8), (10, -1)]
    assert match.turn == Outcome(Seat.ONE, "Player 2's life total has reached zero or below.")
    assert told(match) == [
        "Player 1 subtracts 9 from Player 2.",
        "Updated Life Totals:",
        "Player 1 Life Total: 10",
        "Player 2 Life Total: -1",
        "Player 2's life total has reached zero or below.",
        "Player 1 wins the game!",
    ]


def test_exactly_zero_is_enough_and_ends_the_game_at_once() -> None:
    match = played(GAME, "S9 A2 S3")
    assert match.view(None).life == (10, 0)
    assert match.result == "1-0"
    with pytest.raises(IllegalMove, match="over"):
        match.submit(Seat.TWO, GAME.parse("S1"))


def test_player_two_can_win_too() -> None:
    assert outcome(GAME, "A1 S9 A2 S8") == "0-1"


def test_all_numbers_used_and_both_alive_is_a_draw() -> None:
    match = played(GAME, ALL_ADDED)
    assert match.view(None).life == (35, 30)
    assert match.result == "1/2-1/2"
    assert told(match)[-2:] == [
        "No numbers are left and both players are alive.",
        "The game is a draw.",
    ]


def test_with_higher_life_the_higher_total_wins_an_exhausted_game() -> None:
    game = NumberKnot(exhausted="higher-life")
    assert outcome(game, ALL_ADDED) == "1-0"
    assert "Player 1 wins the game!" in told(played(game, ALL_ADDED))
    assert outcome(NumberKnot(exhausted="higher-life", first=2), ALL_ADDED) == "0-1"


def test_with_higher_life_equal_totals_draw() -> None:
    game = NumberKnot(exhausted="higher-life", numbers=3)
    assert outcome(game, "A1 A3 A2") == "1/2-1/2"


def test_a_player_brought_down_by_the_last_number_has_lost() -> None:
    for exhausted in ("draw", "higher-life"):
        game = NumberKnot(life=1, numbers=1, exhausted=exhausted)
        assert outcome(game, "S1") == "1-0"


def test_the_second_player_can_take_the_first_turn() -> None:
    match = played(NumberKnot(first=2), "S5")
    assert match.view(None).life == (5, 10)
    assert match.view(None).mover is Seat.ONE


@pytest.mark.parametrize("text", ["S5", "s5", "s 5", "5s", "5 s", "sub 5", "Subtract 5", " S5 "])
def test_what_people_type_is_taken(text: str) -> None:
    assert GAME.parse(text) == Pull(Action.SUBTRACT, 5)


@pytest.mark.parametrize("text", ["", "5", "S", "X5", "S\u0665", "S-5", "S5 A3", "S99999", "A/3"])
def test_what_is_no_move_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ValueError, match="A move is A or S and a number"):
        GAME.parse(text)


def test_equal_moves_do_the_same() -> None:
    """A move is a value: one that equals an option is refused or does what the option does."""
    move = Pull(cast("Action", "A"), 5)
    if move == Pull(Action.ADD, 5):
        assert GAME.play(GAME.start(), {Seat.ONE: move}).life == (15, 10)


@pytest.mark.parametrize(
    ("settings", "allowed"),
    [
        ({"life": 0}, "1 to 99"),
        ({"life": 100}, "1 to 99"),
        ({"numbers": 0}, "1 to 15"),
        ({"numbers": 16}, "1 to 15"),
        ({"first": 3}, "1 or 2"),
        ({"exhausted": "win"}, "draw or higher-life"),
    ],
)
def test_settings_have_their_ranges(settings: dict[str, int | str], allowed: str) -> None:
    with pytest.raises(ValueError, match=allowed):
        load("number-knot", **settings)


def test_the_settings_are_those_of_the_record() -> None:
    assert GAME.settings == {"first": 1, "life": 10, "numbers": 9, "exhausted": "draw"}


def test_a_refused_reply_is_told_the_true_reason() -> None:
    game = NumberKnot()
    state = game.play(game.start(), {Seat.ONE: game.parse("S7")})
    conversation = game.ask(state, Seat.TWO)
    next(conversation)
    for reply, reason in (
        ("7", "That number is not available"),  # a used number
        ("S7", "That move is not available"),
        ("seven", "That is not an answer"),
        ("", "Nothing was typed"),
    ):
        assert (conversation.send(reply).reason or "").startswith(reason)
    assert conversation.send("5").reason is None
    assert (conversation.send("7").reason or "").startswith("That is not an answer")


def test_a_choice_says_whose_life_it_changes() -> None:
    start = GAME.start()
    assert GAME.consequence(start, Seat.ONE, GAME.parse("A3")) == "your life 10 → 13"
    assert GAME.consequence(start, Seat.ONE, GAME.parse("S3")) == "their life 10 → 7"
    lethal = GAME.play(GAME.play(start, {Seat.ONE: GAME.parse("S9")}), {Seat.TWO: GAME.parse("A1")})
    assert GAME.consequence(lethal, Seat.ONE, GAME.parse("S2")) == "their life 2 → 0: wins"
