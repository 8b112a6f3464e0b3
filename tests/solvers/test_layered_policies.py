"""Policies on whole levels at once: as the rules and `strategy` say, at every state there is."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import product

import numpy as np
import pytest

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.solvers import kernels, solve
from number_duels.solvers.induction import induce_response
from number_duels.solvers.layered import PerfectStrategies, QueriedPolicy, ReachedGraph
from number_duels.solvers.layered_method import LayeredMethod
from tests.solvers.helpers import LAYERED, Settings, every_state, lopsided, silent


def kernel_of(game: AnyGame) -> LayeredMethod[Hashable]:
    found = kernels.find_kernel(game)
    assert isinstance(found, LayeredMethod)
    return found


@pytest.mark.parametrize(("name", "settings"), LAYERED)
def test_whole_levels_and_plain_induction_answer_alike(name: str, settings: Settings) -> None:
    game = nd.load(name, **settings)
    policy = lopsided(game)
    value_at = kernel_of(game).respond(game, policy, silent)
    for seat in nd.Seat:
        plain = induce_response(game, seat, policy, lambda _: None)
        assert len(plain) > 10
        for state in every_state(game):
            if game.key(state) in plain:
                assert value_at(state, seat) == pytest.approx(plain[game.key(state)], abs=1e-12)


def alike_by_levels(game: AnyGame) -> None:
    """Compare what a kernel takes for perfect play with `strategy`, at every state there is."""
    solution, kernel = solve(game, cache=False), kernel_of(game)
    graph = ReachedGraph(kernel)
    perfect = PerfectStrategies(kernel, kernel.solve(silent).sections)
    asked = QueriedPolicy(graph, game, solution.strategy)
    for chunk in graph.backwards(silent):
        for seat in nd.Seat:
            said = asked(chunk, seat)
            reached = said.sum(axis=1) > 0
            found = perfect(chunk, seat)[reached]
            assert np.allclose(found, said[reached], rtol=0, atol=1e-9)


@pytest.mark.parametrize(("name", "settings"), LAYERED)
def test_whole_levels_play_as_perfectly_as_strategy_does(name: str, settings: Settings) -> None:
    alike_by_levels(nd.load(name, **settings))


# The others take a quarter of an hour; their published levels, computed by `strategy`, agree.
@pytest.mark.slow
@pytest.mark.parametrize("name", ["number-bid", "number-knot"])
def test_whole_games_play_as_perfectly_as_strategy_does(name: str) -> None:
    alike_by_levels(nd.load(name))


@pytest.mark.parametrize(("name", "settings"), LAYERED)
def test_what_follows_is_in_the_order_of_the_options(name: str, settings: Settings) -> None:
    game, kernel = nd.load(name, **settings), kernel_of(nd.load(name, **settings))
    levels = kernel.layers()
    for state in every_state(game):
        turn = game.turn(state)
        assert isinstance(turn, nd.Decision)
        code = kernel.code(state)
        (level,) = (v for v in levels if np.isin(code - v.heads, v.tails).any())
        after = kernel.follow(level, np.array([code])).ravel().tolist()
        seats = sorted(turn.options)
        for seat in seats:
            (places,) = kernel.moves(np.array([code]), seat).tolist()
            assert tuple(game.all_moves()[place] for place in places) == turn.options[seat]
        moves = list(product(*(turn.options[seat] for seat in seats)))
        assert len(moves) == len(after)
        for found, chosen in zip(after, moves, strict=True):
            then = game.resolve(state, dict(zip(seats, chosen, strict=True)))
            if not isinstance(game.turn(then), nd.Outcome):
                assert found == kernel.code(then)
