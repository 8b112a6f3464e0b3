"""Every position in one array: what is seen and legal there, and policies over all of them."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt
import pytest

import number_duels as nd
from number_duels.adapters.encoding import Encoding
from number_duels.adapters.tables import Tables
from number_duels.core.game import AnyGame
from number_duels.solvers.policies import UniformPolicy
from tests.solvers.helpers import LAYERED, Settings, every_state
from tests.some_games import sample

every_layered_game = pytest.mark.parametrize(("name", "settings"), LAYERED)


@every_layered_game
def test_every_position_has_a_place_that_shows_what_is_seen_and_legal(
    name: str, settings: Settings
) -> None:
    game: AnyGame = nd.load(name, **settings)
    tables, encoding, solution = Tables(game), Encoding(game), nd.solve(game)
    places, odds = set(), tables.odds
    for state in every_state(game):
        turn, place = game.turn(state), tables.place(state)
        assert isinstance(turn, nd.Decision)
        places.add(place)
        for row, seat in enumerate(sorted(turn.options)):
            at = (place, row) if len(turn.options) == 2 else (place,)
            assert (tables.observations[at] == encoding.observation(state, seat)).all()
            assert (tables.masks[at] == encoding.mask(turn.options[seat])).all()
            values = solution.values(state, seat)
            for move, probability in solution.strategy(state, seat).items():
                action = (*at, encoding.action(move))
                assert odds[action] == pytest.approx(probability)
                assert tables.losses[action] == pytest.approx(max(values.values()) - values[move])
        sign = 1 if min(turn.options) is nd.Seat.ONE else -1
        assert tables.values[place] == sign * solution.value(state)
    assert places == set(range(len(tables)))


@every_layered_game
def test_a_policy_over_all_positions_is_answered_as_any_other(
    name: str, settings: Settings
) -> None:
    game: AnyGame = nd.load(name, **settings)
    tables = Tables(game)
    odds = np.random.default_rng(4).random(tables.masks.shape) ** 3
    policy = tables.with_odds(odds)

    def asked(state: object, seat: nd.Seat) -> dict[object, float]:
        at = (tables.place(state), int(seat)) if odds.ndim == 3 else tables.place(state)
        legal = odds[at] * tables.masks[at]
        moves = tables.encoding.moves
        return {moves[n]: legal[n] / legal.sum() for n in np.flatnonzero(legal)}

    exact = nd.best_response(game, asked).exploitability
    assert policy.exploitability() == pytest.approx(exact, abs=1e-9)
    legal = np.where(tables.masks, odds, 0)
    assert np.allclose(policy.odds, legal / legal.sum(axis=-1, keepdims=True))


@pytest.mark.parametrize("name", sample(["number-bid", "number-knot"], 1))
def test_whole_games_are_exploited_as_best_response_says(name: str) -> None:
    game: AnyGame = nd.load(name)
    tables = Tables(game)
    blind = nd.best_response(game, UniformPolicy(game)).exploitability
    found = [tables.with_odds(np.ones(tables.masks.shape)), Tables(game, "random")]
    assert [one.exploitability() for one in found] == pytest.approx([blind] * 2, abs=1e-9)


def wrong_odds(tables: Tables, place: int, action: int, odds: float) -> npt.NDArray[np.float64]:
    found = np.ones(tables.masks.shape)
    found[place, action] = odds
    return found


def test_they_are_shown_without_their_numbers() -> None:
    shown = r"<Tables of NumberBid\(numbers=4\): [\d,]+ probabilities>"
    assert re.fullmatch(shown, repr(Tables("bid", numbers=4)))


def test_odds_are_checked_and_illegal_actions_ignored() -> None:
    tables = Tables(nd.load("number-knot", numbers=3, life=3))
    place = int((~tables.masks).any(axis=1).argmax())
    closed, opened = int((~tables.masks[place]).argmax()), int(tables.masks[place].argmax())
    even = tables.with_odds(np.ones(tables.masks.shape)).odds
    assert (tables.with_odds(wrong_odds(tables, place, closed, 7.0)).odds == even).all()
    for bad in (-0.5, np.nan, np.inf):
        with pytest.raises(
            ValueError, match=rf"^The probabilities in position {place} must be 0 or more"
        ):
            tables.with_odds(wrong_odds(tables, place, opened, bad))
    nothing = np.ones(tables.masks.shape)
    nothing[place] = 0
    with pytest.raises(
        ValueError, match=rf"^The probabilities in position {place} must be 0 or more"
    ):
        tables.with_odds(nothing)
    with pytest.raises(
        ValueError, match=r"^Probabilities must have the shape \(\d+, 6\), not \(2,\)\.$"
    ):
        tables.with_odds([0.5, 0.5])


def test_what_cannot_arise_has_no_place_and_large_games_no_tables() -> None:
    tables = Tables(nd.load("number-knot", numbers=3, life=3))
    other = nd.load("number-knot", numbers=3, life=9)
    with pytest.raises(ValueError, match=r"^No player decides in this position of Number Knot"):
        tables.place(other.start())
    with pytest.raises(ValueError, match=r"^The strategies of Number Stack Showdown cannot be"):
        Tables(nd.load("number-stack-showdown", target=9, highest=3))
