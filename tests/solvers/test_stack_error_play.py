"""Play with errors by the compiled kernel: as the rules say, and at the usual settings."""

from __future__ import annotations

from random import Random

import pytest

import number_duels as nd
from number_duels.games.number_stack_showdown import Card, Choice, NumberStackShowdown, State
from number_duels.solvers import best_response, solve
from number_duels.solvers.best_response import expected_all, expected_with_errors
from number_duels.solvers.induction import induce_response
from number_duels.solvers.kernels.number_stack_showdown import Kernel
from tests.solvers.helpers import every_state, silent

STACKS = [
    pytest.param(
        NumberStackShowdown(target=10, highest=4, copies=2),
        marks=pytest.mark.slow,
    ),
    pytest.param(
        NumberStackShowdown(target=10, highest=4, copies=2, first=2, overflow="allowed"),
        marks=pytest.mark.slow,
    ),
    NumberStackShowdown(target=7, highest=5, copies=1, overflow="allowed"),
    pytest.param(
        NumberStackShowdown(target=4, highest=6, copies=2, first=2), marks=pytest.mark.slow
    ),
]


ERROR_RATES = [(0.0, 0.0), (1.0, 0.0), (0.0, 0.5), (0.25, 1.0), (1.0, 1.0)]


@pytest.mark.parametrize("game", STACKS, ids=repr)
def test_the_kernel_plays_with_errors_as_the_rules_do(game: NumberStackShowdown) -> None:
    kernel = Kernel(game)
    sections = kernel.solve(silent).sections
    perfect = solve(game, cache=False).strategy
    pairs = [(perfect.with_errors(one), perfect.with_errors(two)) for one, two in ERROR_RATES]
    found = kernel.expected_results(ERROR_RATES, sections)
    assert found == pytest.approx(expected_all(game, pairs), abs=1e-7)
    before_draws = [state for state in every_state(game) if state.card is None]
    for error_rate in (0.0, 0.25, 1.0):
        value_at = kernel.respond_to_errors(error_rate, sections)
        for seat in nd.Seat:
            plain = induce_response(game, seat, perfect.with_errors(error_rate), lambda _: None)
            compared = 0
            for state in before_draws:
                answer = value_at(state, seat)
                if answer is not None and game.key(state) in plain:
                    compared += 1
                    assert abs(answer - plain[game.key(state)]) <= 1e-7
            assert compared > 1


@pytest.mark.usefixtures("own_cache")
def test_choices_are_worked_out_once_and_opened_after_that(monkeypatch: pytest.MonkeyPatch) -> None:
    game = NumberStackShowdown(target=20, highest=5, copies=4)
    made = solve(game).open_choices()
    assert made is not None
    monkeypatch.setattr(Kernel, "tabulate_choices", lambda *_: pytest.fail("worked out again"))
    assert solve(game).open_choices() == made
    assert any(made)
    assert solve(nd.load("number-bid", numbers=3)).open_choices() is None


@pytest.mark.slow
def test_the_largest_game_is_answered_too() -> None:
    game = nd.load("number-stack-showdown")
    solution = solve(game, cache=False)
    assert nd.best_response(game, solution.strategy).exploitability <= 1e-6
    found = nd.best_response(game, solution.strategy.with_errors(1.0))
    played_perfectly = expected_with_errors(solution, [(0.0, 1.0), (1.0, 0.0)])
    assert found.values[nd.Seat.ONE] >= played_perfectly[0]
    assert found.values[nd.Seat.TWO] >= -played_perfectly[1]
    rng = Random(5)
    for _ in range(200):
        state = game.start()
        while isinstance(turn := game.turn(state), nd.Chance):
            for seat in nd.Seat:
                assert found.value_at(state, seat) == pytest.approx(
                    one_turn_on(game, found, state, seat), abs=1e-9
                )
            state = game.drawn(state, rng.choice(list(turn.odds)))
            decision = game.turn(state)
            assert isinstance(decision, nd.Decision)
            ((mover, options),) = decision.options.items()
            state = game.play(state, {mover: rng.choice(options)})


def one_turn_on(
    game: NumberStackShowdown,
    found: best_response.Response[State, Choice, Card],
    state: State,
    seat: nd.Seat,
) -> float:
    """What the answer to random brings before a draw, by the rules and what it brings after."""
    turn = game.turn(state)
    assert isinstance(turn, nd.Chance)
    total = 0.0
    for event, odds in turn.odds.items():
        drawn = game.drawn(state, event)
        decision = game.turn(drawn)
        assert isinstance(decision, nd.Decision)
        ((mover, options),) = decision.options.items()
        after = [found.after(game.resolve(drawn, {mover: move}), seat) for move in options]
        best = max(after) if seat is nd.Seat.ONE else min(after)
        total += float(odds) * (best if mover is seat else sum(after) / len(after))
    return total
