"""Hints in words and figures: what to do, why, and the winning chance of every option."""

from __future__ import annotations

import re
from collections.abc import Hashable
from dataclasses import replace
from random import Random

import pytest

import number_duels as nd
from number_duels import Seat
from number_duels.core.history import History
from number_duels.core.scene import Row, Scene, Table
from number_duels.review.position import examine_with_chances, position_of
from number_duels.sessions.scene_tables import (
    BETTER,
    NEARLY_EQUAL,
    hint_of,
    hint_scene,
    hint_steps,
    natural_order,
    scene_lines,
)
from number_duels.terminal.app.scene_text import option_lines
from tests.some_games import SOME_GAMES
from tests.terminal.training import loaded


def hinted(game: nd.AnyGame, state: Hashable, seat: Seat) -> Scene:
    return hint_of(nd.solve(game), History(game, state), seat)[1]


def hint(name: str, moves: str, seat: Seat = Seat.ONE, **settings: int) -> list[str]:
    game = loaded(name, **settings)
    state, _ = position_of(game, None, moves)
    return list(scene_lines(replace(hinted(game, state, seat), lines=())))


def test_equally_good_moves_are_in_one_line() -> None:
    told = hint("number-knot", "S5", Seat.TWO)
    assert told[0] == "It is a draw if both play perfectly."
    assert told[2] == "Your best moves are add 6, add 7, add 8 and add 9: each draws."
    assert told[4].endswith("  50%  add 6, 7, 8 or 9: each draws")
    assert told[5].endswith(
        "   0%  add 1, 2, 3 or 4, subtract 1, 2, 3, 4, 6, 7, 8 or 9: each loses"
    )


def test_where_every_move_is_as_good_one_sentence_says_so() -> None:
    told = hint("number-knot", "A1 A2 A3 A4", numbers=6, life=30)
    assert told[2] == "Your moves are all equally good: every move keeps the draw."
    assert told[4].endswith("  50%  every move draws")


HARDEST = "Hardest to reply to: subtract 8 or subtract 9."


def test_moves_that_make_a_mistake_equally_likely_are_named_together() -> None:
    told = hint("number-knot", "")
    assert told[3] == HARDEST


@pytest.mark.parametrize("name", SOME_GAMES)
def test_a_reply_is_only_called_likely_to_be_wrong_if_it_can_be(name: str) -> None:
    """A player who wins for certain gains nothing from a mistake."""
    game = loaded(name)
    solution, rng = nd.solve(game), Random(5)
    for _ in range(20):
        state = game.start(rng)
        while not isinstance(turn := game.turn(state), nd.Outcome):
            if isinstance(turn, nd.Chance):
                state = game.play(state, {None: rng.choice(list(turn.odds))})
                continue
            for seat in turn.options:
                best = max(solution.values(state, seat).values())
                assert best < 1 or solution.hardest(state, seat) == ()
            state = game.play(state, {s: rng.choice(o) for s, o in turn.options.items()})


def test_moves_that_keep_the_win_whatever_the_other_does_are_named() -> None:
    told = hint("number-bid", "7/6")
    assert told[2] == (
        "Your best moves are bid 1, bid 2 and bid 10: each keeps the win,"
        " whatever your opponent does."
    )
    assert told[4].endswith("  100%      100%  bid 1, 2 or 10: each wins")
    assert told[5].endswith("   50%       50%  bid 3: draws")
    assert told[6].endswith("    0%        0%  bid 4, 5, 8 or 9: each loses")
    told = hint("high-low-battle", "6/9 9/8 8/2")
    assert "Your best move is to play 2: it keeps the win" in told[2]


def test_where_mixing_matters_the_mixed_strategy_comes_first_and_says_why() -> None:
    told = hint("high-low-battle", "", cards=5, rounds=4)
    assert told[2].startswith("Your best play is to mix: play ")
    guessed = "If your opponent guesses your choice, "
    assert told[3] == f"{guessed}your winning chance is at most 27%."
    assert hint("high-low-battle", "", cards=4, rounds=3)[3] == f"{guessed}every move loses."
    assert told[4].split() == ["chance", "often", "at", "worst"]


