"""Moves, events and views as numbers, and back."""

from __future__ import annotations

import numpy as np
import pytest

import number_duels as nd
from number_duels.adapters.encoding import Coding
from tests.adapters.tables import CHOSEN, every_table, through_pickle
from tests.core.playing import Table, decisions, positions


def test_every_game_is_tested_at_its_defaults_and_at_other_settings() -> None:
    for name in nd.games():
        settings = [tuple(t.game.settings.items()) for t in CHOSEN if t.game.name == name]
        assert tuple(nd.load(name).settings.items()) in settings
        assert len(set(settings)) > 1


@every_table
def test_every_move_and_event_has_a_number_of_its_own(table: Table) -> None:
    coding = Coding(table.game)
    assert [coding.number(coding.move(n)) for n in range(coding.actions)] == [
        *range(coding.actions)
    ]
    assert [coding.event_number(coding.event(n)) for n in range(coding.events)] == [
        *range(coding.events)
    ]
    assert coding.moves == table.game.all_moves()
    assert coding.all_events == table.game.all_events()


@every_table
def test_a_mask_marks_exactly_the_options(table: Table) -> None:
    coding = Coding(table.game)
    for _, turn in decisions(table):
        for options in turn.options.values():
            mask = coding.mask(options)
            assert mask.dtype == np.int8
            assert mask.shape == (coding.actions,)
            assert {coding.move(int(n)) for n in np.flatnonzero(mask)} == set(options)
    assert not coding.mask(()).any()


@every_table
def test_an_observation_is_the_features_of_a_view_within_their_bounds(table: Table) -> None:
    coding, game = Coding(table.game), table.game
    for state in positions(table):
        for seat in nd.Seat:
            view = game.view(state, seat)
            seen = coding.observation(view, seat)
            assert seen.dtype == coding.low.dtype == coding.high.dtype == np.int16
            assert seen.shape == coding.low.shape == coding.high.shape
            assert (coding.low <= seen).all()
            assert (seen <= coding.high).all()
            features = {feature.label: feature.values for feature in game.features(view, seat)}
            assert {label: tuple(seen[part]) for label, part in coding.labels} == features


@every_table
def test_both_choose_at_once_in_every_decision_or_in_none(table: Table) -> None:
    at_once = Coding(table.game).simultaneous
    assert {len(turn.options) for _, turn in decisions(table)} == {2 if at_once else 1}


def test_what_is_no_number_or_no_move_is_refused_in_a_sentence() -> None:
    game = nd.load("number-stack-showdown", highest=3)
    coding = Coding(game)
    for number in (-1, 2, 10**9):
        with pytest.raises(
            ValueError, match=rf"^There is no action {number}; actions are 0 to 1.$"
        ):
            coding.move(number)
    for number in (-1, 3):
        with pytest.raises(ValueError, match=rf"^There is no event {number}; there are 3 events.$"):
            coding.event(number)
    with pytest.raises(ValueError, match=r"^Number Stack Showdown has no move 7.$"):
        coding.number(7)


@every_table
def test_codings_of_equal_games_are_equal(table: Table) -> None:
    coding = Coding(table.game)
    before = coding.labels
    again = through_pickle(coding)
    assert again == coding == Coding(nd.load(table.game.name, **table.game.settings))
    assert again.labels == before
