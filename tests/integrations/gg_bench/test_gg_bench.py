"""gg-bench's `CustomEnv` with the rules as written: beside the plain rules, and beside its own."""

from __future__ import annotations

import base64
import doctest
import json
import os
import pickle
import subprocess
import sys
from copy import deepcopy
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import number_duels as nd

EXAMPLE = Path(__file__).parents[3] / "examples" / "gg_bench"
sys.path.append(str(EXAMPLE))
import environments  # noqa: E402
from agents import Network  # noqa: E402
from environments import TurnEnv, custom_env  # noqa: E402

GAMES = ("number-bid", "high-low-battle", "number-stack-showdown", "number-knot", "number-drop")
#: A checkout of gg-bench, which some tests compare with; without one they are skipped.
CHECKOUT = os.environ.get("GG_BENCH")
#: The games whose environments gg-bench has right, or wrong in a way that is named in the test.
THEIR_ENVS = {"number-knot": 584, "number-drop": 354, "number-bid": 433}

every_game = pytest.mark.parametrize("name", GAMES)
beside_theirs = pytest.mark.skipif(
    CHECKOUT is None, reason="GG_BENCH names no checkout of gg-bench"
)

Shown = tuple[Any, float, bool, bool, dict[str, Any]]


def play(env: TurnEnv[Any, Any, Any], actions: list[int], seed: int = 1) -> Shown:
    """What the last of some actions shows."""
    env.reset(seed=seed)
    shown: Shown | None = None
    for action in actions:
        shown = env.step(action)
    assert shown is not None
    return shown


def test_the_examples_of_the_docstrings_run() -> None:
    failed, run = doctest.testmod(environments)
    assert not failed
    assert run


# ---- beside the plain rules ------------------------------------------------------


def played_out(env: TurnEnv[Any, Any, Any], rng: Random) -> tuple[list[int], float]:
    """A random game to its end: its actions, and what the last one was paid."""
    env.reset(seed=rng.randrange(2**32))
    actions, done, reward = list[int](), False, 0.0
    while not done:
        assert reward == 0
        actions.append(rng.choice(env.valid_moves()))
        observation, reward, done, cut_off, info = env.step(actions[-1])
        assert env.observation_space.contains(observation)
        assert (cut_off, info) == (False, {})
    return actions, reward


@every_game
def test_random_games_are_those_of_the_rules(name: str) -> None:
    env, game, rng = custom_env(name), nd.load(name), Random(name)
    results = set()
    for _ in range(60):
        actions, reward = played_out(env, rng)
        beside, last = nd.Match(game, env.match.seed), nd.Seat.ONE
        for action in actions:
            while isinstance(beside.turn, nd.Chance):
                beside.draw()
            assert isinstance(beside.turn, nd.Decision)
            last = next(s for s in beside.turn.options if s not in beside.seats_ready)
            beside.submit(last, env.notation[action])
        assert beside.outcome is not None
        assert reward == {last: 1, last.other: -1, None: 0}[beside.outcome.winner]
        assert env.match.state == beside.state
        results.add(reward)
    assert len(results) > 1 or name == "number-knot"


@every_game
def test_every_open_move_has_an_action_and_no_other(name: str) -> None:
    env, rng = custom_env(name), Random(name)
    for seed in range(20):
        env.reset(seed=seed)
        while not env.done:
            assert isinstance(env.match.turn, nd.Decision)
            options = env.match.turn.options[env.seat]
            assert {env.moves[action] for action in env.valid_moves()} == set(options)
            assert env.valid_moves() == sorted(env.valid_moves())
            env.step(rng.choice(env.valid_moves()))
        assert env.valid_moves() == []


@every_game
def test_a_closed_action_ends_the_game_and_pays_minus_ten(name: str) -> None:
    env = custom_env(name)
    for action in (-1, len(env.notation)):
        _, reward, done, _, info = play(env, [action])
        assert (reward, done, info) == (-10, True, {"invalid_action": True})
        assert env.step(0)[1:] == (0, True, False, {})


@every_game
def test_a_seed_determines_the_game_and_copies_go_their_own_way(name: str) -> None:
    env, other = custom_env(name), custom_env(name)
    for seed in (3, None):
        assert env.reset(seed=seed)[0].tolist() == other.reset(seed=seed)[0].tolist()
        assert env.match.seed == other.match.seed
    ahead = deepcopy(env)
    ahead.step(ahead.valid_moves()[0])
    assert env.match.state == other.match.state
    assert (ahead.seat, env.seat) == (nd.Seat.TWO, nd.Seat.ONE)


@every_game
@pytest.mark.filterwarnings("ignore")  # gg-bench's spaces and its one way to render are as they are
def test_gymnasium_has_nothing_to_say_against_it(name: str) -> None:
    check_env(custom_env(name), skip_render_check=True)


# ---- what each game shows ----------------------------------------------------------


@pytest.mark.parametrize("name", ["number-bid", "high-low-battle"])
def test_a_choice_is_secret_until_both_are_in(name: str) -> None:
    shown = set()
    for action in range(9):
        env = custom_env(name)
        observation, reward, done, *_ = play(env, [action])
        assert (reward, done, env.current_player) == (0, False, -1)
        shown.add((observation.tobytes(), env.render(), *env.valid_moves()))
    assert len(shown) == 1


def test_the_sample_game_of_number_bid_is_won_by_player_1() -> None:
    env = custom_env("number-bid")
    bids = [7, 6, 5, 9, 10, 8, 2, 4, 3, 1]
    observation, reward, done, *_ = play(env, [bid - 1 for bid in bids])
    assert (reward, done, env.current_player) == (-1, True, -1)  # Player 2 acted last, and lost
    assert observation.tolist() == [0] * 10 + [35, 20]


