"""The suite is fixed: what is measured under its name is the same for everybody, for ever."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from importlib import resources
from pathlib import Path

import pytest

from number_duels.bench.answers import question_id
from number_duels.bench.results import Header
from number_duels.bench.run import header_of
from number_duels.bench.suite import CORE_1, SIZES, core_1, draw_positions, positions_of
from number_duels.core.input_files import parse_json
from number_duels.core.randomness import stream
from number_duels.players.external import Limits, ModelOptions
from number_duels.trainer.exercise import Exercise
from tests.bench.benches import GAMES, SALT, opened, small, solutions
from tests.clock import ManualClock
from tests.documented import DOCUMENTED

#: Another digest is another suite, and needs another name.
DIGEST = "4b2c8dc2753cde5204dd4a2f6d84bd52edb16d3c8e4e9014b4b371e997f54b60"


def test_the_suite_of_a_name_never_changes() -> None:
    file = resources.files("number_duels.bench").joinpath("data", f"{CORE_1}.json")
    assert sha256(file.read_bytes()).hexdigest() == DIGEST


def test_its_games_are_all_games_and_its_ladder_all_built_in_players() -> None:
    suite = core_1()
    assert tuple(game.name for game in suite.games) == DOCUMENTED
    assert suite.ladder == ("random", *(f"level:{n}" for n in range(1, 6)), "perfect")


def test_the_head_of_its_results_can_be_read_again() -> None:
    header = header_of(core_1("small"), "llm:a", Limits(), "duels bench llm:a", ManualClock())
    assert header.started == "2026-01-05T12:00:00+00:00"
    again = Header.from_object(json.loads(header.to_json()))
    assert again == header
    assert again.to_suite() == core_1("small")


def test_everybody_meets_the_same_cards() -> None:
    schedules = [core_1("small").schedule(who) for who in ("llm:a", "bot:python3 b.py")]
    seeds = [
        [f.seed for p in one.pairings() for pair in one.pairs_of(p) for f in pair]
        for one in schedules
    ]
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == len(seeds[0])
    assert seeds[0][:2] == [167918573673387, 21051705033753]


def test_its_positions_are_different_decisions_of_its_games() -> None:
    suite = core_1()
    names = [spot.open().id for spot in suite.frozen]
    assert len(set(names)) == len(names)
    most = SIZES["full"].positions
    assert set(Counter(spot.game for spot in suite.frozen).values()) == {most}
    assert len({question_id(spot, "move") for spot in suite.frozen}) == len(names)


def test_positions_are_drawn_where_something_is_at_stake() -> None:
    for game, solution in solutions().items():
        first, *rest = draw_positions(solution, 6, stream(3, "test"))
        assert not first.moves or len(first.moves.split()) == 1
        assert all(Exercise(spot.open(), solution).stake > 0 for spot in rest), game


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
        core_1("small", settings={"number-bid": {"numbers": 6}})
    suite = core_1("small", 7, {"number-bid": {"numbers": 6}})
    assert suite.variant
    assert not suite.is_public
    assert "number-bid(numbers=6)" in suite.events
    assert "number-knot" in suite.events


def test_a_model_with_other_options_is_another_bench() -> None:
    suite = core_1(SIZES["small"])
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
