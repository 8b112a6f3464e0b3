"""Games in flight: many at a time in one process, and the same games as elsewhere."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from threading import Barrier, Lock

import pytest

from number_duels.arena.game_result import GameResult
from number_duels.arena.in_flight import InFlight
from number_duels.arena.results_file import ResultsFile, read_results
from number_duels.arena.tournament import Tournament
from number_duels.core.player import Outage
from number_duels.players.external import Limits
from number_duels.players.llm import retry_budget
from tests.arena.matches import GAMES, LIMITS, run, schedule
from tests.players.behaviours import Behaviours
from tests.players.endpoint import Body, Connection, FakeEndpoint, endpoint, error, obey
from tests.players.model_players import ENVIRONMENT

KNOT = GAMES[3:4]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short pauses, and nothing of the user's."""
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(retry_budget, "FIRST_PAUSE_S", 0.01)


def lines(path: Path) -> list[dict[str, object]]:
    """The lines of a file, apart from when the games were played."""
    return [{**json.loads(line), "started": ""} for line in path.read_text().splitlines()]


def test_games_in_flight_are_the_same_games(tmp_path: Path) -> None:
    what = schedule("random", "level:1", "perfect", pairs=2)
    run(what, tmp_path / "here.jsonl")
    run(what, tmp_path / "flight.jsonl", engine=InFlight(7, LIMITS))
    assert lines(tmp_path / "here.jsonl") == lines(tmp_path / "flight.jsonl")


def test_as_many_requests_are_under_way_as_are_allowed_and_no_more(tmp_path: Path) -> None:
    under_way, most, lock, together = 0, 0, Lock(), Barrier(6)

    def counted(connection: Connection, body: Body) -> None:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        if len(fake.bodies) <= 6:
            together.wait(timeout=60)
            time.sleep(0.5)  # one more would come now
        with lock:  # before the answer, which lets the next request come
            under_way -= 1
        obey(connection, body)

    what = schedule("llm:tiny", "random", games=KNOT, pairs=6)
    with endpoint(FakeEndpoint(act=counted)) as fake:
        engine = InFlight(6, Limits(seconds=60, url=fake.url))
        run(what, tmp_path / "six.jsonl", engine=engine)
        assert most == 6
        run(what, tmp_path / "one.jsonl", engine=InFlight(1, engine.limits))
    assert lines(tmp_path / "six.jsonl") == lines(tmp_path / "one.jsonl")
    assert len(lines(tmp_path / "six.jsonl")) == 12


def test_a_pause_that_the_endpoint_asks_for_holds_for_all_requests(tmp_path: Path) -> None:
    asked: list[float] = []
    told: list[float] = []

    def once_busy(connection: Connection, body: Body) -> None:
        asked.append(time.monotonic())
        if len(asked) == 10:
            error(429, "Slow down.", Retry_After="1")(connection, body)
            told.append(time.monotonic())
        else:
            time.sleep(0.02)
            obey(connection, body)

    with endpoint(FakeEndpoint(act=once_busy)) as fake:
        engine = InFlight(4, Limits(seconds=60, url=fake.url))
        run(
            schedule("llm:tiny", "random", games=KNOT, pairs=8),
            tmp_path / "a.jsonl",
            engine=engine,
        )
    (at,) = told
    assert sum(at < one < at + 0.95 for one in asked) <= 3  # those that were on their way


def test_an_outage_ends_the_run_and_the_next_one_plays_the_rest(tmp_path: Path) -> None:
    behaviours, path = Behaviours(), tmp_path / "a.jsonl"
    what = schedule("llm:good", "llm:down", "random", games=KNOT, pairs=2)
    seen: list[GameResult] = []
    with endpoint(behaviours.endpoint) as fake:
        engine = InFlight(3, Limits(seconds=60, url=fake.url, patience=0.3))
        tournament = Tournament(what, ResultsFile(path))
        with pytest.raises(Outage, match=r"status 503 \(Back soon\.\), and patience ends"):
            tournament.run(engine, seen.append)
        tournament.file.close()
        before = read_results(path)
        assert [one.fixture for one in before] == [one.fixture for one in seen]
        assert all(not any(result.forfeits) for result in before)
        assert len(before) < 12
        behaviours.up = True
        found = run(what, path, engine=engine).counting()
    assert len(found) == 12
    assert not any(kind for result in found for kind in result.forfeits)
    assert {result.fixture for result in before} <= {result.fixture for result in found}


def test_programs_and_functions_play_beside_models(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = f"bot:{sys.executable} {Path(__file__).parents[2] / 'examples/bots/any_move.py'}"
    players = ("llm:tiny", bot, "py:tests.arena.test_in_flight:first")
    with endpoint(FakeEndpoint()) as fake:
        engine = InFlight(6, Limits(seconds=60, url=fake.url), workers=2)
        what = schedule(*players, games=KNOT, pairs=2)
        found = run(what, tmp_path / "a.jsonl", engine=engine).counting()
    assert len(found) == 12
    assert not any(kind for result in found for kind in result.forfeits)
    assert capsys.readouterr().out == ""


def first(_: object, options: tuple[object, ...], __: str) -> object:
    sys.stdout.write("talks while it plays")
    return options[0]
