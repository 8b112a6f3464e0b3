"""Moves, events and views as numbers, and back."""

from __future__ import annotations

import numpy as np
import pytest

import number_duels as nd
from number_duels.adapters.encoding import Encoding
from tests.adapters.tables import every_table, through_pickle
from tests.core.playing import Table, decisions, positions


@every_table
def test_every_move_and_event_has_a_number_of_its_own(table: Table) -> None:
    encoding = Encoding(table.game)
    assert [encoding.action(encoding.move(n)) for n in range(encoding.action_count)] == [
        *range(encoding.action_count)
    ]
    assert [encoding.event_number(encoding.event(n)) for n in range(encoding.event_count)] == [
        *range(encoding.event_count)
    ]
    assert encoding.moves == table.game.all_moves()
    assert encoding.events == table.game.all_events()


@every_table
def test_a_mask_marks_exactly_the_options(table: Table) -> None:
    encoding = Encoding(table.game)
    for _, turn in decisions(table):
        for options in turn.options.values():
            mask = encoding.mask(options)
            assert mask.dtype == np.int8
            assert mask.shape == (encoding.action_count,)
            assert {encoding.move(int(n)) for n in np.flatnonzero(mask)} == set(options)
    assert not encoding.mask(()).any()


@every_table
def test_an_observation_is_the_features_of_a_view_within_their_bounds(table: Table) -> None:
    encoding, game = Encoding(table.game), table.game
    for state in positions(table):
        for seat in nd.Seat:
            view = game.view(state, seat)
            seen = encoding.observation(view, seat)
            assert seen.dtype == encoding.low.dtype == encoding.high.dtype == np.int16
            assert seen.shape == encoding.low.shape == encoding.high.shape
            assert (encoding.low <= seen).all()
            assert (seen <= encoding.high).all()
            features = {feature.label: feature.values for feature in game.features(view, seat)}
            assert {label: tuple(seen[part]) for label, part in encoding.labels} == features


@every_table
def test_how_many_choose_at_once_is_known_beforehand(table: Table) -> None:
    encoding, deciding = Encoding(table.game), {len(turn.options) for _, turn in decisions(table)}
    assert encoding.choosers == max(deciding)
    assert encoding.simultaneous == (deciding == {2})


def test_what_is_no_number_or_no_move_is_refused_in_a_sentence() -> None:
    game = nd.load("number-stack-showdown", highest=3)
    encoding = Encoding(game)
    for number in (-1, 2, 10**9):
        with pytest.raises(
            ValueError, match=rf"^There is no action {number}; actions range from 0 to 1.$"
        ):
            encoding.move(number)
    for number in (-1, 3):
        with pytest.raises(
            ValueError, match=rf"^There is no event {number}; events range from 0 to 2.$"
        ):
            encoding.event(number)
    with pytest.raises(ValueError, match=r"^Number Stack Showdown has no move 7.$"):
        encoding.action(7)


@every_table
def test_codings_of_equal_games_are_equal(table: Table) -> None:
    encoding = Encoding(table.game)
    before = encoding.labels
    again = through_pickle(encoding)
    assert again == encoding == Encoding(nd.load(table.game.name, **table.game.settings))
    assert again.labels == before
