"""What `environments.py` compares us with: pgx, OpenSpiel and PettingZoo."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from time import perf_counter

import numpy as np

from number_duels import solve

PGX = ("tic_tac_toe", "kuhn_poker")
SPIEL_CPP = ("goofspiel", "tic_tac_toe")
SPIEL_PYTHON = (
    "python_tic_tac_toe",
    "python_kuhn_poker",
    "python_block_dominoes",
    "python_iterated_prisoners_dilemma",
)
ZOO = ("tictactoe_v3", "connect_four_v3", "rps_v2")
#: Does some work, and returns how much and how many seconds its clock ran.
Work = Callable[[], tuple[int, float]]


def timed(function: Callable[[], int]) -> Work:
    """Work whose clock runs all the time."""

    def work() -> tuple[int, float]:
        began = perf_counter()
        count = function()
        return count, perf_counter() - began

    return work


def pgx_works(name: str, size: int) -> Iterator[tuple[str, Work]]:
    """One step of a batch of pgx, and 100 steps in a compiled loop."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    environment = pgx.make(name)
    keys = jax.random.split(jax.random.PRNGKey(1), size)
    state = jax.jit(jax.vmap(environment.init))(keys)
    one = jax.vmap(auto_reset(environment.step, environment.init))
    step = jax.jit(one)

    @jax.jit
    def choose(state: pgx.State, key: jax.Array) -> jax.Array:
        noise = jax.random.uniform(key, state.legal_action_mask.shape)
        return jnp.argmax(noise * state.legal_action_mask, axis=1)

    @jax.jit
    def hundred(state: pgx.State, key: jax.Array) -> pgx.State:
        def turn(carry: tuple[pgx.State, jax.Array], _: None) -> tuple[object, None]:
            state, key = carry
            key, other = jax.random.split(key)
            # The cheapest legal action: a policy's time is not the environment's.
            action = jnp.argmax(state.legal_action_mask, axis=1)
            return (one(state, action, jax.random.split(other, size)), key), None

        return jax.lax.scan(turn, (state, key), None, 100)[0][0]

    held = [state, jax.random.PRNGKey(2)]

    def stepped() -> tuple[int, float]:
        held[1], key = jax.random.split(held[1])
        actions, keys = choose(held[0], key), jax.random.split(key, size)
        jax.block_until_ready((actions, keys))
        began = perf_counter()
        held[0] = jax.block_until_ready(step(held[0], actions, keys))
        return size, perf_counter() - began

    yield f"pgx {name}", stepped
    looped = timed(lambda: [jax.block_until_ready(hundred(*held)), 100 * size][1])
    yield f"pgx {name}, compiled loop", looped


def spiel_steps(name: str) -> Work:
    """A game of OpenSpiel: what is seen, what is legal, and a random move, until it ends."""
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(1)

    def play() -> int:
        state, turns = game.new_initial_state(), 0
        while not state.is_terminal():
            turns += 1
            if state.is_simultaneous_node():
                for player in range(2):
                    state.observation_tensor(player)
                    state.legal_actions_mask(player)
                state.apply_actions([rng.choice(state.legal_actions(p)) for p in range(2)])
            elif state.is_chance_node():
                turns -= 1
                state.apply_action(rng.choice(state.chance_outcomes())[0])
            else:
                state.observation_tensor(state.current_player())
                state.legal_actions_mask()
                state.apply_action(rng.choice(state.legal_actions()))
        return turns

    return timed(play)


def zoo_steps(name: str) -> Work:
    """A game of PettingZoo: what is seen with its mask, and a random move, until it ends."""
    environment = import_module(f"pettingzoo.classic.{name}").raw_env()
    rng, number = random.Random(1), environment.action_space(environment.possible_agents[0]).n

    def play() -> int:
        environment.reset(seed=1)
        turns = 0
        while environment.agents:
            observation, _, ended, cut_off, _ = environment.last()
            if ended or cut_off:
                environment.step(None)
                continue
            mask = observation["action_mask"] if isinstance(observation, dict) else np.ones(number)
            environment.step(int(rng.choice(np.flatnonzero(mask))))
            turns += 1
        return turns

    return timed(play)


def spiel_rules(name: str) -> Work:
    """A whole game by OpenSpiel's rules in Python."""
    import open_spiel.python.games  # noqa: F401 -- registers them
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(1)

    def play() -> int:
        state, turns = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_simultaneous_node():
                state.apply_actions([rng.choice(state.legal_actions(p)) for p in range(2)])
                turns += 1
            elif state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                turns += 1
        return turns

    return timed(play)


def solvers(knot: str, bid: str) -> Iterator[tuple[str, float, float, float]]:
    """What was solved, how many seconds we and OpenSpiel took, and how far the values differ."""
    import pyspiel
    from open_spiel.python.algorithms import minimax, minimax_solver

    from number_duels.adapters.open_spiel import register

    register()

    def alpha_beta(text: str) -> float:
        return float(minimax.alpha_beta_search(pyspiel.load_game(text), maximizing_player_id=0)[0])

    def with_a_table(text: str) -> float:
        start = str(pyspiel.load_game(text).new_initial_state())
        return float(minimax_solver.MinimaxSolver(text).solve()[start].value)

    def value_iteration(text: str) -> float:
        from open_spiel.python.algorithms.value_iteration import value_iteration as iterate

        start = str(pyspiel.load_game(text).new_initial_state())
        return float(iterate(pyspiel.load_game(text), depth_limit=-1, threshold=1e-6)[start])

    tried = [
        ("alpha-beta", knot, alpha_beta),
        ("minimax with a table", knot, with_a_table),
        ("value iteration", bid, value_iteration),
    ]
    for label, text, theirs in tried:
        game = pyspiel.load_game(text).rules
        solve(game, cache=False)  # compiles what is compiled
        began = perf_counter()
        value = solve(game, cache=False).value(game.start())
        between = perf_counter()
        difference = abs(theirs(text) - value)
        yield f"{label}, {text}", between - began, perf_counter() - between, difference
