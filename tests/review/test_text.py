"""Hints in words: who wins and how often, what to do, and why."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels import Seat
from number_duels.review.chances import Chances
from number_duels.review.position import examine_with_chances, position_of
from number_duels.review.text import bar, position_lines
from number_duels.review.words import verdict


@pytest.mark.parametrize(
    ("value", "viewer", "chances", "sentence"),
    [
        (1.0, None, None, "Player 1 wins if both play perfectly."),
        (-1.0, None, None, "Player 2 wins if both play perfectly."),
        (0.0, None, None, "It is even if both play perfectly."),
        (0.0, None, Chances(0.0, 1.0, 0.0), "It is a draw if both play perfectly."),
        (1.0, Seat.TWO, None, "Your opponent wins if both play perfectly."),
        (-1.0, Seat.TWO, None, "You win if both play perfectly."),
        (
            0.22,
            Seat.TWO,
            Chances(0.61, 0.0, 0.39),
            "You win 39% and lose 61% of the time if both play perfectly.",
        ),
        (
            0.22,
            None,
            Chances(0.5, 0.22, 0.28),
            "Player 1 wins 50%, draws 22% and loses 28% of the time if both play perfectly.",
        ),
        (
            0.22,
            Seat.TWO,
            None,
            "You have a winning chance of 39% if both play perfectly; a draw counts half.",
        ),
    ],
)
def test_a_verdict_is_told_to_its_viewer(
    value: float, viewer: Seat | None, chances: Chances | None, sentence: str
) -> None:
    assert verdict(value, viewer, chances) == sentence


def test_a_bar_is_as_long_as_its_share() -> None:
    assert bar(0.0) == "·" * 12
    assert bar(0.5) == "█" * 6 + "·" * 6
    assert bar(1.0) == "█" * 12
    assert len(bar(0.37)) == 12


def hint(name: str, moves: str, seat: Seat = Seat.ONE, **settings: int | str) -> list[str]:
    game = nd.load(name, **settings)
    state, _ = position_of(game, None, moves)
    solution = nd.solve(game)
    return list(position_lines(examine_with_chances(solution, state), seat))


def test_equally_good_moves_are_in_one_line() -> None:
    told = hint("number-knot", "S5", Seat.TWO)
    assert told[0] == "It is a draw if both play perfectly."
    assert told[2] == "Your best moves are equally good, add 6, add 7, add 8 or add 9: each draws."
    assert told[5].endswith("  50%  add 6, add 7, add 8, add 9: draws")
    assert told[6].endswith("   0%  add 1, subtract 1, add 2, subtract 2, add 3, subtract 3,"
                            " add 4, subtract 4, subtract 6, subtract 7, subtract 8, subtract 9:"
                            " loses")  # fmt: skip


def test_where_every_move_is_as_good_one_sentence_says_so() -> None:
    told = hint("number-knot", "A1 A2 A3 A4", numbers=6, life=30)
    assert told[2] == "Your moves are all equally good: every move keeps the draw."


def test_moves_that_keep_the_win_whatever_the_other_does_are_named() -> None:
    told = hint("number-bid", "7/6")
    assert told[2] == (
        "Your best moves are equally good, bid 1, bid 2 or bid 10: each keeps the win, whatever"
        " your opponent does."
    )
    assert told[3] == "Perfect play chooses bid 1: it gains most if your opponent goes wrong."
    assert told[5].endswith("  100%         100%  bid 1, bid 2, bid 10: wins")
    assert told[6].endswith("   50%          50%  bid 3: draws")
    assert told[7].endswith("    0%           0%  bid 4, bid 5, bid 8, bid 9: loses")
    assert "Your best move is play 2: it keeps the win" in hint("high-low-battle", "6/9 9/8 8/2")[2]


def test_where_mixing_matters_the_mixture_comes_first_and_says_why() -> None:
    told = hint("high-low-battle", "", cards=5, rounds=4)
    assert told[2].startswith("Your best is to choose by chance: play ")
    expected = "Always the same choice can be expected, and the best reply to it leaves "
    assert told[3].startswith(f"{expected}a winning chance of at most 27% (always play 5: ")
    assert hint("high-low-battle", "", cards=4, rounds=3)[3].startswith(
        f"{expected}no winning chance;"
    )
    assert told[4].split() == ["chance", "often", "if", "expected"]


def test_a_card_is_kept_or_given_in_those_words() -> None:
    told = hint("number-stack-showdown", "5", target=15, highest=5, copies=2)
    assert any(line.endswith("%") and "keep: wins " in line for line in told[4:])
    assert all("k:" not in line and "g:" not in line for line in told)
