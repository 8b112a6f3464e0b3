"""The vector environment: one seat of many games, for Gymnasium."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.vector import AutoresetMode

from number_duels import Decision, Seat, games, load
from number_duels.adapters.gymnasium import env_id
from number_duels.adapters.gymnasium_vector import VectorDuel
from number_duels.core.game import SomeGame
from tests.adapters.tables import every_way_to_copy, plain
from tests.some_games import sample

pytestmark = pytest.mark.usefixtures("compiled_kernels")


def legal_actions(masks: npt.NDArray[np.int8], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    found: npt.NDArray[np.int64] = (masks * (1 + rng.random(masks.shape))).argmax(axis=1)
    return found


@pytest.mark.parametrize("name", sample(games(), 1))
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
    with pytest.raises(ValueError, match=r'^seat must be 1, 2 or "random", not 3\.$'):
        VectorDuel(2, "number-bid", seat=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^A human player cannot be used here; choose random, "):
        VectorDuel(2, "number-bid", opponent="human")