def test_a_card_is_kept_or_given_in_those_words() -> None:
    told = hint("number-stack-showdown", "5", target=15, highest=5, copies=2)
    assert any(line.endswith("keep") or "keep: " in line for line in told[4:])
    assert all("k:" not in line and "g:" not in line for line in told)


def test_equally_good_moves_share_a_line_and_the_best_stand_apart() -> None:
    game = loaded("number-bid")
    state, _ = position_of(game, None, "7/6")
    (table,) = hinted(game, state, Seat.ONE).tables
    assert [[row.short for row in rows] for rows in table.folded()] == [
        ["1", "2", "10"],
        ["3"],
        ["4", "5", "8", "9"],
    ]
    assert [rows[0].good for rows in table.folded()] == [True, False, False]
    assert (table.head, table.columns) == ("Bid", ("chance", "at worst"))


def test_a_mixed_strategy_has_an_area_for_each_choice_in_the_order_of_its_numbers() -> None:
    game = loaded("high-low-battle", cards=5, rounds=4)
    mix, options = hint_scene(examine_with_chances(nd.solve(game), game.start()), Seat.TWO).tables
    played = [row.short for row in options.rows if row.cells[1] != "-"]
    assert [row.short for row in mix.rows] == sorted(played, key=int)
    assert sum(row.share for row in mix.rows) == pytest.approx(1)
    order = ["bid 9", "bid 10"]
    assert order == sorted(order, key=natural_order)


# ---- steps, and one way to round ---------------------------------------------------


SHORT_GAMES: dict[str, dict[str, int]] = {
    "number-bid": {"numbers": 6},
    "high-low-battle": {"cards": 5, "rounds": 4},
    "number-knot": {},
    "number-drop": {"side": 2},
}


@pytest.mark.parametrize("name", SHORT_GAMES)
def test_a_hint_is_a_nudge_then_the_move_then_the_reason(name: str) -> None:
    game = loaded(name, **SHORT_GAMES[name])
    state = game.start(Random(1))
    (seat, *_) = examine_with_chances(nd.solve(game), state).options
    hint = hinted(game, state, seat)
    *first, last = hint_steps(hint)
    (nudge, move), why = first, last
    named = {row.words for row in hint.tables[-1].rows}
    assert [*scene_lines(nudge)] == [hint.prompt]
    assert not any(words in hint.prompt for words in named)
    assert [*scene_lines(move)] == [hint.headline]
    assert not any("%" in line for line in scene_lines(move))
    assert hint.lines
    # If all moves are equal, there is nothing to compare.
    assert why.lines == ((hint.detail, *hint.lines) if why.tables else hint.lines)
    assert move.answer
    options = examine_with_chances(nd.solve(game), state).options[seat]
    assert set(move.answer.split()) < {option.move for option in options}
    assert [len(step.actions) for step in (nudge, move, why)] == [1, 1, 0]


@pytest.mark.parametrize(
    ("name", "moves", "said"),
    [
        ("number-knot", "", "Every move draws against perfect play."),
        ("number-knot", "S9 A1", "7 of your 14 moves win."),
        ("number-bid", "7/6", "3 of your 8 moves win."),
        ("high-low-battle", "6/9 9/8 8/2", "Only one of your 6 moves wins."),
        (
            "number-stack-showdown",
            "9",
            f"{BETTER} Compare what your opponent can do after each.",
        ),
        ("number-stack-showdown", "1", NEARLY_EQUAL),
        (
            "high-low-battle",
            "",
            "No move is safe if your opponent guesses it, so don't be predictable.",
        ),
    ],
)
def test_a_nudge_says_how_many_moves_are_good(name: str, moves: str, said: str) -> None:
    game = loaded(name)
    state, _ = position_of(game, None, moves)
    position = examine_with_chances(nd.solve(game), state)
    assert hint_scene(position, next(iter(position.options))).prompt == said


