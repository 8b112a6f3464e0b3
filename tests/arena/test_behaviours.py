"""Eleven kinds of behaviour, and the right verdict on each: nothing counts that was not played."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from number_duels.arena.game_result import Side
from number_duels.arena.in_flight import InFlight
from number_duels.arena.results_file import ResultsFile
from number_duels.arena.schedule import Schedule, named
from number_duels.arena.tournament import Tournament
from number_duels.core.player import Outage
from number_duels.players.external import Limits
from tests.arena.matches import GAMES, run
from tests.arena.test_in_flight import quick
from tests.players.behaviours import Behaviours
from tests.players.endpoint import endpoint

__all__ = ["quick"]  # a fixture
PLAYED = ("good", "chatty", "thinking", "flaky", "rate-limited")
LOST = {"illegal": "illegal", "empty": "unreadable", "slow": "late", "cut-off": "unreadable"}
OUT = ("wrong-key", "down")
PAIRS = 2


def against_random(*names: str) -> Schedule:
    """Each model against a player at random, and nobody else."""
    players = named(["random", *(f"llm:{name}" for name in names)])
    return Schedule(players, GAMES[3:4], PAIRS, 1, gauntlet="random")


def test_there_are_eleven_kinds() -> None:
    assert {*PLAYED, *LOST, *OUT} == Behaviours().acts.keys()
    assert len(PLAYED) + len(LOST) + len(OUT) == 11


def test_what_a_model_gets_wrong_is_its_own_and_nothing_else_is(tmp_path: Path) -> None:
    behaviours, path = Behaviours(), tmp_path / "a.jsonl"
    with endpoint(behaviours.endpoint) as fake:
        engine = InFlight(16, Limits(seconds=4, url=fake.url))
        found = run(against_random(*PLAYED, *LOST), path, engine=engine).counting()
    assert len(found) == 2 * PAIRS * (len(PLAYED) + len(LOST))
    sides: dict[str, list[Side]] = {name: [] for name in (*PLAYED, *LOST)}
    for result in found:
        for side in result.sides:
            if side.name != "random":
                sides[side.name].append(side)
    for name in PLAYED:
        assert [side.forfeit for side in sides[name]] == [""] * 2 * PAIRS
        assert [side.faults for side in sides[name]] == [()] * 2 * PAIRS
    for name, kind in LOST.items():
        assert [side.forfeit for side in sides[name]] == [kind] * 2 * PAIRS, name
    calls = [json.loads(line) for line in path.with_suffix(".calls.jsonl").read_text().splitlines()]
    kinds = {
        name: Counter(call["kind"] for call in calls if call["model"] == name) for name in sides
    }
    assert kinds["flaky"]["failing"]
    assert kinds["flaky"]["cut"]
    assert kinds["rate-limited"]["busy"] == len(behaviours.refusals)
    assert {
        call["reasoning"] for call in calls if call["model"] == "thinking" and call["answer"]
    } == {"Hm, hm."}


@pytest.mark.parametrize("name", OUT)
def test_an_outage_counts_for_nobody_and_the_games_are_played_later(
    name: str, tmp_path: Path
) -> None:
    behaviours, path = Behaviours(), tmp_path / "a.jsonl"
    with endpoint(behaviours.endpoint) as fake:
        engine = InFlight(8, Limits(seconds=8, url=fake.url, patience=0.3))
        tournament = Tournament(against_random(name), ResultsFile(path))
        with pytest.raises(Outage, match=f"the endpoint {fake.url} gives no answer"):
            tournament.run(engine, lambda _: None)
        tournament.file.close()
        assert path.read_bytes() == b""
        behaviours.up = True
        behaviours.acts["wrong-key"] = behaviours.acts["good"]
        found = run(against_random(name), path, engine=engine).counting()
    assert len(found) == 2 * PAIRS
    assert not any(kind for result in found for kind in result.forfeits)
