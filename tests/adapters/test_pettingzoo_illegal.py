"""Illegal actions in PettingZoo environments lose for who made them."""

from __future__ import annotations

import numpy as np
import pytest

import number_duels as nd
from number_duels.adapters.single_game import SingleGame
from tests.adapters.pettingzoo_envs import aec, parallel, raw
from tests.adapters.tables import (
    every_small_table,
    every_table,
    every_table_at_once,
    every_table_with_closed_actions,
)
from tests.core.playing import Table


def closed_action(single: SingleGame, seat: nd.Seat) -> int | None:
    """An action that exists and is not open; None where all are."""
    closed = np.flatnonzero(single.mask(seat) == 0)
    return int(closed[0]) if len(closed) else None


@every_table_with_closed_actions
@pytest.mark.parametrize("offender", nd.Seat)
def test_an_illegal_action_loses_for_who_made_it(table: Table, offender: nd.Seat) -> None:
    room, rng, tried = aec(table), np.random.default_rng(4), 0
    loser, winner = (room.possible_agents[seat] for seat in (offender, offender.other))
    for seed in range(100):
        if tried == 5:
            break
        room.reset(seed=seed)
        patience = seed % 6
        for agent in room.agent_iter():
            shown, _, ended, *_ = room.last()
            if ended:
                break
            closed = closed_action(room.unwrapped._single_game, offender)
            if agent != loser or closed is None or patience > 0:
                patience -= 1
                room.step(rng.choice(np.flatnonzero(shown["action_mask"])))
                continue
            tried += 1
            room.step(closed)
            if not room.terminations[loser]:  # both choose at once: the other comes first
                assert room.last()[3:] == (False, {})
                assert room.observe(winner)["action_mask"].any()
                room.step(np.flatnonzero(room.observe(winner)["action_mask"])[0])
            assert room.terminations == {loser: True, winner: True}
            assert room.rewards == {loser: -1, winner: 1}
            assert room.infos[winner] == {}
            reason = room.infos[loser]["illegal"]
            assert reason.startswith(f"Action {closed} is illegal: ")
            assert "is not available; choose one of " in reason
            assert not any(room.observe(who)["action_mask"].any() for who in room.agents)
            break
    assert tried


@every_table
@pytest.mark.parametrize("action", [-1, 10**6])
def test_an_action_that_does_not_exist_is_illegal_too(table: Table, action: int) -> None:
    room = raw(table)
    room.reset(seed=1)
    loser = room.agent_selection
    room.step(action)
    if not room.terminations[loser]:
        room.step(np.flatnonzero(room.observe(room.agent_selection)["action_mask"])[0])
    assert room.rewards[loser] == -1
    assert sum(room.rewards.values()) == 0
    assert f"There is no action {action}; actions range from 0 to " in room.infos[loser]["illegal"]
    for agent in list(room.agents):
        assert room.agent_selection == agent
        room.step(None)
    assert room.agents == []


@every_table_at_once
def test_two_illegal_actions_lose_for_both(table: Table) -> None:
    room = parallel(table)
    room.reset(seed=1)
    shown, rewards, ended, _, infos = room.step({"player_1": -1, "player_2": 10**6})
    assert rewards == {"player_1": -1, "player_2": -1}
    assert ended == {"player_1": True, "player_2": True}
    assert "no action -1" in infos["player_1"]["illegal"]
    assert "no action 1000000" in infos["player_2"]["illegal"]
    assert not any(seen["action_mask"].any() for seen in shown.values())
    assert room.agents == []


@every_small_table
@pytest.mark.parametrize("nonsense", [None, "7", 1.0, np.array([1])])
def test_what_is_no_number_is_refused_and_changes_nothing(table: Table, nonsense: object) -> None:
    room = aec(table)
    room.reset(seed=1)
    before = room.agent_selection
    with pytest.raises(ValueError, match=r"^An action must be a whole number, not .*\.$"):
        room.step(nonsense)
    assert room.agent_selection == before
    assert room.observe(before)["action_mask"].any()
    assert not any(room.terminations.values())


@every_table_at_once
def test_a_parallel_step_counts_for_both_or_for_nobody(table: Table) -> None:
    room = parallel(table)
    room.reset(seed=1)
    with pytest.raises(ValueError, match=r"^An action must be a whole number, not 'no'\.$"):
        room.step({"player_1": 0, "player_2": "no"})
    with pytest.raises(ValueError, match=r"^player_2 has no action; pass an action for every"):
        room.step({"player_1": 0})
    assert room._single_game.match.seats_ready == frozenset()
    room.step({"player_1": 0, "player_2": 0})
    assert room._single_game.match.turn_number == 2


@every_table
def test_the_last_board_is_shown_after_an_illegal_action_too(
    table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    printed, asked = raw(table, "human"), raw(table, "ansi")
    for room in (printed, asked):
        room.reset(seed=1)
    texts = [asked.render()]
    loser = asked.agent_selection
    while not asked.terminations[loser]:
        legal = np.flatnonzero(asked.observe(asked.agent_selection)["action_mask"])
        action = -1 if asked.agent_selection == loser else legal[0]
        printed.step(action)
        asked.step(action)
    texts.append(asked.render())
    seat = nd.Seat(asked.possible_agents.index(loser))
    assert str(texts[-1]).endswith(f"{seat} has made an illegal move.")
    assert capsys.readouterr().out == "".join(f"{text}\n\n" for text in texts)
