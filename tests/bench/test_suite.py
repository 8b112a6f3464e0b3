"""The suite is fixed: what is measured under its name is the same for everybody, for ever."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from hashlib import sha256
from importlib import resources
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

import number_duels as nd
from number_duels.adapters.batch import Batch
from number_duels.bench.answers import question_id
from number_duels.bench.results import Header
from number_duels.bench.run import header_of
from number_duels.bench.suite import (
    CORE_2,
    SIZES,
    STARTER_1,
    SUITES,
    draw_positions,
    draw_statements,
    find_suite,
    positions_of,
)
from number_duels.bench.words import headline
from number_duels.core.game import AnyGame, Seat
from number_duels.core.input_files import parse_json
from number_duels.core.randomness import stream
from number_duels.players.calibration import error_rates, exact_scores
from number_duels.players.external import Limits, ModelOptions
from number_duels.players.registry import known_scores
from number_duels.solvers import kernels
from number_duels.solvers.batch_matrix_games import Floats
from number_duels.solvers.layered import Chunk, PerfectStrategies
from number_duels.solvers.layered_method import LayeredMethod, erring
from number_duels.trainer.exercise import Exercise
from tests.bench.benches import GAMES, SALT, opened, small, solutions
from tests.clock import ManualClock
from tests.documented import DOCUMENTED, ROOT

#: Another digest is another suite, and needs another name.
DIGESTS = {
    CORE_2: "9892ee66a53acb3e6f19d2fabbdd0291f9b9ce7a72e57883f86eb8eaa47d52ad",
    STARTER_1: "3c3d6d660241328c1fc7a8f9a68f5746f36f2997d637d2f07c91e79ff701431d",
}


@pytest.mark.parametrize("name", SUITES)
def test_the_suite_of_a_name_never_changes(name: str) -> None:
    file = resources.files("number_duels.bench").joinpath("data", f"{name}.json")
    assert sha256(file.read_bytes()).hexdigest() == DIGESTS[name]


def test_the_starter_suite_has_the_settings_that_the_recipes_train_on() -> None:
    trained = set()
    for recipe in (ROOT / "examples" / "recipes").glob("*.py"):
        found = re.search(r"^settings = (\{.*\})$", recipe.read_text(), re.M)
        if found:
            trained.add(nd.load("number-knot", **ast.literal_eval(found[1])))
    assert trained
    assert trained <= set(find_suite(name=STARTER_1).games)


def test_its_games_are_all_games_and_its_ladder_all_built_in_players() -> None:
    suite = find_suite()
    assert tuple(game.name for game in suite.games) == DOCUMENTED
    assert suite.ladder == ("random", *(f"level:{n}" for n in range(1, 6)), "perfect")


def test_the_head_of_its_results_can_be_read_again() -> None:
    header = header_of(find_suite("small"), "llm:a", Limits(), "duels bench llm:a", ManualClock())
    assert header.started == "2026-01-05T12:00:00+00:00"
    assert header.seconds == 300  # a model thinks for minutes
    assert header_of(find_suite("small"), "bot:a", Limits()).seconds == 10
    again = Header.from_object(json.loads(header.to_json()))
    assert again == header
    assert again.to_suite() == find_suite("small")


def test_everybody_meets_the_same_cards() -> None:
    schedules = [find_suite("small").schedule(who) for who in ("llm:a", "bot:python3 b.py")]
    seeds = [
        [f.seed for p in one.pairings() for pair in one.pairs_of(p) for f in pair]
        for one in schedules
    ]
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == len(seeds[0])
    assert seeds[0][:2] == [167918573673387, 21051705033753]


def test_its_positions_are_different_decisions_of_its_games() -> None:
    suite = find_suite()
    size = SIZES["full"]
    for spots, count in ((suite.moves, size.positions), (suite.statements, size.statements)):
        names = [spot.open().id for spot in spots]
        assert len(set(names)) == len(names)
        assert set(Counter(spot.game for spot in spots).values()) == {count}
        assert len({question_id(spot, "move") for spot in spots}) == len(names)


@pytest.mark.parametrize("name", ["number-knot"])
def test_its_positions_are_drawn_as_those_of_any_seed(name: str) -> None:
    suite = find_suite()
    drawn = draw_positions(nd.solve(nd.load(name)), 500, stream(suite.seed, "moves", name))
    assert drawn == tuple(spot for spot in suite.moves if spot.game == name)


def test_positions_are_drawn_where_something_is_at_stake() -> None:
    for game, solution in solutions().items():
        for spot in draw_positions(solution, 30, stream(3, "test")):
            assert Exercise(spot.open(), solution).stake > 0, game
        first, *rest = draw_statements(solution, 6, stream(3, "test"))
        assert not first.moves or len(first.moves.split()) == 1
        assert all(Exercise(spot.open(), solution).stake > 0 for spot in rest), game


def first(chunk: Chunk, seat: Seat) -> Floats:
    """Always play the first move."""
    alone = chunk.after.ndim == 2
    found = np.zeros((len(chunk.codes), chunk.after.shape[1 if alone or seat is Seat.ONE else 2]))
    found[:, 0] = 1
    return found


@pytest.mark.parametrize(
    "name",  # Number Stack Showdown has another kind of solution
    [
        *("number-bid", "number-drop", "number-knot"),
        pytest.param("high-low-battle", marks=pytest.mark.slow),
    ],
)
def test_the_cost_of_a_move_orders_players_as_their_exact_scores_do(name: str) -> None:
    """Random, first move, levels and perfect: the score is the mean over the ladder, both seats."""
    suite = find_suite()
    (game,) = (game for game in suite.games if game.name == name)
    solution, kernel = nd.solve(game), kernels.find_kernel(game)
    assert isinstance(kernel, LayeredMethod)
    rates = error_rates(game)
    costs = dict.fromkeys(["first move", *suite.ladder], 0.0)
    for spot in positions_of(suite, solution):
        at = spot.open()
        values = solution.option_values(at.state, at.seat)
        costs["first move"] += max(values) - values[0]
        for who in suite.ladder:
            costs[who] += rates[who] * (max(values) - fmean(values))
    known = exact_scores(game)
    scores = {
        who: sum(known[who, other] - known[other, who] for other in suite.ladder)
        for who in suite.ladder
    }
    perfect = PerfectStrategies(kernel, kernel.solve(lambda _: None).sections)
    rungs = [erring(perfect, rates[who]) for who in suite.ladder]
    results = kernel.play_out([pair for own in rungs for pair in ((first, own), (own, first))])
    scores["first move"] = sum(results[::2]) - sum(results[1::2])
    assert sorted(costs, key=lambda who: -costs[who]) == sorted(scores, key=scores.__getitem__)


@pytest.mark.slow
def test_the_cost_of_a_move_orders_players_of_number_stack_showdown_too() -> None:
    """The score of the first move is measured, within 0.1 of a percent; the others are exact."""
    suite = find_suite()
    game: AnyGame = nd.load(suite.games[-1].name)
    assert game.name == "number-stack-showdown"
    solution, rates, known = nd.solve(game), error_rates(game), known_scores(game)
    assert known is not None
    costs = dict.fromkeys(["first move", *suite.ladder], 0.0)
    for spot in positions_of(suite, solution):
        at = spot.open()
        values = solution.option_values(at.state, at.seat)
        costs["first move"] += max(values) - values[0]
        for who in suite.ladder:
            costs[who] += rates[who] * (max(values) - fmean(values))
    scores = {
        who: fmean((known[who][other] - known[other][who]) / 2 for other in suite.ladder)
        for who in suite.ladder
    }
    met = [(rival, seat) for rival in suite.ladder for seat in Seat]
    scores["first move"] = fmean(result_of_first_moves(game, *one) for one in met)
    assert sorted(costs, key=lambda who: -costs[who]) == sorted(scores, key=scores.__getitem__)


def result_of_first_moves(game: AnyGame, rival: str, seat: Seat, games: int = 60_000) -> float:
    """The mean result of always playing the first move in a seat."""
    batch, results = Batch(game, 4096, 3, rival=seat.other, policy=rival), list[float]()
    while len(results) < games:
        batch.step(batch.masks[:, 0].argmax(axis=1))
        results += batch.rewards[batch.done, seat].tolist()
    return fmean(results)


@pytest.mark.slow
def test_the_headline_in_the_documents_is_that_of_the_small_suite() -> None:
    total = nd.bench("level:2").total
    page = (ROOT / "docs" / "bench.md").read_text(encoding="utf-8")
    assert headline(total, "level:2") in page.replace("\n> ", " ")


def test_a_seed_of_ones_own_draws_other_positions_and_the_same_every_time() -> None:
    solution = solutions()[GAMES[0]]
    drawn = [positions_of(small(seed=seed, salt=""), solution) for seed in (5, 5, 6)]
    assert drawn[0] == drawn[1] != drawn[2]
    salted = [positions_of(small(salt=""), solution, salt) for salt in ("a", "b")]
    assert salted[0] != salted[1]


def test_a_seed_of_ones_own_has_a_secret_salt(tmp_path: Path) -> None:
    """Whoever guesses the seed does not know the cards: another run has others."""
    salts = []
    for name in "ab":
        bench = opened(small(salt=""), "py:random:choice", tmp_path / f"{name}.jsonl")
        salts.append(bench.tournament.schedule.salt)
        bench.file.close()
    assert salts[0] != salts[1]
    assert "" not in salts
    public = opened(small(), "py:random:choice", tmp_path / "c.jsonl")
    assert public.tournament.schedule.salt == SALT
    public.file.close()


def test_settings_of_ones_own_need_a_seed_of_ones_own() -> None:
    with pytest.raises(ValueError, match="give a seed"):
        find_suite("small", settings={"number-bid": {"numbers": 6}})
    suite = find_suite("small", 7, {"number-bid": {"numbers": 6}})
    assert suite.variant
    assert not suite.is_public
    assert "number-bid(numbers=6)" in suite.events
    assert "number-knot" in suite.events


def test_a_model_with_other_options_is_another_bench() -> None:
    suite = find_suite(SIZES["small"])
    warm, cold = (
        header_of(suite, "llm:some", Limits(model=ModelOptions(temperature=t, think="text")))
        for t in (1.0, 0.0)
    )
    assert warm.options == {"temperature": 1.0, "think": "text"}
    data = parse_json(warm.to_json())
    assert isinstance(data, dict)
    assert Header.from_object(data).options == warm.options
    assert not warm.measures_as(cold)
    assert header_of(suite, "random", Limits()).options == {}
