"""Calls of the vector environment: what it refuses, and how it tells ends and illegal actions."""

from __future__ import annotations

from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import number_duels as nd
from number_duels.adapters.batch.compiled_engine import CompiledEngine
from number_duels.adapters.gymnasium import DuelEnv
from number_duels.adapters.gymnasium_vector import VectorDuel
from tests.adapters.tables import plain

pytestmark = pytest.mark.usefixtures("compiled_kernels")
KNOT: dict[str, Any] = {"numbers": 4, "life": 5}


def begun(num_envs: int = 3, **options: Any) -> VectorDuel:
    envs = VectorDuel(num_envs, "number-knot", **{**KNOT, **options})
    envs.reset(seed=1)
    return envs


# ---- refusals -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "actions", [np.zeros(3), [0.0, 1.0, 2.0], np.zeros(3, np.bool_), ["0", "1", "2"], [None] * 3]
)
def test_actions_are_whole_numbers(actions: Any) -> None:
    envs = begun()
    before = plain((envs._seen(), envs._infos()))
    with pytest.raises(ValueError, match=r"^Actions must be whole numbers, not \S+\.$"):
        envs.step(actions)
    assert plain((envs._seen(), envs._infos())) == before


@pytest.mark.parametrize("shape", [(), (1,), (2,), (4,), (3, 1), (1, 3)])
def test_there_is_one_action_for_each_game(shape: tuple[int, ...]) -> None:
    envs = begun()
    with pytest.raises(ValueError, match=r"^Actions must have shape \(3,\), not \(.*\)\.$"):
        envs.step(np.zeros(shape, np.int64))


@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int64, list])
def test_whole_numbers_may_be_of_any_kind(kind: Any) -> None:
    first = plain(list(begun().step(np.array([1, 2, 3]))))
    assert plain(list(begun().step(kind([1, 2, 3])))) == first


def test_a_game_must_have_begun() -> None:
    envs = VectorDuel(2, "number-knot", **KNOT)
    with pytest.raises(ResetNeeded, match=r"^No game has begun; call reset\(\) first\.$"):
        envs.step(np.zeros(2, np.int64))
    envs.reset(seed=1)
    envs.step(np.zeros(2, np.int64))


def test_games_cannot_be_begun_one_by_one() -> None:
    envs = begun()
    with pytest.raises(ValueError, match=r"^reset\(\) always starts all games; omit reset_mask\.$"):
        envs.reset(options={"reset_mask": np.array([True, False, False])})
    envs.reset(options={})


class Chooser:
    """A player that does not say how it mixes."""

    def choose(self, situation: nd.Situation) -> object:
        return situation.options[0]


def test_no_opponent_is_refused_with_what_to_choose() -> None:
    opponent: Any = None
    with pytest.raises(ValueError, match=r"^Choose an opponent"):
        VectorDuel(2, "number-knot", opponent=opponent)


@pytest.mark.parametrize("opponent", [None, 3])
def test_an_opponent_of_a_single_game_must_choose(opponent: Any) -> None:
    with pytest.raises(
        ValueError, match=r"^A player must be a word such as 'perfect', an .npz file, .*"
    ):
        DuelEnv("number-knot", opponent=opponent)
    DuelEnv("number-knot", opponent=Chooser())


@pytest.mark.parametrize("mode", ["human", "ansi"])
def test_many_games_are_not_shown(mode: str) -> None:
    with pytest.raises(ValueError, match=r"^Vector environments do not render; omit render_mode"):
        gymnasium.make_vec(
            "number_duels/NumberKnot-v0",
            num_envs=2,
            vectorization_mode="vector_entry_point",
            render_mode=mode,
        )
    VectorDuel(2, "number-knot", render_mode=None, **KNOT)


def test_new_games_follow_in_two_ways() -> None:
    with pytest.raises(ValueError, match=r"^autoreset_mode must be SAME_STEP or NEXT_STEP"):
        VectorDuel(2, "number-knot", autoreset_mode=AutoresetMode.DISABLED)


# ---- ends and illegal actions ------------------------------------------------------------


def test_an_illegal_action_says_why() -> None:
    envs = begun(seat=2, first=2)
    envs.step(np.array([0, 0, 0]))  # number 1 is off the line now
    _, rewards, ended, _, infos = envs.step(np.array([1, 8, -1]))
    assert rewards.tolist() == [-1, -1, -1]
    assert ended.all()
    assert infos["_illegal"].tolist() == [True, True, True]
    assert infos["illegal"].tolist() == [
        "Action 1 is illegal: S1 is not available.",
        "Action 8 is illegal: There is no action 8; actions range from 0 to 7.",
        "Action -1 is illegal: There is no action -1; actions range from 0 to 7.",
    ]


def test_a_number_too_large_for_the_batch_is_named_as_it_was_given() -> None:
    too_large: Any = np.array([2**64 - 1], np.uint64)
    _, _, _, _, infos = begun(1).step(too_large)
    assert infos["illegal"][0].startswith(f"Action {2**64 - 1} is illegal: There is no action ")


