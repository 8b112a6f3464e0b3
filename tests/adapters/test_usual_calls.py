"""What learners' programs call: masks through wrappers, names by keyword, the state of a game."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import number_duels as nd
from number_duels.adapters.encoding import Encoding
from number_duels.adapters.gymnasium import env_id
from number_duels.adapters.pettingzoo import env, parallel_env, raw_env
from tests.adapters.pettingzoo_envs import aec, parallel, raw, state_test
from tests.adapters.tables import every_small_table_at_once, every_table, every_table_in_turns
from tests.core.playing import Table

# ---- masks, as sb3-contrib asks for them ---------------------------------------


@every_table
@pytest.mark.parametrize("seat", [1, 2])
def test_masks_are_reached_through_wrappers_and_are_those_of_the_info(
    table: Table, seat: int
) -> None:
    settings: dict[str, Any] = {**table.game.settings, "seat": seat}
    bare = gymnasium.make(env_id(table.game.name), **settings)
    room = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.wrappers.TimeLimit(bare, 100))
    _, info = room.reset(seed=1)
    ended = False
    while not ended:
        masks = room.get_wrapper_attr("action_masks")()
        assert masks.dtype == np.bool_
        assert masks.tolist() == (info["action_mask"] == 1).tolist()
        _, _, ended, _, info = room.step(int(masks.argmax()))
    assert not room.get_wrapper_attr("action_masks")().any()


def test_a_mask_is_a_copy() -> None:
    room = gymnasium.make("number_duels/NumberKnot-v0")
    room.reset(seed=1)
    masks = room.get_wrapper_attr("action_masks")
    masks()[:] = False
    assert masks().all()


# ---- by keyword ----------------------------------------------------------------


def test_names_are_given_by_keyword_or_by_place() -> None:
    knot = nd.load(name="number-knot", life=12)
    assert knot == nd.load("number-knot", life=12)
    kwargs: dict[str, Any] = {"name": "number-bid", "numbers": 6, "render_mode": None}
    for make in (env, raw_env, parallel_env):
        room = make(**kwargs)
        assert room.unwrapped.encoding.game == nd.load("number-bid", numbers=6)
        assert make("number-bid").unwrapped.encoding.game == nd.load("number-bid")


# ---- the state -----------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:State numpy array is all zeros:UserWarning")
@every_small_table_at_once
def test_pettingzoo_has_nothing_to_say_against_the_state(table: Table) -> None:
    state_test(aec(table), parallel(table))


@every_table_in_turns
def test_the_state_is_what_both_seats_see(table: Table) -> None:
    room, encoding, rng = aec(table), Encoding(table.game), np.random.default_rng(1)
    room.reset(seed=1)
    while not any(room.terminations.values()):
        match = room.unwrapped._single_game.match
        both = [encoding.observation(match.view(seat), seat) for seat in nd.Seat]
        assert room.state().tolist() == np.concatenate(both).tolist()
        assert room.state() in room.state_space
        room.step(rng.choice(np.flatnonzero(room.last()[0]["action_mask"])))
    assert room.state() in room.state_space


def test_a_hidden_card_is_in_the_state_and_a_waiting_choice_is_not() -> None:
    room = raw_env("number-stack-showdown")
    states = []
    for card in ("7", "10"):
        room.reset(seed=1, options={"moves": card})
        states.append(room.state().tolist())
    assert states[0] != states[1]
    bid = raw_env("number-bid")
    bid.reset(seed=1)
    before = bid.state().tolist()
    bid.step(3)
    assert bid.state().tolist() == before


def test_there_is_no_state_before_a_game() -> None:
    with pytest.raises(ValueError, match=r"^No game has begun; call reset\(\) first\.$"):
        raw_env("number-bid").state()


@every_small_table_at_once
def test_the_state_is_the_same_in_a_parallel_environment(table: Table) -> None:
    one, both = raw(table), parallel(table)
    one.reset(seed=1)
    both.reset(seed=1)
    assert one.state().tolist() == both.state().tolist()
    assert one.state_space == both.state_space
