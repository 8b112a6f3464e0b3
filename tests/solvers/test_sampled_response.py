"""Best answers to who was only watched: what was seen counts, and all else is perfect."""

from __future__ import annotations

from collections.abc import Hashable

import pytest

import number_duels as nd
from number_duels.core.game import AnyGame
from number_duels.games.number_stack_showdown import Choice
from number_duels.solvers import solve
from number_duels.solvers.best_response import (
    Observations,
    ObservedPolicy,
    best_response_to_samples,
    expected,
)
from number_duels.solvers.policies import UniformPolicy
from tests.solvers.helpers import every_state

Settings = dict[str, int | str]
SMALL: list[tuple[str, Settings]] = [
    ("high-low-battle", {"cards": 4, "rounds": 3}),
    ("number-bid", {"numbers": 5}),
    ("number-drop", {"side": 2}),
    ("number-knot", {"numbers": 4, "life": 5}),
    ("number-stack-showdown", {"target": 8, "highest": 3, "copies": 2}),
]


def watch(game: AnyGame, times: int, most: int | None = None) -> Observations[Hashable]:
    """What a player that chooses evenly was seen to do, in some states or in all."""
    seen: dict[tuple[Hashable, nd.Seat], dict[Hashable, int]] = {}
    for state in every_state(game):
        turn = game.turn(state)
        if isinstance(turn, nd.Decision) and (most is None or len(seen) < most):
            for seat, options in turn.options.items():
                seen[game.key(state), seat] = dict.fromkeys(options, times)
    return seen


@pytest.mark.parametrize(("name", "settings"), SMALL)
def test_of_who_was_not_seen_nothing_is_gained(name: str, settings: Settings) -> None:
    game = nd.load(name, **settings)
    solution = solve(game, cache=False)
    found = best_response_to_samples(solution, {})
    value = solution.value(game.start())
    assert found.values == {nd.Seat.ONE: value, nd.Seat.TWO: -value}
    assert found.exploitability == 0
    for state in list(every_state(game))[:50]:
        turn = game.turn(state)
        if isinstance(turn, nd.Decision) and len(turn.options) == 2:
            # A pure answer would be a weakness where perfect play mixes.
            assert found.strategy(state, nd.Seat.ONE) == solution.strategy(state, nd.Seat.ONE)


@pytest.mark.parametrize(("name", "settings"), SMALL)
def test_of_who_was_seen_everywhere_and_often_all_is_known(name: str, settings: Settings) -> None:
    game = nd.load(name, **settings)
    found = best_response_to_samples(solve(game, cache=False), watch(game, 10**9))
    exact = nd.best_response(game, UniformPolicy(game), cache=False)
    assert found.values == pytest.approx(exact.values, abs=1e-6)


@pytest.mark.parametrize(("name", "settings"), SMALL)
@pytest.mark.parametrize("most", [1, 7, 40])
def test_the_answer_brings_no_less_than_it_is_said_to(
    name: str, settings: Settings, most: int
) -> None:
    game = nd.load(name, **settings)
    solution = solve(game, cache=False)
    seen = watch(game, 3, most)
    found = best_response_to_samples(solution, seen)
    model = ObservedPolicy(solution, seen)
    value = solution.value(game.start())
    # Behind what was never seen something seen may follow, which is not counted on.
    assert value - 1e-9 <= found.values[nd.Seat.ONE]
    assert found.values[nd.Seat.ONE] <= expected(game, found.strategy, model) + 1e-9
    assert -value - 1e-9 <= found.values[nd.Seat.TWO]
    assert found.values[nd.Seat.TWO] <= -expected(game, model, found.strategy) + 1e-9


def test_perfect_play_counts_as_one_observation() -> None:
    game = nd.load("number-bid", numbers=3)
    solution = solve(game, cache=False)
    one, two, three = (game.parse(text) for text in "123")
    start = game.start()
    assert solution.strategy(start, nd.Seat.ONE) == {one: 0, two: 0, three: 1}
    seen = {(game.key(start), nd.Seat.ONE): {one: 2, two: 1}}
    assert ObservedPolicy(solution, seen)(start, nd.Seat.ONE) == {one: 0.5, two: 0.25, three: 0.25}
    # The answer bids 3: it wins against 1 and 2, for more than is left, and ties otherwise.
    found = best_response_to_samples(solution, seen)
    assert found.values[nd.Seat.TWO] == pytest.approx(0.75)
    assert found.strategy(start, nd.Seat.TWO) == {one: 0, two: 0, three: 1}


def test_only_what_was_seen_is_searched() -> None:
    game = nd.load("number-knot", numbers=6, life=9)
    seen = {(game.key(game.start()), nd.Seat.ONE): {game.parse("A1"): 5}}
    found = best_response_to_samples(solve(game, cache=False), seen)
    states = list(every_state(game))
    searched = [s for s in states if found.worth(s, nd.Seat.TWO) is not None]
    # The start, and what follows what it was seen to play or perfect play would.
    assert 2 <= len(searched) <= 3 < len(states)
    assert game.start() in searched


@pytest.mark.slow
def test_the_largest_game_can_be_answered_from_samples() -> None:
    game = nd.load("number-stack-showdown")
    solution = solve(game, cache=False)
    seen: dict[tuple[Hashable, nd.Seat], dict[Choice, int]] = {}
    for seed in range(30):
        match = nd.Match(game, seed=seed)
        while not isinstance(turn := match.turn, nd.Outcome):
            if isinstance(turn, nd.Chance):
                match.draw()
                continue
            ((seat, options),) = turn.options.items()
            counts = seen.setdefault((game.key(match.view(seat)), seat), {})
            counts[options[-1]] = counts.get(options[-1], 0) + 1
            match.submit(seat, options[-1])
    found = best_response_to_samples(solution, seen)
    assert all(gain > 0 for gain in found.gains.values())


def test_what_was_seen_after_one_card_is_known_before_the_draw() -> None:
    game = nd.load("number-stack-showdown", target=3, highest=2, copies=1)
    start = game.start()
    turn = game.turn(start)
    assert isinstance(turn, nd.Chance)
    states = [game.drawn(start, event) for event in turn.odds]
    assert len(states) == 2
    model = ObservedPolicy(solve(game, cache=False), {(game.key(states[0]), nd.Seat.ONE): {}})
    assert [model.known(state, nd.Seat.ONE) for state in (start, *states)] == [True, True, False]
