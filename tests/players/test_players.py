"""Players: what each word seats, and what the exact figures say of them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt

import pytest

import number_duels as nd
from number_duels.core.player import situation
from number_duels.core.runner import play_match
from number_duels.players.builtin import LevelPlayer, PerfectPlayer, PolicyPlayer
from number_duels.players.calibration import all_shipped, exact_scores
from number_duels.players.levels import LEVELS, slip
from number_duels.players.registry import BUILT_IN, KINDS, described, player, seat_player

SCORES = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}
QUICK = ("number-bid", "number-knot")


def test_a_word_that_names_nobody_is_answered_with_who_there_is() -> None:
    with pytest.raises(ValueError, match="choose random, level:1 to level:5, perfect"):
        player("level:6", nd.load("number-knot"))


def test_a_person_is_for_a_front_end_to_ask() -> None:
    assert seat_player("human", nd.load("number-knot")) is None
    with pytest.raises(ValueError, match="A human player cannot be used here; choose random"):
        player("human", nd.load("number-knot"))


def test_a_built_in_player_says_who_it_is() -> None:
    game = nd.load("number-knot", numbers=3)
    for who in BUILT_IN:
        assert repr(player(who, game)) == f"<{who} player of Number Knot>"


def test_a_level_says_how_often_it_plays_a_random_move_in_a_game() -> None:
    assert described("level:2", "no-such-game") == "plays a random move on about one turn in three"
    for name in nd.games():
        assert len({described(who, name) for who in KINDS}) == len(KINDS)


@pytest.mark.parametrize("name", [*nd.games(), "no-such-game"])
def test_a_higher_level_slips_less_often(name: str) -> None:
    slips = [Fraction(1), *(slip(level, name) for level in LEVELS), Fraction(0)]
    assert slips == sorted(set(slips), reverse=True)


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
@pytest.mark.parametrize("name", all_shipped())
def test_two_thousand_games_against_perfect_come_out_as_computed(name: str, who: str) -> None:
    check_games(name, who, "perfect", exact_scores(nd.load(name))[who, "perfect"], 2000)


@pytest.mark.parametrize("name", QUICK)
def test_a_hundred_games_against_perfect_come_out_as_computed(name: str) -> None:
    expected = exact_scores(nd.load(name))["level:2", "perfect"]
    check_games(name, "level:2", "perfect", expected, 100)


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
        often = float(slip(1, game.name))
        assert odds == pytest.approx((1 - often) * options[move] + often / len(options))
