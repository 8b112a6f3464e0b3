"""What an environment shows never depends on the deck or on a choice that is still secret."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import number_duels as nd
from number_duels.adapters.encoding import Encoding
from number_duels.adapters.gymnasium import DuelEnv
from number_duels.adapters.pettingzoo import AECDuel
from tests.adapters.pettingzoo_envs import raw
from tests.adapters.tables import SMALL, each, every_small_table, every_small_table_at_once, plain
from tests.core.playing import Table

with_hidden_cards = each(table for table in SMALL if Encoding(table.game).hides_something)


def one_seat(table: Table, **options: Any) -> DuelEnv:
    settings: dict[str, Any] = {**table.game.settings, **options}
    return DuelEnv(table.game.name, **settings)


def positions(table: Table) -> Iterator[AECDuel]:
    """An environment in the course of a few games, to be looked at between its steps."""
    room, rng = raw(table, "ansi"), np.random.default_rng(1)
    for seed in range(3):
        room.reset(seed=seed)
        while True:
            yield room
            shown, _, ended, *_ = room.last()
            if ended:
                break
            room.step(rng.choice(np.flatnonzero(shown["action_mask"])))


def everything(room: AECDuel) -> object:
    """All that anybody can get from an environment without looking into it."""
    seen = [room.observe(agent) for agent in room.possible_agents]
    given = room.rewards, room.terminations, room.truncations, room.infos
    return plain((seen, room.last(), room.agent_selection, given, room.render()))


@every_small_table_at_once
def test_a_choice_that_waits_for_the_other_is_not_shown(table: Table) -> None:
    compared = 0
    for room in positions(table):
        if room.agent_selection != "player_1" or room.terminations["player_1"]:
            continue
        shown = []
        # Whatever the first one chose, and be it illegal, is told when both have chosen.
        for action in range(-1, Encoding(table.game).action_count + 1):
            waiting = deepcopy(room)
            waiting.step(action)
            shown.append(everything(waiting))
        assert all(one == shown[0] for one in shown)
        assert plain(waiting.observe("player_2")) == plain(room.observe("player_2"))
        compared += len(shown)
    assert compared


@every_small_table_at_once
def test_what_is_printed_does_not_tell_it_either(
    table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    """A waiting choice prints nothing, and be it illegal; the second one prints the board."""
    numbers = range(-1, Encoding(table.game).action_count + 1)
    for action, answer in product(numbers, (-1, 0)):
        room = raw(table, "human")
        room.reset(seed=1)
        assert capsys.readouterr().out == f"{room._single_game.text()}\n\n"
        room.step(action)
        assert capsys.readouterr().out == ""
        room.step(answer)
        assert capsys.readouterr().out == f"{room._single_game.text()}\n\n"


@every_small_table
def test_what_will_be_drawn_is_not_shown(table: Table) -> None:
    for room in positions(table):
        before = everything(room)
        for seed in range(3):
            other = deepcopy(room)
            other._single_game.match.seed = seed  # everything drawn from here on is drawn otherwise
            assert everything(other) == before


@with_hidden_cards
def test_a_card_in_hand_is_shown_to_its_holder_alone(table: Table) -> None:
    hidden = 0
    for room in positions(table):
        match = room._single_game.match
        steps = match.steps(nd.Seat(room.possible_agents.index(room.agent_selection)))
        if match.hides_nothing_from(None):
            continue
        before = match.view(None)
        turn = table.game.turn(steps[-1].before)
        assert isinstance(turn, nd.Chance)
        placed = match.record.moves.removesuffix(str(steps[-1].event)).rstrip()
        (other,) = set(room.agents) - {room.agent_selection}
        shown = []
        for card in turn.odds:
            drawn = deepcopy(room)
            record = replace(match.record, moves=f"{placed} {card}".strip())
            drawn._single_game.match = nd.Match.from_record(table.game, record)
            assert drawn._single_game.match.view(None) == before
            info = drawn.infos[other]
            shown.append(plain((drawn.observe(other), info, drawn.rewards, drawn.render())))
        assert all(one == shown[0] for one in shown)
        assert not drawn.observe(other)["action_mask"].any()
        hidden += len(shown) > 1
    assert hidden


@with_hidden_cards
def test_an_illegal_action_does_not_betray_the_card(table: Table) -> None:
    for room in positions(table):
        if any(room.terminations.values()):
            continue
        lost = deepcopy(room)
        (other,) = set(room.agents) - {room.agent_selection}
        before = plain(lost.observe(other))
        lost.step(-1)
        assert plain(lost.observe(other)) == before
        assert lost.infos[other] == {}


class Listener:
    """Plays its first option, and remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[object, ...]] = []

    def choose(self, situation: nd.Situation) -> object:
        told = situation.view, situation.options, situation.history, situation.rng.getstate()
        self.told.append(told)
        return situation.options[0]


@every_small_table_at_once
@pytest.mark.parametrize("seat", [1, 2])
def test_the_opponent_is_not_told_what_was_chosen_against_it(table: Table, seat: int) -> None:
    room = one_seat(table, seat=seat, opponent=Listener())
    _, info = room.reset(seed=1)
    ended = False
    while not ended:
        told = []
        for action in range(-1, Encoding(table.game).action_count):
            other = deepcopy(room)
            other.step(action)
            assert isinstance(other.opponent, Listener)
            told.append(other.opponent.told)
        assert all(one == told[0] for one in told)
        _, _, ended, _, info = room.step(np.flatnonzero(info["action_mask"])[-1])


@every_small_table
@pytest.mark.parametrize("seat", [1, 2])
def test_a_gymnasium_environment_shows_no_future_either(table: Table, seat: int) -> None:
    room = one_seat(table, seat=seat, render_mode="ansi")
    _, info = room.reset(seed=1)
    while info["action_mask"].any():
        for seed in range(3):
            other = deepcopy(room)
            other._single_game.match.seed = seed
            assert plain(other._info()) == plain(info)
            assert other.render() == room.render()
            assert plain(other._single_game.observation(other._mine)) == plain(
                room._single_game.observation(room._mine)
            )
        info = room.step(np.flatnonzero(info["action_mask"])[0])[-1]
