"""Every position in one array: what is seen and legal there, and policies over all of them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import number_duels as nd
from number_duels.adapters.encoding import Encoding
from number_duels.adapters.state_index import StateIndex
from number_duels.core.game import AnyGame
from number_duels.solvers.policies import UniformPolicy
from tests.solvers.helpers import LAYERED, Settings, every_state

every_layered_game = pytest.mark.parametrize(("name", "settings"), LAYERED)


@every_layered_game
def test_every_position_has_a_place_that_shows_what_is_seen_and_legal(
    name: str, settings: Settings
) -> None:
    game: AnyGame = nd.load(name, **settings)
    index, encoding, solution = StateIndex(game), Encoding(game), nd.solve(game)
    places = set()
    for state in every_state(game):
        turn, place = game.turn(state), index.place(state)
        assert isinstance(turn, nd.Decision)
        places.add(place)
        for row, seat in enumerate(sorted(turn.options)):
            at = (place, row) if len(turn.options) == 2 else place
            assert (index.observations[at] == encoding.observation(state, seat)).all()
            assert (index.masks[at] == encoding.mask(turn.options[seat])).all()
        sign = 1 if min(turn.options) is nd.Seat.ONE else -1
        assert index.values[place] == sign * solution.value(state)
    assert places == set(range(len(index)))


@every_layered_game
def test_a_policy_over_all_positions_is_answered_as_any_other(
    name: str, settings: Settings
) -> None:
    game: AnyGame = nd.load(name, **settings)
    index = StateIndex(game)
    odds = np.random.default_rng(4).random(index.masks.shape) ** 3
    policy = index.policy(odds)

    def asked(state: object, seat: nd.Seat) -> dict[object, float]:
        at = (index.place(state), int(seat)) if odds.ndim == 3 else index.place(state)
        legal = odds[at] * index.masks[at]
        moves = index.encoding.moves
        return {moves[n]: legal[n] / legal.sum() for n in np.flatnonzero(legal)}

    exact = nd.best_response(game, asked).exploitability
    assert index.exploitability(odds) == pytest.approx(exact, abs=1e-9)
    assert nd.best_response(game, policy).exploitability == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("name", ["number-bid", "number-knot"])
def test_whole_games_are_exploited_as_best_response_says(name: str) -> None:
    game: AnyGame = nd.load(name)
    index = StateIndex(game)
    blind = nd.best_response(game, UniformPolicy(game)).exploitability
    assert index.exploitability(np.ones(index.masks.shape)) == pytest.approx(blind, abs=1e-9)


def wrong_odds(index: StateIndex, place: int, action: int, odds: float) -> npt.NDArray[np.float64]:
    found = np.ones(index.masks.shape)
    found[place, action] = odds
    return found


def test_odds_are_checked_and_illegal_actions_ignored() -> None:
    index = StateIndex(nd.load("number-knot", numbers=3, life=3))
    place = int((~index.masks).any(axis=1).argmax())
    closed, opened = int((~index.masks[place]).argmax()), int(index.masks[place].argmax())
    even = index.exploitability(np.ones(index.masks.shape))
    assert index.exploitability(wrong_odds(index, place, closed, 7.0)) == even
    for bad in (-0.5, np.nan, np.inf):
        with pytest.raises(ValueError, match=rf"not so in position {place}\.$"):
            index.policy(wrong_odds(index, place, opened, bad))
    nothing = np.ones(index.masks.shape)
    nothing[place] = 0
    with pytest.raises(ValueError, match=rf"not so in position {place}\.$"):
        index.policy(nothing)
    with pytest.raises(
        ValueError, match=r"^Probabilities have the shape \(\d+, 6\), not \(2,\)\.$"
    ):
        index.policy([0.5, 0.5])


def test_what_cannot_arise_has_no_place_and_large_games_no_index() -> None:
    index = StateIndex(nd.load("number-knot", numbers=3, life=3))
    other = nd.load("number-knot", numbers=3, life=9)
    with pytest.raises(ValueError, match=r"^Nobody decides in this position of Number Knot"):
        index.place(other.start())
    with pytest.raises(ValueError, match=r"^The positions of Number Stack Showdown cannot be laid"):
        StateIndex(nd.load("number-stack-showdown", target=9, highest=3))
