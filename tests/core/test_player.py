"""What a player is told when it has to choose."""

from __future__ import annotations

import pytest

import number_duels as nd
from number_duels.core.player import AnyMatch, situation
from tests.core.playing import TABLES, Table, take_step

every_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.label)


def deciding(match: AnyMatch) -> tuple[nd.Seat, ...]:
    turn = match.turn
    return tuple(turn.options) if isinstance(turn, nd.Decision) else ()


@every_table
def test_a_player_sees_its_seats_view_its_options_and_the_game_so_far(table: Table) -> None:
    match: AnyMatch = nd.Match(table.game, seed=5)
    going = True
    while going:
        for seat in deciding(match):
            told = situation(match, seat)
            assert told.view == match.view(seat)
            assert told.options == match.options(seat)
            assert told.history == match.moves(seat)
        going = take_step(match, table.rng.choice)


@every_table
def test_a_players_chance_is_its_own_and_the_same_after_resuming(table: Table) -> None:
    match: AnyMatch = nd.Match(table.game, seed=5)
    seen: set[float] = set()
    going, turns = True, 0
    while going:
        again = nd.Match.from_record(match.game, match.record) if turns < 20 else match
        for seat in deciding(match):
            number = situation(match, seat).rng.random()
            assert situation(again, seat).rng.random() == number
            assert number not in seen
            seen.add(number)
            turns += 1
        going = take_step(match, table.rng.choice)