def test_the_end_is_told_as_gymnasium_tells_it() -> None:
    """All that Gymnasium says of ended games, we say, of the same kind, and in the same places."""
    ours = begun(2)
    make = partial(DuelEnv, "number-knot", **KNOT)
    theirs = SyncVectorEnv([make, make], autoreset_mode=AutoresetMode.SAME_STEP)
    theirs.reset(seed=1)
    _, _, _, _, wanted = theirs.step(np.array([-1, 0]))
    _, _, ended, _, infos = ours.step(np.array([-1, 0]))
    assert ended.tolist() == [True, False]
    assert plain(infos["final_info"]) == plain(wanted["final_info"])
    for name in ("_final_info", "_final_obs", "_action_mask", "_seat", "seat"):
        assert plain(infos[name]) == plain(wanted[name])
    assert infos["illegal"].tolist() == infos["final_info"]["illegal"].tolist()
    assert (infos["final_obs"][0] == wanted["final_obs"][0]).all()


def test_what_is_told_of_the_end_is_of_the_ended_games_alone() -> None:
    envs, rng = begun(4, seat=2), np.random.default_rng(1)
    infos, seen = envs._infos(), 0
    for _ in range(30):
        actions = (infos["action_mask"] * (1 + rng.random((4, 8)))).argmax(axis=1)
        _, _, ended, _, infos = envs.step(actions)
        assert ("final_info" in infos) == ended.any()
        if ended.any():
            final = infos["final_info"]
            assert plain(infos["_final_info"]) == plain(ended)
            assert final.keys() == {"action_mask", "_action_mask", "seat", "_seat"}
            assert plain(final["_seat"]) == plain(final["_action_mask"]) == plain(ended)
            assert final["seat"].tolist() == [2 * over for over in ended]
            assert not final["action_mask"].any()
            seen += 1
    assert seen > 1


@pytest.mark.parametrize("opponent", ["random", "level:1"])
def test_gymnasium_counts_episodes(opponent: str) -> None:
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(begun(5, opponent=opponent))
    _, infos = envs.reset(seed=3)
    rng, results = np.random.default_rng(1), []
    for _ in range(20):
        actions = (infos["action_mask"] * (1 + rng.random((5, 8)))).argmax(axis=1)
        _, rewards, ended, _, infos = envs.step(actions)
        if ended.any():
            assert infos["episode"]["r"][ended].tolist() == rewards[ended].tolist()
            results += rewards[ended].tolist()
    assert results


# ---- seats at random, the next step, figures --------------------------------------------------


def test_seats_can_be_drawn_for_every_game() -> None:
    envs = VectorDuel(400, "high-low-battle", seat="random", cards=4, rounds=3)
    observations, infos = envs.reset(seed=1)
    rng, changed = np.random.default_rng(1), 0
    assert 150 < (infos["seat"] == 1).sum() < 250
    for _ in range(6):
        seats = infos["seat"]
        actions = (infos["action_mask"] * (1 + rng.random((400, 4)))).argmax(axis=1)
        observations, rewards, ended, _, infos = envs.step(actions)
        assert (seats == infos["seat"])[~ended].all()
        changed += int((seats != infos["seat"]).sum())
        batch = envs._batch
        own = np.arange(400), infos["seat"] - 1
        assert (observations == batch.observations[own]).all()
        assert (rewards == batch.rewards[np.arange(400), seats - 1]).all()
        if ended.any():
            wanted = batch.final_observations[np.arange(400), seats - 1][ended]
            assert (infos["final_obs"][ended] == wanted).all()
            assert (infos["final_info"]["seat"][ended] == seats[ended]).all()
    assert changed > 50


def test_the_next_step_is_as_gymnasium_has_it() -> None:
    """What is shown when a game ends, and by the step after it, whatever that is told to do."""
    ours = begun(1, autoreset_mode=AutoresetMode.NEXT_STEP)
    make = partial(DuelEnv, "number-knot", **KNOT)
    theirs = SyncVectorEnv([make], autoreset_mode=AutoresetMode.NEXT_STEP)
    theirs.reset(seed=1)
    assert ours.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert VectorDuel.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    for actions in ([-1], [99]):
        seen, rewards, ended, cut_off, wanted = theirs.step(np.array(actions))
        found = ours.step(np.array(actions))
        assert (found[0][0] == seen[0]).all()
        assert (found[1][0], found[2][0], found[3][0]) == (rewards[0], ended[0], cut_off[0])
        assert found[4].keys() == wanted.keys()
        for name, value in wanted.items():
            assert plain(found[4][name][0]) == plain(value[0])


def test_figures_are_the_seats_own() -> None:
    envs = begun(2, numbers=3, life=3, opponent="perfect", values=True, seat=2, first=2)
    _, infos = envs.reset(seed=1)
    assert infos["value"].tolist() == [1, 1]  # won by who begins
    assert "loss" not in infos
    _, _, _, _, infos = envs.step(np.array([-1, 0]))
    assert infos["loss"].tolist() == [2, 1]
    assert infos["value"].tolist() == [1, 0]
    assert infos["_value"].all()
    assert infos["_loss"].all()


def test_known_opponents_play_in_compiled_code() -> None:
    for opponent in ("random", "perfect", "level:2", nd.player("perfect", nd.load("knot", **KNOT))):
        envs = begun(opponent=opponent)
        assert isinstance(envs._batch._engine, CompiledEngine)
