"""`reset(options=…)`: a game begins after written moves, or as it is dealt; all else is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import gymnasium
import numpy as np
import pytest

import number_duels as nd
from number_duels.adapters.encoding import Encoding
from number_duels.adapters.gymnasium import DuelEnv
from number_duels.adapters.pettingzoo import env, parallel_env, raw_env
from number_duels.core.player import AnyMatch
from tests.adapters.pettingzoo_envs import parallel, raw
from tests.adapters.tables import every_table, every_table_at_once
from tests.core.playing import Table

KNOT_LIVES = slice(9, 11)  # own life, other's life


def part_of_a_game(table: Table, seed: int) -> AnyMatch:
    """A match with half of its turns played at random, every card among them."""
    match: AnyMatch = nd.Match(table.game, seed=seed)
    players = {seat: nd.player("random", table.game) for seat in nd.Seat}
    nd.play_match(match, players)
    for _ in range(match.turn_number // 2):
        match.undo()
    while isinstance(match.turn, nd.Chance):
        match.draw()
    return match


# ---- honoured ------------------------------------------------------------------


@every_table
@pytest.mark.parametrize("seed", range(3))
def test_a_game_begins_after_its_moves_and_as_it_was_dealt(table: Table, seed: int) -> None:
    match, encoding = part_of_a_game(table, seed), Encoding(table.game)
    assert match.outcome is None
    options = {"moves": str(match.history), "deal": match.record.deal}
    room = raw(table)
    room.reset(seed=5, options=options)
    for agent, seat in zip(room.agents, nd.Seat, strict=True):
        shown = room.observe(agent)
        assert (shown["observation"] == encoding.observation(match.view(seat), seat)).all()
        assert (shown["action_mask"] == encoding.mask(match.options(seat))).all()


@every_table_at_once
def test_so_does_a_parallel_environment(table: Table) -> None:
    match, encoding = part_of_a_game(table, 1), Encoding(table.game)
    room = parallel(table)
    shown, _ = room.reset(seed=5, options={"moves": str(match.history)})
    seen = encoding.observation(match.view(nd.Seat.TWO), nd.Seat.TWO)
    assert (shown["player_2"]["observation"] == seen).all()


def test_the_seat_is_asked_where_it_is_its_turn_else_the_opponent_answers() -> None:
    room = DuelEnv("number-knot", seat=1)
    seen, info = room.reset(seed=1, options={"moves": "S5 A3"})
    assert list(seen[KNOT_LIVES]) == [10, 8]
    assert int(info["action_mask"].sum()) == 14
    seen, info = room.reset(seed=1, options={"moves": "S5"})
    assert seen[:9].sum() == 7  # the opponent has answered
    assert int(info["action_mask"].sum()) == 14


def test_a_drawn_card_is_its_holders_and_the_next_ones_follow_from_the_seed() -> None:
    games = []
    for _ in range(2):
        room = raw_env("number-stack-showdown")
        room.reset(seed=4, options={"moves": "7k 10g 5"})
        assert room.agent_selection == "player_1"
        assert room.observe("player_1")["observation"][14:].argmax() == 4
        assert not room.observe("player_2")["observation"][14:].any()
        while room.agents and not any(room.terminations.values()):
            room.step(0)
        games.append(room._single_game.match.record.moves)
    assert games[0].startswith("7k 10g 5k ")
    assert games[0] == games[1]


def test_a_deal_alone_is_dealt() -> None:
    room = env("number-stack-showdown")
    room.reset(seed=1, options={"deal": "7 10 5"})
    assert room.observe("player_1")["observation"][14:].argmax() == 6
    drop = DuelEnv("number-drop", render_mode="ansi")
    drop.reset(seed=1, options={"deal": "294753618 672159834"})
    assert "[2][9][4]" in str(drop.render())


@pytest.mark.parametrize("nothing", [None, {}, {"moves": ""}, {"moves": None, "deal": None}])
def test_nothing_said_is_a_game_from_the_start(nothing: dict[str, object] | None) -> None:
    room, usual = DuelEnv("number-drop"), DuelEnv("number-drop")
    seen, _ = room.reset(seed=3, options=nothing)
    expected, _ = usual.reset(seed=3)
    assert (seen == expected).all()
    assert room._single_game.match.record == usual._single_game.match.record


def test_a_game_that_the_answer_ends_is_told_by_the_first_step() -> None:
    """With 3 life left, 9 is subtracted: by a perfect player at once."""
    room = DuelEnv("number-knot", opponent="perfect", seat=2, numbers=4, life=4)
    _, info = room.reset(seed=1, options={"moves": "S1 A2"})
    assert info["action_mask"].any()
    _, info = room.reset(seed=1, options={"moves": "S3 A2"})
    assert not room.action_masks().any()
    _, reward, ended, _, info = room.step(0)
    assert (reward, ended) == (-1, True)
    assert "illegal" not in info


def test_vectors_of_single_environments_begin_there_too() -> None:
    rooms = gymnasium.make_vec("number_duels/NumberKnot-v0", 2, vectorization_mode="sync")
    seen, _ = rooms.reset(seed=1, options={"moves": "S5 A3"})
    assert np.asarray(seen)[:, KNOT_LIVES].tolist() == [[10, 8], [10, 8]]


# ---- refused -------------------------------------------------------------------

RESETS: list[Callable[..., object]] = [
    DuelEnv("number-bid").reset,
    env("number-bid").reset,
    parallel_env("number-bid").reset,
]
REFUSED = {
    "There is no option 'move'; the options are moves and deal.": {"move": "7/6"},
    "The option moves must be a string, not ['7/6'].": {"moves": ["7/6"]},
    "These moves cannot be played: turn 2 (7/1): ": {"moves": "7/6 7/1"},
    "These moves cannot be played: turn 1 (x/y): ": {"moves": "x/y"},
    "These moves cannot be played: turn 1 (7): 2 moves were expected here; ": {"moves": "7"},
    "The game is over after these moves; leave out the last ones.": {
        "moves": "1/2 3/4 5/6 7/8 9/10"
    },
    "Number Bid shuffles nothing, so it takes no deal; leave it out.": {"deal": "7"},
}


@pytest.mark.parametrize("reset", RESETS)
@pytest.mark.parametrize("sentence", REFUSED)
def test_what_cannot_be_is_refused_in_a_sentence(
    reset: Callable[..., object], sentence: str
) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(sentence)):
        reset(seed=1, options=REFUSED[sentence])


def test_a_card_that_was_not_dealt_is_refused() -> None:
    room = env("number-stack-showdown")
    with pytest.raises(
        ValueError, match=r"^These moves cannot be played: turn 1: 7 was drawn, but"
    ):
        room.reset(seed=1, options={"moves": "7k", "deal": "10 7"})


@pytest.mark.parametrize("make", [partial(DuelEnv, "number-bid"), partial(raw_env, "number-bid")])
def test_a_refusal_leaves_the_game_as_it_was(make: Callable[[], DuelEnv]) -> None:
    room = make()
    room.reset(seed=1, options={"moves": "7/6"})
    with pytest.raises(ValueError, match=r"^These moves"):
        room.reset(seed=1, options={"moves": "7/66"})
    assert str(room._single_game.match.history) == "7/6"
