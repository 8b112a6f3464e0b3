"""Eleven kinds of behaviour, and the right verdict on each: nothing counts that was not played."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path

import pytest

from number_duels.arena.in_flight import InFlight
from number_duels.arena.results import ResultsFile, Side
from number_duels.arena.schedule import Schedule, named
from number_duels.arena.tournament import Tournament
from number_duels.core.player import Outage
from number_duels.players.external import Limits
from tests.arena.matches import GAMES, run
from tests.players.behaviours import LONG_S, Behaviours
from tests.players.endpoint import endpoint
from tests.players.model_players import PatientClock, clock, no_keys

__all__ = ["clock", "no_keys"]  # fixtures
#: Models that play on, with the trouble that their endpoints make.
PLAYED: dict[str, set[str]] = {
    "good": set(),
    "chatty": set(),
    "thinking": set(),
    "flaky": {"failing", "cut"},
    "rate-limited": {"busy"},
}
LOST = {"illegal": "illegal", "empty": "unreadable", "slow": "late", "cut-off": "unreadable"}
OUT = ("wrong-key", "down")
PAIRS = 2


pytestmark = pytest.mark.usefixtures("no_keys")


def against_random(name: str) -> Schedule:
    """A model against a player at random."""
    players = named(["random", f"llm:{name}"])
    return Schedule(players, GAMES[3:4], PAIRS, 1, gauntlet="random")


def test_there_are_eleven_kinds() -> None:
    assert {*PLAYED, *LOST, *OUT} == Behaviours().acts.keys()
    assert len(PLAYED) + len(LOST) + len(OUT) == 11


def sides_of(behaviours: Behaviours, path: Path, name: str) -> list[Side]:
    """What became of a model in its games, which nobody leaves for lack of patience."""
    with endpoint(behaviours.endpoint) as fake:
        limits = Limits(seconds=LONG_S, patience=math.inf, url=fake.url)
        engine = InFlight(16, limits, clock=behaviours.clock)
        found = run(against_random(name), path, engine=engine).counting()
    sides = [side for result in found for side in result.sides if side.name == name]
    assert len(sides) == 2 * PAIRS
    return sides


@pytest.mark.parametrize("name", PLAYED)
def test_what_an_endpoint_gets_wrong_is_no_fault_of_the_model(
    name: str, tmp_path: Path, clock: PatientClock
) -> None:
    behaviours, path = Behaviours(clock), tmp_path / "a.jsonl"
    for side in sides_of(behaviours, path, name):
        assert (side.forfeit, side.faults) == ("", ())
    calls = [json.loads(line) for line in path.with_suffix(".calls.jsonl").read_text().splitlines()]
    kinds = Counter(call["kind"] for call in calls)
    assert set(kinds) - {"answered", "forced"} == PLAYED[name]
    assert kinds["busy"] == len(behaviours.refusals)
    thoughts = {call["reasoning"] for call in calls if call["answer"]}
    assert thoughts == {"Hm, hm." if name == "thinking" else ""}


@pytest.mark.parametrize("name", LOST)
def test_what_a_model_gets_wrong_is_its_own(name: str, tmp_path: Path, clock: PatientClock) -> None:
    sides = sides_of(Behaviours(clock, players=2 * PAIRS), tmp_path / "a.jsonl", name)
    assert [side.forfeit for side in sides] == [LOST[name]] * 2 * PAIRS


@pytest.mark.parametrize("name", OUT)
def test_an_outage_counts_for_nobody_and_the_games_are_played_later(
    name: str, tmp_path: Path, clock: PatientClock
) -> None:
    behaviours, path = Behaviours(clock), tmp_path / "a.jsonl"
    with endpoint(behaviours.endpoint) as fake:
        engine = InFlight(8, Limits(seconds=LONG_S, url=fake.url, patience=3), clock=clock)
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
