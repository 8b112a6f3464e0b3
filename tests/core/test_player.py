"""What a player is told when it has to choose."""

from __future__ import annotations

import pickle
from collections.abc import Hashable

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


def test_a_situation_is_a_plain_value_wherever_it_goes() -> None:
    """It keeps what it told, and survives copies and other processes."""
    match = nd.Match(nd.load("number-bid"), seed=5)
    match.submit(nd.Seat.ONE, "7")
    match.submit(nd.Seat.TWO, "6")
    told = situation(match, nd.Seat.ONE)
    match.submit(nd.Seat.ONE, "3")
    match.submit(nd.Seat.TWO, "4")
    sent = pickle.loads(pickle.dumps(situation(match, nd.Seat.ONE)))
    assert (sent.history, sent.rng.random()) == (
        "7/6 3/4",
        situation(match, nd.Seat.ONE).rng.random(),
    )
    assert told.history == "7/6"  # as it was then
    assert not hasattr(told, "future")


def test_what_is_hidden_is_not_even_carried_along() -> None:
    match = nd.Match(nd.load("number-stack-showdown"), seed=5)
    match.draw()
    seat = nd.Seat.TWO  # the card is in the other's hand
    assert not match.hides_nothing_from(seat)
    told = situation(match, seat)
    assert told.history == ""
    assert [step.event for step in told.steps] == [nd.HIDDEN]
    # The match's seed, from which all cards follow, cannot be reached.
    assert vars(told).keys() == {"game", "seat", "view", "options", "steps", "history", "rng"}


def test_players_get_the_seeds_that_are_given_to_them() -> None:
    class Listener:
        """Remembers its seed, and takes the first option."""

        seed = -1

        def begin(self, game: object, seat: nd.Seat, seed: int) -> None:
            self.seed = seed

        def choose(self, situation: nd.Situation) -> Hashable:
            return situation.options[0]

        def end(self, view: object, result: str, reason: str) -> None: ...

    found = []
    for own_seeds in ((5, 6), None):
        players = {seat: Listener() for seat in nd.Seat}
        nd.play_match(nd.Match(nd.load("number-knot"), seed=1), players, own_seeds=own_seeds)
        found.append([player.seed for player in players.values()])
    assert found[0] == [5, 6]
    assert -1 not in found[1]
