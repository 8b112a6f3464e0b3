"""Locks as they are written, and how several of them act together."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.solvers.strategy_locks import LockRules

ONE, TWO = nd.Seat


@pytest.mark.parametrize(
    "text",
    [
        "2 never 10",
        "1 never 9 10",
        "2 always 5 at 7/6",
        "2 always 5 at start",
        "2 plays 6:30 8:25 at 7/6 5/4",
        "1 plays S5:0.5",
    ],
)
def test_what_is_written_is_read_back(text: str) -> None:
    assert str(nd.Lock.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2 never 10 everywhere", "2 never 10"),
        ("2 never 9, 10", "2 never 9 10"),
        ("2  always 5   here", "2 always 5 at 7/6"),
        ("2 plays 6:30.0", "2 plays 6:30"),
    ],
)
def test_other_ways_to_say_it(text: str, same: str) -> None:
    assert str(nd.Lock.parse(text, here="7/6")) == same


def test_here_is_the_start_where_nothing_was_played() -> None:
    assert nd.Lock.parse("2 never 10 here").at == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not a lock"),
        ("2", "is not a lock"),
        ("3 never 10", "2 always 5 here"),
        ("2 often 10", "is not a lock"),
        ("2 never", "at least one move"),
        ("2 never here", "at least one move"),
        ("2 never 5 5", "each move once"),
        ("2 always 5 6", "After 'always', name one move"),
        ("2 plays 5", "5:30"),
        ("2 plays 5:often", "5:30"),
        ("2 plays 5:-1 6:2", "0 or more"),
        ("2 plays 5:inf", "0 or more"),
        ("2 plays 5:nan", "0 or more"),
        ("2 plays 5:1e308 6:1e308", "0 or more"),
        ("2 plays 5:1 05:3", "names a move twice"),
        ("2 plays 5:0", "must be more than 0"),
        ("2 never 5 at", "or 'start'"),
        ("2 never 11", "not a move in Number Bid"),
        ("2 never ten", "A bid is a number"),
        ("2 never 10 at 3/3 3/3", "turn 2"),
    ],
)
def test_what_is_wrong_is_answered_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as found:
        LockRules.read(nd.load("number-bid"), [text])
    assert str(found.value).endswith(".")


def test_a_lock_made_by_hand_is_checked_too() -> None:
    with pytest.raises(ValueError, match="each move needs a weight"):
        nd.Lock(TWO, "never", ("5",), (1.0,))
    with pytest.raises(ValueError, match="'never', 'always' or 'plays'"):
        nd.Lock(TWO, "sometimes", ("5",))


def test_a_spot_must_be_one_at_which_the_seat_decides() -> None:
    knot = nd.load("number-knot")
    with pytest.raises(ValueError, match="where Player 2 does not move"):
        LockRules.read(knot, ["2 never S5 at start"])
    assert LockRules.read(knot, ["2 never S5 at S1"]).spots


def test_a_spot_before_a_draw_is_the_decision_after_it_whatever_is_drawn() -> None:
    stack = nd.load("number-stack-showdown")
    assert len(LockRules.read(stack, ["2 never g at 7k"]).spots) == 10
    assert len(LockRules.read(stack, ["2 never g at 7k 3"]).spots) == 1


# ---- several locks -------------------------------------------------------------


def left(locks: list[str], moves: str = "") -> dict[str, float] | list[str]:
    """What is open to Player 2: a fixed mixed strategy, or some moves."""
    game = nd.load("number-bid", numbers=5)
    state = nd.History.read(game, game.start(), moves).state
    turn = game.turn(state)
    assert isinstance(turn, nd.Decision)
    options = turn.options[TWO]
    mixes = LockRules.read(game, locks).open(state, TWO, options)
    names = list(map(str, options))
    if len(mixes) == 1:
        return {move: odds for move, odds in zip(names, mixes[0], strict=True) if odds}
    return [names[mix.index(1.0)] for mix in mixes]


def test_locks_act_on_what_those_before_them_leave() -> None:
    assert left(["2 never 5", "2 never 4"]) == ["1", "2", "3"]
    assert left(["2 never 5", "2 plays 5:1 4:1"]) == {"4": 1.0}
    assert left(["2 plays 3:1 4:2 5:1", "2 never 4"]) == {"3": 0.5, "5": 0.5}
    assert left(["2 plays 3:1 4:3", "2 plays 4:1 3:9"]) == {"3": 0.25, "4": 0.75}
    assert left(["2 always 1 at start", "2 always 2"]) == {"1": 1.0}


def test_a_lock_that_would_leave_no_move_does_not_apply() -> None:
    assert left(["2 always 3", "2 never 3"]) == {"3": 1.0}
    assert left(["2 never 1 2 3 4 5"]) == ["1", "2", "3", "4", "5"]
    assert left(["2 never 5"], "1/2 3/4") == {"5": 1.0}
    assert left(["2 plays 1:1 2:1"], "1/2") == ["3", "4", "5"]


def test_a_lock_holds_for_its_seat_and_in_its_spot_alone() -> None:
    assert left(["1 never 5"]) == ["1", "2", "3", "4", "5"]
    assert left(["2 never 5 at 1/2"]) == ["1", "2", "3", "4", "5"]
    assert left(["2 never 5 at 1/2"], "1/2") == ["3", "4"]
    assert left(["2 never 5 at 1/2"], "2/1") == ["3", "4", "5"]  # another score
