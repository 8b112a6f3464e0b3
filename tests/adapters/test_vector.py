"""The vector environment: one seat of many games, for Gymnasium."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.vector import AutoresetMode

from number_duels import Decision, Seat, load
from number_duels.adapters.encoding import Encoding
from number_duels.adapters.gymnasium import env_id
from number_duels.adapters.gymnasium_vector import VectorDuel
from number_duels.core.game import SomeGame
from tests.adapters.tables import every_table, every_way_to_copy, plain
from tests.core.playing import Table
from tests.some_games import SOME_GAMES

pytestmark = pytest.mark.usefixtures("compiled_kernels")


def legal_actions(masks: npt.NDArray[np.int8], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    found: npt.NDArray[np.int64] = (masks * (1 + rng.random(masks.shape))).argmax(axis=1)
    return found


@pytest.mark.parametrize("name", SOME_GAMES)
def test_gymnasium_makes_it_by_name(name: str) -> None:
    envs = gymnasium.make_vec(
        env_id(name),
        num_envs=5,
        vectorization_mode="vector_entry_point",
        opponent="random",
    )
    assert isinstance(envs.unwrapped, VectorDuel)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = envs.reset(seed=3)
    assert observations in envs.observation_space
    assert infos["action_mask"].shape == (5, envs.unwrapped.single_action_space.n)  # type: ignore[attr-defined]
    envs.action_space.seed(1)
    observations, rewards, ended, cut_off, infos = envs.step(envs.action_space.sample())
    assert observations in envs.observation_space
    assert rewards.shape == ended.shape == cut_off.shape == (5,)
    assert not cut_off.any()
    envs.close()


@pytest.mark.parametrize("seat", [1, 2])
@every_table
def test_legal_play_ends_games_and_shows_their_ends(table: Table, seat: int) -> None:
    envs = VectorDuel(8, table.game.name, seat=seat, **table.game.settings)  # type: ignore[arg-type]
    _, infos = envs.reset(seed=5)
    rng = np.random.default_rng(3)
    results, length = set(), Encoding(table.game).low.shape
    for _ in range(60):
        observations, rewards, ended, _, infos = envs.step(legal_actions(infos["action_mask"], rng))
        assert observations in envs.observation_space
        assert "illegal" not in infos
        assert not rewards[~ended].any()
        results |= set(rewards[ended].tolist())
        assert ("final_obs" in infos) == ended.any()
        if ended.any():
            assert (infos["_final_obs"] == ended).all()
            assert infos["final_obs"].shape == (8, *length)
    assert results <= {-1.0, 0.0, 1.0}
    assert results


@every_table
def test_what_is_shown_is_a_position_of_ones_own(table: Table) -> None:
    """Against any opponent, every turn is one's own and every option is legal."""
    envs = VectorDuel(4, table.game.name, seat=2, **table.game.settings)  # type: ignore[arg-type]
    observations, infos = envs.reset(seed=1)
    turn = [place for label, place in Encoding(table.game).labels if label == "own turn"]
    begun = infos["action_mask"].any(axis=1)  # the others are over before a first turn
    assert all((observations[begun, place] == 1).all() for place in turn)
    assert (infos["seat"] == 2).all()


def test_an_illegal_action_loses_and_says_why() -> None:
    envs = VectorDuel(3, "number-knot", numbers=4)
    envs.reset(seed=1)
    _, rewards, ended, _, infos = envs.step(np.array([0, 8, -1]))
    assert infos["_illegal"].tolist() == [False, True, True]
    assert infos["illegal"].tolist() == [
        None,
        "Action 8 is illegal: There is no action 8; actions are 0 to 7.",
        "Action -1 is illegal: There is no action -1; actions are 0 to 7.",
    ]
    assert rewards[1:].tolist() == [-1, -1]
    assert ended[1:].all()
    assert infos["action_mask"][1:].all()  # a new game, with all numbers


