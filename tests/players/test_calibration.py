"""The exact scores of the built-in players, shipped and computed again."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.players import calibration
from number_duels.players.calibration import PAIRS, error_rates, exact_scores
from number_duels.players.levels import LEVELS
from number_duels.players.registry import BUILT_IN, player, policy_of
from number_duels.solvers import TooLarge, solve
from number_duels.solvers.best_response import expected_with_errors

DATA = Path(__file__).parents[2] / "docs" / "data"
STATES = {
    name: found["states"]
    for name, found in json.loads((DATA / "solutions.json").read_text(encoding="utf-8")).items()
}
#: The games that are shipped with their scores, the smallest first.
SHIPPED = sorted(calibration.all_shipped(), key=lambda name: STATES[name])
#: Above this, computing all scores again takes minutes: the last test checks some of them.
MAX_STATES = 10_000_000
Settings = dict[str, int | str]
every_shipped_game = pytest.mark.parametrize("name", SHIPPED)


def shipped_losses(name: str) -> dict[str, float]:
    (found,) = calibration.all_shipped()[name]
    return found["exploitability"]


def losses_to_the_best_answer(game: nd.AnyGame) -> dict[str, float]:
    perfect = solve(game).strategy
    rates = error_rates(game)
    answers = {who: nd.best_response(game, perfect.with_errors(rates[who])) for who in rates}
    return {who: answer.exploitability for who, answer in answers.items()}


def test_the_scale_has_every_built_in_player() -> None:
    assert list(error_rates(nd.load(SHIPPED[0]))) == list(BUILT_IN)
    assert list(product(BUILT_IN, repeat=2)) == PAIRS


@every_shipped_game
def test_what_is_shipped_is_whole(name: str) -> None:
    game = nd.load(name)
    (found,) = calibration.all_shipped()[name]
    assert found["settings"] == game.settings
    assert set(exact_scores(game)) == set(PAIRS)
    assert set(found["exploitability"]) == set(BUILT_IN)


def mean_of_seats(scores: calibration.Scores, who: str, other: str) -> float:
    return (scores[who, other] - scores[other, who]) / 2


@every_shipped_game
def test_the_levels_divide_the_way_from_random_to_perfect_evenly(name: str) -> None:
    scores = exact_scores(nd.load(name))
    whole = mean_of_seats(scores, "perfect", "random")
    shares = [mean_of_seats(scores, "perfect", f"level:{n}") / whole for n in LEVELS]
    assert shares == pytest.approx([5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6], abs=0.005)


@every_shipped_game
def test_every_player_beats_the_weaker_ones_and_the_more_the_weaker(name: str) -> None:
    scores = exact_scores(nd.load(name))
    for who in BUILT_IN:
        against = [mean_of_seats(scores, who, other) for other in BUILT_IN]
        assert against == sorted(against, reverse=True)
        assert len(set(against)) == len(against)


@every_shipped_game
def test_nobody_loses_more_to_another_than_to_the_best_answer(name: str) -> None:
    scores, losses = exact_scores(nd.load(name)), shipped_losses(name)
    value = scores["perfect", "perfect"]
    for who, other in product(BUILT_IN, BUILT_IN):
        # As Player 2 and as Player 1 against the same: what it loses on average.
        lost = ((scores[other, who] - value) + (value - scores[who, other])) / 2
        assert lost <= losses[who] + 1e-8
    ranked = [losses[who] for who in BUILT_IN]
    assert ranked == sorted(ranked, reverse=True)
    assert ranked[-1] <= 1e-6


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name != SHIPPED[0] else [])
        for name in SHIPPED
        if STATES[name] < MAX_STATES
    ],
)
def test_the_shipped_figures_are_found_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = nd.load(name)
    kept, lost = exact_scores(game), shipped_losses(name)
    monkeypatch.setattr(calibration, "shipped", lambda _: None)
    assert exact_scores(game) == pytest.approx(kept, abs=1e-8)
    assert losses_to_the_best_answer(game) == pytest.approx(lost, abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SHIPPED if STATES[name] >= MAX_STATES])
def test_some_shipped_figures_of_a_large_game_are_found_again(name: str) -> None:
    game = nd.load(name)
    solution, kept = solve(game, cache=False), exact_scores(game)
    pairs = [("level:1", "random"), ("level:2", "level:1"), ("perfect", "level:3")]
    rates = error_rates(game)
    found = expected_with_errors(solution, [(rates[one], rates[two]) for one, two in pairs])
    assert found == pytest.approx([kept[pair] for pair in pairs], abs=1e-8)
    answer = nd.best_response(game, policy_of("random", game))
    assert answer.exploitability == pytest.approx(shipped_losses(name)["random"], abs=1e-8)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("number-drop", {"side": 2}),
        ("number-knot", {"numbers": 5, "life": 6, "exhausted": "higher-life"}),
        ("number-stack-showdown", {"target": 8, "highest": 3, "copies": 2}),
    ],
)
def test_who_moves_first_only_exchanges_the_seats(name: str, settings: Settings) -> None:
    first, second = (nd.load(name, **settings, first=n) for n in (1, 2))
    scores, exchanged = exact_scores(first), exact_scores(second)
    for one, two in PAIRS:
        assert exchanged[one, two] == pytest.approx(-scores[two, one], abs=1e-9)
    losses = [losses_to_the_best_answer(game) for game in (first, second)]
    assert losses[1] == pytest.approx(losses[0], abs=1e-9)
    usual = exact_scores(nd.load(name)), exact_scores(nd.load(name, first=2))
    assert usual[1]["random", "perfect"] == -usual[0]["perfect", "random"]


def test_scores_that_would_take_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "MAX_STATES", 100)
    with pytest.raises(TooLarge, match="use the default settings"):
        exact_scores(nd.load("number-bid", numbers=6))


@pytest.mark.parametrize("who", BUILT_IN)
def test_every_built_in_player_says_how_likely_it_chooses_what(who: str) -> None:
    game = nd.load("number-knot", numbers=4, life=5)
    odds = policy_of(who, game)(game.start(), nd.Seat.ONE)
    assert sum(odds.values()) == pytest.approx(1)
    policy = getattr(player(who, game), "policy")  # noqa: B009 - not every Player has one
    assert policy(game.start(), nd.Seat.ONE) == odds


@pytest.mark.parametrize("who", ["bot:cat", "llm:any", "py:module:function"])
def test_of_others_nobody_knows(who: str) -> None:
    with pytest.raises(ValueError, match=f"The probabilities of {who} are unknown; choose one of"):
        policy_of(who, nd.load("number-knot"))