def test_high_low_battle_has_two_players_and_sudden_death() -> None:
    env = custom_env("high-low-battle")
    *_, done, _, _ = play(env, [card for card in range(5) for _ in nd.Seat])
    assert not done
    observation, *_ = env.step(8)
    # Player 2's own hand and side come first; Player 1's last card is not there yet.
    assert observation.tolist() == [0] * 5 + [1] * 4 + [1, 2, 3, 4, 5] * 2 + [0, 0]
    assert env.render().startswith("Round 6\nPlayer's Hand: 6, 7, 8, 9\nScores - Player: 0 |")
    observation, reward, done, *_ = env.step(7)
    assert (reward, done) == (-1, True)
    assert observation.tolist() == [0] * 5 + [1, 1, 0, 1] + [2, 3, 4, 5, 8, 2, 3, 4, 5, 9, 0, 1]


def test_a_card_is_drawn_before_one_is_asked() -> None:
    env = custom_env("number-stack-showdown")
    before, _ = env.reset(seed=5)
    card = int(before[3])
    left = [4 - (number == card) for number in range(1, 11)]
    assert before.tolist() == [0, 0, 39, card, *left]
    assert f"You have drawn a {card}\n" in env.render()
    after, reward, *_ = env.step(1)
    assert (after[0], after[1], after[2], reward) == (card, 0, 38, 0)


@pytest.mark.parametrize(
    ("moves", "reward"),
    [
        ("7-3 6-1 9-4 8+3 8-6 9-7", -1),  # Player 2 has used up its own, and left Player 1 a 1
        ("9+8 9+8 7+6 7+6 5+4 5+4 3+2 3+2 1", 1),  # the last 1 strikes the last 1: the mover wins
    ],
)
def test_number_drop_ends_when_a_grid_is_empty(moves: str, reward: int) -> None:
    env = custom_env("number-drop")
    actions = [env.notation.index(move) for move in moves.split()]
    assert not play(env, actions[:-1])[2]
    assert play(env, actions)[1:3] == (reward, True)


# ---- beside gg-bench's own -----------------------------------------------------------


def theirs(name: str) -> Any:
    number = THEIR_ENVS[name]
    path = Path(CHECKOUT or "") / "gg_bench" / "data" / "envs" / f"env_{number}.py"
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.CustomEnv()


@beside_theirs
@pytest.mark.parametrize("name", THEIR_ENVS)
def test_games_are_shown_as_gg_bench_shows_them(name: str) -> None:
    """Number Knot in all; Number Drop until a player is out; Number Bid but for its rewards."""
    ours, other, rng = custom_env(name), theirs(name), Random(name)
    assert ours.observation_space == other.observation_space
    assert ours.action_space == other.action_space
    for seed in range(200):
        assert ours.reset(seed=seed)[0].tolist() == other.reset(seed=seed)[0].tolist()
        done = False
        while not done:
            assert ours.render() == other.render()
            assert ours.valid_moves() == other.valid_moves()
            action = rng.choice(ours.valid_moves())
            mine, their = ours.step(action), other.step(action)
            done = mine[2]
            if name == "number-drop" and mine[1] == -1:
                assert their[1:3] == (0, False)  # theirs goes on, and pays a turn later
                assert other.step(rng.choice(other.valid_moves()))[1:3] == (1, True)
                continue
            assert mine[0].tolist() == their[0].tolist()
            assert mine[0].dtype == their[0].dtype
            assert mine[2] == their[2]
            assert name == "number-bid" or mine[1] == their[1]


@beside_theirs
def test_what_the_page_says_of_its_environments_is_seen() -> None:
    command = [sys.executable, str(EXAMPLE / "measure.py"), CHECKOUT or "", "--check"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert (told.count("wrong: "), told.count("right: "), told.count("NOT SEEN")) == (14, 4, 0)


# ---- its agents ------------------------------------------------------------------------


class Exploding:
    """Would create a file when it is unpickled as usual."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


class Saved:
    """As an agent is saved: an object whose state has the weights somewhere inside."""

    def __init__(self, **state: object) -> None:
        self.__dict__.update(state)


def test_weights_are_read_and_nothing_that_was_saved_with_them_is_run(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    shapes = [(12, 64), (64, 64), (64, 18)]
    layers = [
        {"kernel": rng.normal(size=shape), "bias": rng.normal(size=shape[1])} for shape in shapes
    ]
    params = {"params": {f"Dense_{n}": layer for n, layer in enumerate(layers)}}
    boom = tmp_path / "boom"
    saved = pickle.dumps(Saved(key=Exploding(boom), actor_state=Saved(params=params)))
    data = {"num_timesteps": 7, "policy": {":serialized:": base64.b64encode(saved).decode()}}
    with ZipFile(tmp_path / "agent.zip", "w") as archive:
        archive.writestr("data", json.dumps(data))
    network, seen = Network(tmp_path / "agent.zip"), rng.integers(-9, 9, 12)
    hidden = np.tanh(
        np.tanh(seen @ layers[0]["kernel"] + layers[0]["bias"]) @ layers[1]["kernel"]
        + layers[1]["bias"]
    )
    expected = hidden @ layers[2]["kernel"] + layers[2]["bias"]
    assert np.allclose(network.logits(seen), expected, atol=1e-3)
    assert network.steps_trained == 7
    assert not boom.exists()
    pickle.loads(saved)
    assert boom.exists()