def test_a_game_over_before_ones_first_turn_is_told_by_the_next_step() -> None:
    envs = VectorDuel(6, "number-knot", opponent="perfect", seat=2, numbers=3, life=1)
    _, infos = envs.reset(seed=1)
    assert not infos["action_mask"].any()
    for action in (0, 7):
        _, rewards, ended, _, infos = envs.step(np.full(6, action))
        assert ended.all()
        assert (rewards == -1).all()
        assert "illegal" not in infos
        assert not infos["action_mask"].any()


def test_equal_seeds_give_equal_games_and_other_seeds_others() -> None:
    shown = []
    for seed in (4, 4, 5):
        envs = VectorDuel(50, "number-stack-showdown", seat=2)
        first, infos = envs.reset(seed=seed)
        rng = np.random.default_rng(0)
        later = [envs.step(legal_actions(infos["action_mask"], rng))[0] for _ in range(5)]
        again, _ = envs.reset()
        shown.append(plain([first, later, again]))
        assert (again != first).any()
    assert shown[0] == shown[1] != shown[2]


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("high-low-battle", {"cards": 4, "rounds": 3}),
        ("number-knot", {"numbers": 4, "life": 3}),
    ],
)
@pytest.mark.parametrize("opponent", ["perfect", "level:2"])
def test_other_players_of_ours_can_be_the_opponent(
    name: str, settings: dict[str, Any], opponent: str
) -> None:
    envs = VectorDuel(20, name, opponent=opponent, seat=2, **settings)
    _, infos = envs.reset(seed=2)
    rng, total, ends = np.random.default_rng(1), 0.0, 0
    for _ in range(60):
        _, rewards, ended, _, infos = envs.step(legal_actions(infos["action_mask"], rng))
        total, ends = total + rewards.sum(), ends + ended.sum()
    assert ends > 200
    assert total / ends < 0  # blind play loses against those who know


def test_a_perfect_opponent_of_number_knot_makes_the_best_move() -> None:
    envs = VectorDuel(3, "number-knot", opponent="perfect", seat=2, life=9)
    observations, infos = envs.reset(seed=2)
    assert not infos["action_mask"].any()  # S9 wins at once
    assert (observations[:, 9] == 0).all()


def test_a_policy_of_ones_own_can_be_the_opponent() -> None:
    class Lowest:
        """Always the lowest bid."""

        def policy(self, state: Hashable, seat: Seat) -> dict[Hashable, float]:
            game: SomeGame = load("number-bid", numbers=4)
            turn = game.turn(state)
            assert isinstance(turn, Decision)
            options = turn.options[seat]
            return {move: float(move == options[0]) for move in options}

    envs = VectorDuel(2, "number-bid", opponent=Lowest(), numbers=4)
    envs.reset(seed=1)
    observations, *_ = envs.step(np.array([3, 1]))
    assert observations.tolist() == [[0, 1, 1, 0, 5], [0, 0, 1, 1, 3]]


@pytest.mark.parametrize("opponent", ["random", "level:2"])
@every_way_to_copy
def test_a_copy_goes_on_alike_and_by_itself(
    opponent: str, duplicate: Callable[[VectorDuel], VectorDuel]
) -> None:
    envs = VectorDuel(5, "high-low-battle", opponent=opponent, cards=4, rounds=3)
    _, infos = envs.reset(seed=1)
    twin = duplicate(envs)
    rng = np.random.default_rng(1)
    for _ in range(10):
        actions = legal_actions(infos["action_mask"], rng)
        shown = envs.step(actions)
        assert plain(list(shown)) == plain(list(twin.step(actions)))
        infos = shown[4]
    assert plain(envs.reset()) == plain(twin.reset())


def test_wrong_seats_and_opponents_are_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"A seat is 1, 2 or 'random', not 3."):
        VectorDuel(2, "number-bid", seat=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"human cannot play many games at once; choose random,"):
        VectorDuel(2, "number-bid", opponent="human")
