"""Players: what each word seats, and what the exact figures say of them."""

from __future__ import annotations

import json
from collections import Counter
from math import sqrt
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.core.player import situation
from number_duels.core.runner import play_match
from number_duels.players.builtin import LevelPlayer, PerfectPlayer, PolicyPlayer, slip
from number_duels.players.registry import BUILT_IN, LEVELS, player, seat_player
from number_duels.solvers import solve
from number_duels.solvers.best_response import expected_with_errors

FIGURES = json.loads(
    (Path(__file__).parents[2] / "docs" / "data" / "levels.json").read_text(encoding="utf-8")
)
WORDS = {"random": 1.0, **{f"level:{level}": float(slip(level)) for level in LEVELS}}
SCORES = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}
QUICK = ("number-bid", "number-knot")


def test_a_word_that_names_nobody_is_answered_with_who_there_is() -> None:
    with pytest.raises(ValueError, match="there are human, random, level:1"):
        player("level:6", nd.load("number-knot"))


def test_a_person_is_for_a_front_end_to_ask() -> None:
    assert seat_player("human", nd.load("number-knot")) is None
    with pytest.raises(ValueError, match="A person is asked by a front end, not here; choose one"):
        player("human", nd.load("number-knot"))


def test_a_built_in_player_says_who_it_is() -> None:
    game = nd.load("number-knot", numbers=3)
    for who in BUILT_IN:
        assert repr(player(who, game)) == f"<{who} player of Number Knot>"


@pytest.mark.parametrize("name", FIGURES)
def test_a_higher_level_never_loses_more(name: str) -> None:
    assert FIGURES[name].keys() == WORDS.keys()
    losses = [FIGURES[name][who]["loss"] for who in WORDS]
    assert losses == sorted(losses, reverse=True)
    assert all(loss >= 0 for loss in losses)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name == QUICK[0] else [pytest.mark.slow])
        for name in FIGURES
        if name != "number-stack-showdown"  # minutes and gigabytes: scripts/measure_levels.py
    ],
)
def test_the_published_figures_are_what_the_solution_says(name: str) -> None:
    game = nd.load(name)
    pairs = [(often, 0.0) for often in WORDS.values()] + [(0.0, often) for often in WORDS.values()]
    found = expected_with_errors(solve(game, cache=False), pairs)
    for who, one, two in zip(WORDS, found[: len(WORDS)], found[len(WORDS) :], strict=True):
        assert FIGURES[name][who]["as player 1"] == pytest.approx(one, abs=1e-6)
        assert FIGURES[name][who]["as player 2"] == pytest.approx(-two, abs=1e-6)


def check_games(name: str, one: str, two: str, expected: float, games: int) -> None:
    """A score over many games is within three standard errors of what it must be."""
    game = nd.load(name)
    players = {nd.Seat.ONE: player(one, game), nd.Seat.TWO: player(two, game)}
    results = [SCORES[play_match(nd.Match(game, seed), players).result] for seed in range(games)]
    mean = sum(results) / games
    spread = sqrt(sum((result - mean) ** 2 for result in results) / games)
    # A result that never varies has no error to measure; a rare exception may be missed.
    error = max(spread, 1 / sqrt(games)) / sqrt(games)
    assert abs(mean - expected) <= 3 * error, (name, one, two, mean, expected, error)


@pytest.mark.slow
@pytest.mark.parametrize("who", BUILT_IN)
@pytest.mark.parametrize("name", FIGURES)
def test_two_thousand_games_against_perfect_come_out_as_computed(name: str, who: str) -> None:
    expected = (
        solve(nd.load(name)).value(nd.load(name).start())
        if who == "perfect"
        else FIGURES[name][who]["as player 1"]
    )
    check_games(name, who, "perfect", expected, 2000)


@pytest.mark.parametrize("name", QUICK)
def test_a_hundred_games_against_perfect_come_out_as_computed(name: str) -> None:
    check_games(name, "level:2", "perfect", FIGURES[name]["level:2"]["as player 1"], 100)


def test_perfect_really_mixes_from_its_own_stream() -> None:
    game = nd.load("high-low-battle", cards=5, rounds=3)
    perfect = PerfectPlayer(game)
    strategy = perfect.policy(game.start(), nd.Seat.ONE)
    chosen = Counter(
        perfect.choose(situation(nd.Match(game, seed=seed), nd.Seat.ONE)) for seed in range(2000)
    )
    assert len([odds for odds in strategy.values() if odds > 0.01]) > 1
    for move, odds in strategy.items():
        error = sqrt(max(odds * (1 - odds), 1e-4) / 2000)
        assert abs(chosen[move] / 2000 - odds) <= 4 * error
    again = nd.Match(game, seed=7)
    assert perfect.choose(situation(again, nd.Seat.ONE)) == perfect.choose(
        situation(again, nd.Seat.ONE)
    )


def test_a_policy_may_name_its_moves_and_its_mistakes_are_said() -> None:
    here = situation(nd.Match(nd.load("number-knot"), seed=1), nd.Seat.ONE)
    assert str(PolicyPlayer(lambda _, __: {"S5": 1}).choose(here)) == "S5"
    with pytest.raises(ValueError, match=r"for Player 1 add up to 0\.5; they must add up to 1"):
        PolicyPlayer(lambda _, __: {"S5": 0.5}).choose(here)


def test_a_level_is_perfect_play_mixed_with_every_option() -> None:
    game = nd.load("number-knot", numbers=5, life=6)
    perfect, level = PerfectPlayer(game), LevelPlayer(1, game)
    options = perfect.solution.strategy(game.start(), nd.Seat.ONE)
    for move, odds in level.policy(game.start(), nd.Seat.ONE).items():
        assert odds == pytest.approx(options[move] / 2 + 1 / (2 * len(options)))
