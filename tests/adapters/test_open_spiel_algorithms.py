"""OpenSpiel's algorithms run on the games, and agree with our solver."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pyspiel  # type: ignore[import-not-found]  # OpenSpiel ships no types
import pytest
from open_spiel.python.policy import UniformRandomPolicy  # type: ignore[import-untyped]  # idem

import number_duels as nd
from number_duels.adapters.open_spiel_policies import DuelPolicy, perfect_policy
from number_duels.solvers.policies import UniformPolicy
from tests.adapters.spiel import GAMES, SMALL, some
from tests.conftest import require
from tests.lazy import Lazy
from tests.some_games import sample

ALGORITHMS = "open_spiel.python.algorithms"
cfr, exploitability = Lazy(f"{ALGORITHMS}.cfr"), Lazy(f"{ALGORITHMS}.exploitability")
ismcts, mcts = Lazy(f"{ALGORITHMS}.ismcts"), Lazy(f"{ALGORITHMS}.mcts")
minimax, minimax_solver = Lazy(f"{ALGORITHMS}.minimax"), Lazy(f"{ALGORITHMS}.minimax_solver")
expected_game_score = Lazy(f"{ALGORITHMS}.expected_game_score")


def our_value(text: str) -> float:
    """Return the value of a game for Player 1, by our solver."""
    rules = pyspiel.load_game(text).rules
    return nd.solve(rules, cache=False).value(rules.start())


# ---- one moves at a time -----------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    sample(
        [
            "python_number_knot(life=4,numbers=4)",
            "python_number_knot(first=2,life=5,numbers=5)",
            "python_number_knot(exhausted=higher-life,life=8,numbers=5)",
            "python_number_knot",
            "python_number_drop(side=2)",
            "python_number_drop(first=2,side=2)",
            "python_number_drop",
        ],
        1,
    ),
)
def test_minimax_finds_our_value(text: str) -> None:
    value, _ = minimax.alpha_beta_search(pyspiel.load_game(text), maximizing_player_id=0)
    assert value == our_value(text)


def test_the_minimax_solver_meets_each_key_once() -> None:
    text = "python_number_knot(life=5,numbers=5)"
    met = len(minimax_solver.MinimaxSolver(text).solve())
    assert met == nd.solve(pyspiel.load_game(text).rules, cache=False).states


@pytest.mark.parametrize("first", sample([1, 2], 1))
def test_value_iteration_finds_our_value_of_every_position(first: int) -> None:
    require(
        find_spec("cvxpy"), "cvxpy, which OpenSpiel's value iteration needs", "pip install cvxpy"
    )
    value_iteration = Lazy(f"{ALGORITHMS}.value_iteration")

    text = f"python_number_knot(first={first},life=4,numbers=4)"
    game = pyspiel.load_game(text)
    solution = nd.solve(game.rules, cache=False)
    found = value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-9)
    assert found[str(game.new_initial_state())] == our_value(text) != 0
    waiting, seen = [game.new_initial_state()], set()
    while waiting:
        state = waiting.pop()
        if str(state) not in seen and not state.is_terminal():
            seen.add(str(state))
            assert found[str(state)] == solution.value(state.progress.state)
            waiting += [state.child(action) for action in state.legal_actions()]
    assert len(seen) > 100


def test_expectiminimax_finds_our_value_of_a_game_with_chance() -> None:
    text = "python_number_stack_showdown(copies=2,highest=2,target=4)"
    start = pyspiel.load_game(text).new_initial_state()
    value, _ = minimax.expectiminimax(start, 99, None, maximizing_player_id=0)
    assert value == pytest.approx(our_value(text), abs=1e-9)
    assert value != 0


# ---- both choose at once -------------------------------------------------------------

SECRET_CHOICES = [
    "python_high_low_battle(cards=3,rounds=2)",
    "python_high_low_battle(cards=3,level=draw,rounds=3)",
    "python_high_low_battle(cards=4,rounds=2)",
    "python_high_low_battle(cards=4,rounds=3)",
    "python_high_low_battle(cards=5,rounds=3)",
    "python_number_bid(numbers=3)",
    "python_number_bid(numbers=4)",
    "python_number_bid(numbers=5)",
    "python_number_bid(numbers=6)",
]


@pytest.mark.parametrize("text", sample(SECRET_CHOICES, 1))
def test_openspiel_cannot_exploit_our_equilibrium(text: str) -> None:
    game = pyspiel.load_game_as_turn_based(text)
    ours = perfect_policy(game)
    assert exploitability.exploitability(game, ours) <= 1e-6
    assert exploitability.nash_conv(game, UniformRandomPolicy(game)) > 0.1


@pytest.mark.parametrize("text", some(SMALL))
def test_nobody_gains_against_our_strategy_in_any_game(text: str) -> None:
    # Here the two choose at once in OpenSpiel, too, and are not asked in turn.
    game = pyspiel.load_game(text)
    assert exploitability.nash_conv(game, perfect_policy(game)) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("text", some(SMALL))
def test_best_responses_have_the_same_value_there_and_here(text: str) -> None:
    game = pyspiel.load_game_as_turn_based(text)
    rules = pyspiel.load_game(text).rules
    ours = nd.best_response(rules, UniformPolicy(rules), cache=False)
    there = exploitability.exploitability(game, UniformRandomPolicy(game))
    assert ours.exploitability == pytest.approx(there, abs=1e-9)


@pytest.mark.slow
def test_cfr_approaches_our_value() -> None:
    text = "python_number_stack_showdown(copies=2,highest=2,target=4)"
    game = pyspiel.load_game(text)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    assert exploitability.nash_conv(game, found) < 0.02
    value = expected_game_score.policy_value(game.new_initial_state(), [found, found])[0]
    assert value == pytest.approx(our_value(text), abs=0.02)


@pytest.mark.parametrize(
    "text", sample(["python_high_low_battle(cards=3,rounds=2)", "python_number_bid(numbers=4)"], 1)
)
def test_cfr_finds_what_our_solver_finds_where_both_choose_at_once(text: str) -> None:
    # A cached tree asks the rules once for each state.
    game = pyspiel.convert_to_cached_tree(pyspiel.load_game_as_turn_based(text))
    solver = pyspiel.CFRPlusSolver(game)
    exploited = []
    for rounds in (10, 90, 900):
        for _ in range(rounds):
            solver.evaluate_and_update_policy()
        exploited.append(pyspiel.nash_conv(game, solver.average_policy()))
    assert exploited[0] < 0.1
    assert exploited[1] < 0.001
    assert exploited[2] < 0.00001


# ---- searching and playing ---------------------------------------------------------------


def play(text: str, searcher: int, simulations: int, seed: int) -> float:
    """What Monte Carlo tree search brings against a player who chooses at random."""
    rng = np.random.RandomState(seed)
    game = pyspiel.load_game_as_turn_based(text)
    bot = mcts.MCTSBot(game, 2, simulations, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            cards, odds = zip(*state.chance_outcomes(), strict=True)
            action = rng.choice(cards, p=odds)
        elif state.current_player() == searcher:
            action = bot.step(state)
        else:
            action = rng.choice(state.legal_actions())
        state.apply_action(action)
    return float(state.returns()[searcher])


@pytest.mark.parametrize("text", some(GAMES))
def test_monte_carlo_tree_search_plays(text: str) -> None:
    assert play(text, searcher=0, simulations=10, seed=1) in (-1, 0, 1)


def test_information_set_search_plays_where_a_card_is_hidden() -> None:
    game = pyspiel.load_game("python_number_stack_showdown(target=20)")
    rng = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2, 20, random_state=rng)
    # Nothing is hidden from who moves, so the state itself is what it may be.
    bot.set_resampler(lambda state, _player: state.clone())
    state = game.new_initial_state()
    state.apply_action(6)
    assert bot.step(state) in state.legal_actions()


def test_monte_carlo_tree_search_beats_chance() -> None:
    text = "python_number_knot(life=6,numbers=5)"
    assert sum(play(text, seed % 2, simulations=40, seed=seed) for seed in range(10)) >= 5


@pytest.mark.parametrize(
    "text", ["python_number_knot(life=4,numbers=4)", "python_number_bid(numbers=3)"]
)
def test_a_policy_is_taken_from_the_uncached_game(text: str) -> None:
    game = pyspiel.load_game_as_turn_based(text)
    cached = pyspiel.convert_to_cached_tree(game)
    with pytest.raises(ValueError, match=r"use the uncached game\.$"):
        perfect_policy(cached)
    ours = perfect_policy(game)
    with pytest.raises(ValueError, match=r"use the uncached game\.$"):
        ours.action_probabilities(cached.new_initial_state())
    # Written out as a table, it can be used there, too.
    assert exploitability.exploitability(cached, ours.to_tabular()) == pytest.approx(0, abs=1e-9)


def test_any_policy_of_ours_can_be_taken_to_openspiel() -> None:
    game = pyspiel.load_game("python_number_knot(life=5,numbers=4)")
    rules = game.rules

    def first(state: object, seat: nd.Seat) -> dict[object, float]:
        turn = rules.turn(state)
        assert isinstance(turn, nd.Decision)
        return {turn.options[seat][0]: 1.0}

    policy = DuelPolicy(game, first)
    state = game.new_initial_state()
    while not state.is_terminal():
        (action,) = policy.action_probabilities(state)
        assert action == state.legal_actions()[0]
        state.apply_action(action)


def test_the_help_of_a_policy_describes_its_own_arguments() -> None:
    help_text = DuelPolicy.__init__.__doc__
    assert help_text
    assert "choose(view, seat)" in help_text
