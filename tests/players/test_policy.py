"""Trained policies as players, and what functions are told."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import number_duels as nd
from number_duels.arena.game_runner import Roster, play_fixture
from number_duels.arena.schedule import Schedule, named
from number_duels.core.player import Forfeit, Situation, situation
from number_duels.players.builtin import PolicyPlayer
from number_duels.players.external import Limits
from number_duels.players.levels import slip
from number_duels.players.registry import player, policy_of
from number_duels.solvers.policies import UniformPolicy
from number_duels.solvers.strategy_arrays import ArrayPolicy

BID: nd.SomeGame = nd.load("number-bid", numbers=4)
KNOT: nd.SomeGame = nd.load("number-knot", numbers=3, life=4)
HERE = "tests.players.test_policy"


def even(view: Hashable, seat: nd.Seat) -> dict[str, float]:
    """Any move, as `random` does."""
    options = BID.turn(view).options[seat]  # type: ignore[union-attr]  # a decision
    return {str(option): 1 / len(options) for option in options}


def too_much(view: Hashable, seat: nd.Seat) -> dict[str, float]:
    return {**even(view, seat), "1": 2.0}


def broken(*_: object) -> dict[str, float]:
    raise RuntimeError("no")


def of_three(_view: Hashable, _seat: nd.Seat, _options: object) -> dict[str, float]:
    return {}


class LastOption:
    def choose(self, situation: Situation) -> Hashable:
        return situation.options[-1]


last_option = LastOption()


def test_a_policy_has_an_exact_exploitability() -> None:
    exact = nd.best_response(BID, policy_of("random", BID)).exploitability
    own = policy_of(f"policy:{HERE}:even", BID)
    assert nd.best_response(BID, own).exploitability == pytest.approx(exact, abs=1e-9)


def test_the_mixing_of_a_policy_is_known_luck() -> None:
    schedule = Schedule(named([f"even=policy:{HERE}:even", "always=random"]), (BID,), 3, 1)
    policy, random = Roster(Limits()), Roster(Limits())
    for fixture in next(schedule.pairs_of(schedule.pairings()[0])):
        person = fixture.pairing.one
        random.add(person, BID, PolicyPlayer(UniformPolicy(BID)))
        # The same dice, so the same moves; and the same luck, as both are known to be even.
        assert play_fixture(fixture, policy).figures == play_fixture(fixture, random).figures


@pytest.mark.parametrize(
    ("name", "kind", "reason"),
    [("too_much", "illegal", "add up to"), ("broken", "crashed", "RuntimeError: no")],
)
def test_a_policy_that_is_none_forfeits(name: str, kind: str, reason: str) -> None:
    bad = player(f"policy:{HERE}:{name}", BID)
    with pytest.raises(Forfeit) as caught:
        bad.choose(situation(nd.Match(BID, seed=1), nd.Seat.ONE))
    assert caught.value.kind == kind
    assert reason in caught.value.reason


def saved(path: Path, change: Callable[[np.ndarray], np.ndarray] = lambda x: x) -> str:
    like = ArrayPolicy.perfect(nd.solve(KNOT), error_rate=float(slip(1, KNOT.name)))
    np.savez(path, *map(change, like.probabilities))
    return f"policy:{path}"


def test_a_policy_can_be_an_array_over_states(tmp_path: Path) -> None:
    who = saved(tmp_path / "level.npz")
    exact = nd.best_response(KNOT, policy_of("level:1", KNOT)).exploitability
    found = nd.best_response(KNOT, policy_of(who, KNOT)).exploitability
    assert found == pytest.approx(exact, abs=1e-9)
    match = nd.Match(KNOT, seed=1)
    nd.play_match(match, {seat: player(who, KNOT) for seat in nd.Seat})
    assert match.outcome


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda x: x[1:], "does not fit Number Knot"),
        (lambda x: 2 * x, "add up to 1"),
        (lambda x: x / 2, "add up to 1"),
        (lambda x: x * np.nan, "add up to 1"),
    ],
)
def test_an_array_that_is_no_policy_is_refused(
    tmp_path: Path, change: Callable[[np.ndarray], np.ndarray], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        player(saved(tmp_path / "a.npz", change), KNOT)


@pytest.mark.parametrize("which", ["no.npz", "no.such:policy", "json", "json:decoder.x"])
def test_a_policy_that_is_not_there_is_said(which: str) -> None:
    with pytest.raises(ValueError, match="policy:"):
        player(f"policy:{which}", KNOT)


TOLD: list[dict[str, object]] = []


def curious(
    _: Hashable,
    options: tuple[Hashable, ...],
    __: str,
    *,
    seat: nd.Seat,
    game: nd.AnyGame,
    settings: dict[str, object],
    seed: int = 0,
) -> Hashable:
    TOLD.append({"seat": seat, "game": game, "settings": settings, "seed": seed})
    return options[0]


def greedy(_: Hashable, options: tuple[Hashable, ...], __: str, **told: object) -> Hashable:
    TOLD.append(told)
    return options[0]


@pytest.mark.parametrize("name", ["curious", "greedy"])
def test_a_function_is_told_what_it_asks_for(name: str) -> None:
    TOLD.clear()
    who = player(f"py:{HERE}:{name}", KNOT)
    for seed in (1, 2):
        nd.play_match(nd.Match(KNOT, seed=seed), dict.fromkeys(nd.Seat, who))
    assert {one["seat"] for one in TOLD} == set(nd.Seat)
    assert all(one["game"] == KNOT and one["settings"] == KNOT.settings for one in TOLD)
    seeds = [one["seed"] for one in TOLD]
    assert all(isinstance(seed, int) for seed in seeds)
    assert sum(one != two for one, two in pairwise(seeds)) == 1  # one for each game


def of_the_situation(now: nd.Situation) -> object:
    return now.options[0]


def of_two(_: Hashable, options: tuple[Hashable, ...]) -> object:
    return options[0]


class Agent:
    def choose(self, now: nd.Situation) -> object:
        return now.options[0]


def test_a_named_function_may_take_the_situation() -> None:
    one = player(f"py:{HERE}:of_the_situation", KNOT)
    match = nd.Match(KNOT)
    assert one.choose(situation(match, nd.Seat.ONE)) == match.options(nd.Seat.ONE)[0]


@pytest.mark.parametrize("name", ["of_two", "Agent"])
def test_what_cannot_play_is_refused_before_the_first_game(name: str) -> None:
    with pytest.raises(ValueError, match=f"^py:{HERE}:{name} must be a function of the view, the"):
        player(f"py:{HERE}:{name}", KNOT)


def test_a_policy_that_is_no_function_of_the_view_and_the_seat_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match=rf"^policy:{HERE}:of_three must be a function of the vi"):
        player(f"policy:{HERE}:of_three", KNOT)


def test_an_object_that_chooses_may_be_named() -> None:
    match = nd.Match(KNOT)
    named = player(f"py:{HERE}:last_option", KNOT)
    assert named.choose(situation(match, nd.Seat.ONE)) == match.options(nd.Seat.ONE)[-1]
    with pytest.raises(ValueError, match=rf"^policy:{HERE}:last_option is not a function\.$"):
        player(f"policy:{HERE}:last_option", KNOT)
