"""The games as PettingZoo environments: its own tests, and the same games as ours."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from pettingzoo.utils.conversions import aec_to_parallel  # type: ignore[import-untyped]  # idem

import number_duels as nd
from number_duels.adapters.encoding import Encoding
from number_duels.adapters.pettingzoo import env, parallel_env, raw_env
from tests.adapters.pettingzoo_envs import (
    aec,
    api_test,
    dictionaries,
    parallel,
    parallel_api_test,
    parallel_seed_test,
    raw,
    render_test,
    seed_test,
    zeros,
)
from tests.adapters.tables import every_table, every_table_at_once, every_table_in_turns, plain
from tests.core.playing import Table

# ---- PettingZoo's own tests ----------------------------------------------------


@dictionaries
@zeros
@every_table
def test_api(table: Table) -> None:
    for room in (aec(table), raw(table)):
        for agent in room.possible_agents:
            room.action_space(agent).seed(1)
        api_test(room, num_cycles=100)


@every_table
def test_seeds(table: Table) -> None:
    seed_test(partial(aec, table), num_cycles=100)


@every_table
def test_rendering(table: Table) -> None:
    render_test(partial(aec, table), {"ansi": lambda shown: len(shown) > 10})


@every_table_at_once
def test_parallel_api(table: Table) -> None:
    parallel_api_test(parallel(table), num_cycles=100)


@every_table_at_once
def test_parallel_seeds(table: Table) -> None:
    parallel_seed_test(partial(parallel, table), num_cycles=100)


@every_table_at_once
def test_pettingzoo_itself_makes_a_parallel_environment_of_ours(table: Table) -> None:
    parallel_api_test(aec_to_parallel(aec(table)), num_cycles=100)
    parallel_seed_test(lambda: aec_to_parallel(aec(table)), num_cycles=100)


# ---- the same games as ours ----------------------------------------------------


@every_table
def test_an_environment_plays_by_the_rules(table: Table) -> None:
    """Actions are moves, masks are options, rewards are results: a match says the same."""
    room, encoding, rng = aec(table).unwrapped, Encoding(table.game), np.random.default_rng(1)
    for seed in range(5):
        room.reset(seed=seed)
        match = nd.Match(table.game, seed=room._single_game.match.seed)
        while not any(room.terminations.values()):
            while isinstance(match.turn, nd.Chance):
                match.draw()
            seat = nd.Seat(room.possible_agents.index(room.agent_selection))
            shown, reward, *_ = room.last()
            assert reward == 0
            assert (shown["action_mask"] == encoding.mask(match.options(seat))).all()
            for agent, seen in zip(room.agents, nd.Seat, strict=True):
                expected = encoding.observation(match.view(seen), seen)
                assert (room.observe(agent)["observation"] == expected).all()
            action = rng.choice(np.flatnonzero(shown["action_mask"]))
            room.step(action)
            match.submit(seat, encoding.move(int(action)))
        while isinstance(match.turn, nd.Chance):
            match.draw()
        results = {"1-0": [1, -1], "0-1": [-1, 1], "1/2-1/2": [0, 0]}
        assert list(room.rewards.values()) == results[match.result]
        assert room.infos == {"player_1": {}, "player_2": {}}


@every_table_at_once
def test_parallel_and_aec_environments_play_the_same_game(table: Table) -> None:
    one, both, rng = aec(table), parallel(table), np.random.default_rng(2)
    one.reset(seed=3)
    shown, infos = both.reset(seed=3)
    assert infos == {"player_1": {}, "player_2": {}}
    while both.agents:
        actions = {}
        for agent in both.agents:
            assert one.agent_selection == agent
            assert plain(one.observe(agent)) == plain(shown[agent])
            actions[agent] = rng.choice(np.flatnonzero(shown[agent]["action_mask"]))
            one.step(actions[agent])
        shown, rewards, ended, cut, infos = both.step(actions)
        assert rewards == one.rewards
        assert ended == one.terminations
        assert cut == {"player_1": False, "player_2": False}
        assert infos == one.infos
    assert both.step({}) == ({}, {}, {}, {}, {})


@every_table
def test_the_next_game_follows_from_the_seed_too(table: Table) -> None:
    one, two = aec(table), aec(table)
    one.reset(seed=5)
    two.reset(seed=5)
    for _ in range(3):
        assert one.unwrapped._single_game.match.seed == two.unwrapped._single_game.match.seed
        one.reset()
        two.reset()
    two.reset(seed=6)
    assert one.unwrapped._single_game.match.seed != two.unwrapped._single_game.match.seed


@every_table_in_turns
def test_what_is_played_in_turns_has_no_parallel_environment(table: Table) -> None:
    with pytest.raises(
        ValueError, match=rf'is played (partly )?in turns; use env\("{table.game.name}"\)'
    ):
        parallel(table)
    assert aec(table).metadata["is_parallelizable"] is False


# ---- order, words, imports -----------------------------------------------------


def test_a_game_must_have_begun() -> None:
    room = parallel_env("number-bid")
    with pytest.raises(ValueError, match=r"^No game has begun; call reset\(\) first\.$"):
        room.step({})
    with pytest.raises(ValueError, match=r"^No game has begun; call reset\(\) first\.$"):
        raw_env("number-bid").observe("player_1")
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        _ = env("number-bid").agent_selection


def test_wrong_names_settings_and_modes_are_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"^There is no game named 'chess'; the games are "):
        env("chess")
    with pytest.raises(ValueError, match=r"^Number Bid: numbers must be 2 to 20, not 99\.$"):
        parallel_env("number-bid", numbers=99)
    with pytest.raises(ValueError, match=r"^There is no render mode 'depth_array'; choose human"):
        env("number-bid", render_mode="depth_array")


@every_table
def test_boards_are_shown_in_words(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    silent, printed, asked = aec(table), aec(table, "human"), aec(table, "ansi")
    for room in (silent, printed, asked):
        room.reset(seed=2)
    with pytest.warns(UserWarning, match="create the environment with a render_mode"):
        assert silent.render() is None
    rng, texts = np.random.default_rng(3), [asked.render()]
    for _ in asked.agent_iter():
        shown, _, ended, *_ = asked.last()
        if ended:
            break
        action = rng.choice(np.flatnonzero(shown["action_mask"]))
        printed.step(action)
        asked.step(action)
        if not asked.unwrapped._single_game.match.seats_ready:
            texts.append(asked.render())
    assert capsys.readouterr().out == "".join(f"{text}\n\n" for text in texts)
    assert all(texts)
    assert asked.unwrapped._single_game.match.record.reason in texts[-1]