@pytest.mark.parametrize(
    ("name", "moves", "said"),
    [
        ("number-knot", "S5", "Add 6, add 7, add 8 or add 9: each draws."),
        ("number-knot", "S9 A1", "Subtract 2, subtract 3, subtract 4 or another: each wins."),
        ("number-knot", "", HARDEST),
        ("number-bid", "7/6", "Bid 1, bid 2 or bid 10: each wins."),
        ("high-low-battle", "6/9 9/8 8/2", "Play 2: it wins."),
    ],
)
def test_a_step_says_what_to_do(name: str, moves: str, said: str) -> None:
    game = loaded(name)
    state, _ = position_of(game, None, moves)
    position = examine_with_chances(nd.solve(game), state)
    assert hint_scene(position, next(iter(position.options))).headline == said


def test_the_last_step_of_a_mixed_strategy_says_each_figure_once() -> None:
    game = loaded("high-low-battle", cards=5, rounds=4)
    last = hint_steps(hinted(game, game.start(), Seat.ONE))[-1]
    figures = last.tables[1]
    assert figures.columns == ("chance",)
    chances = [(rows[0].cells, rows[0].said) for rows in figures.folded()]
    assert len(chances) == len(set(chances))
    told = [*scene_lines(last)]
    assert sum(line.startswith("How often perfect play makes each choice: ") for line in told) == 1


def test_that_step_of_a_mixed_strategy_says_what_is_frequent() -> None:
    game = loaded("high-low-battle", cards=5, rounds=4)
    hint = hinted(game, game.start(), Seat.ONE)
    shares = {row.short: row.share for row in hint.tables[0].rows}
    assert hint.headline.startswith("Mix your choices: mostly ")
    often, others = (re.findall(r"\d+", part) for part in hint.headline.split(", sometimes "))
    assert sum(shares[card] for card in often) >= 0.5
    assert max(shares[card] for card in others) < min(shares[card] for card in often)


@pytest.mark.parametrize(("cards", "rounds"), [(4, 3), (5, 2), (5, 3), (5, 4), (5, 5)])
def test_the_percentages_of_a_hint_add_up_and_agree(cards: int, rounds: int) -> None:
    game = loaded("high-low-battle", cards=cards, rounds=rounds)
    mix, options = hinted(game, game.start(), Seat.ONE).tables
    often = {row.words: row.cells[1] for row in options.rows if row.cells[1] != "-"}
    assert {row.words: row.cells[0] for row in mix.rows} == often
    total = sum(int(share[:-1]) for share in often.values() if "<" not in share)
    assert total == 100 or len(set(often.values())) == 1  # thirds are 33% each
    assert all(f"{words} ({share})" in options.sentences[0] for words, share in often.items())
    chances = {row.cells[0] for row in options.rows if row.words in often}
    assert len(chances) == 1
    for row in options.rows:
        # Each is rounded by itself, so three of them may miss 100 by one.
        shares = re.findall(r"(?<![<\d.])([\d.]+)%", row.said)
        assert not shares or abs(sum(map(float, shares)) - 100) <= 1


def test_the_columns_are_explained() -> None:
    told = hint("high-low-battle", "", cards=5, rounds=3)
    assert [line.split(":")[0].strip() for line in told[-3:]] == ["chance", "often", "at worst"]
    assert (
        hint("number-knot", "S5", Seat.TWO)[-1]
        == "  chance: the winning chance; a draw counts half."
    )


@pytest.mark.parametrize("width", [40, 60])
def test_the_figures_of_a_verdict_are_headed_by_whole_words(width: int) -> None:
    table = Table((Row("add 9", ("50%",), 0.5, good=True, said="draws"),), ("chance",), "good")
    head, figures, *_ = (one.plain for one in option_lines(replace(table, title=""), width))
    assert head == "  winning chance"
    assert figures.startswith("████····     50%")
