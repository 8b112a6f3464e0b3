"""Games in flight: many at a time in one process, and the same games as elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Collection
from concurrent.futures import ALL_COMPLETED, Future, ThreadPoolExecutor, wait
from concurrent.futures._base import DoneAndNotDoneFutures
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest

from number_duels.arena import in_flight
from number_duels.arena.game_runner import FinishedGame
from number_duels.arena.in_flight import InFlight
from number_duels.arena.results import GameResult, ResultsFile, read_results
from number_duels.arena.tournament import Tournament
from number_duels.core.player import Outage
from number_duels.players.external import Limits
from tests.arena.matches import GAMES, LIMITS, lines, run, schedule
from tests.clock import ManualClock
from tests.players.behaviours import LONG_S, Behaviours
from tests.players.endpoint import Body, Connection, FakeEndpoint, endpoint, error, obey
from tests.players.model_players import PatientClock, clock, no_keys

__all__ = ["clock", "no_keys"]  # fixtures
KNOT = GAMES[3:4]


pytestmark = pytest.mark.usefixtures("no_keys")


def test_games_in_flight_are_the_same_games(tmp_path: Path) -> None:
    what = schedule("random", "level:1", "perfect", pairs=2)
    run(what, tmp_path / "here.jsonl")
    run(what, tmp_path / "flight.jsonl", engine=InFlight(7, LIMITS))
    assert lines(tmp_path / "here.jsonl") == lines(tmp_path / "flight.jsonl")


def test_as_many_requests_are_under_way_as_are_allowed_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way: list[int] = []
    together = Barrier(6)

    def counted(connection: Connection, body: Body) -> None:
        if len(fake.bodies) <= 6:
            together.wait(timeout=600)
        obey(connection, body)

    def noted(
        games: Collection[Future[FinishedGame]], return_when: str = ALL_COMPLETED
    ) -> DoneAndNotDoneFutures[FinishedGame]:
        under_way.append(len(games))
        return wait(games, return_when=return_when)

    monkeypatch.setattr(in_flight, "wait", noted)
    what = schedule("llm:tiny", "random", games=KNOT, pairs=6)
    with endpoint(FakeEndpoint(act=counted)) as fake:
        engine = InFlight(6, Limits(seconds=600, url=fake.url))
        run(what, tmp_path / "six.jsonl", engine=engine)
        assert max(under_way) == 6
        run(what, tmp_path / "one.jsonl", engine=InFlight(1, engine.limits))
    assert lines(tmp_path / "six.jsonl") == lines(tmp_path / "one.jsonl")
    assert len(lines(tmp_path / "six.jsonl")) == 12


def test_a_pause_that_the_endpoint_asks_for_holds_for_all_requests(tmp_path: Path) -> None:
    clock = ManualClock()
    held: list[int] = []

    def once_busy(connection: Connection, body: Body) -> None:
        busy = len(fake.bodies) == 10
        (error(429, "Slow down.", Retry_After="1") if busy else obey)(connection, body)

    def go_on() -> None:
        """Let the time pass once all four games wait for the endpoint."""
        clock.until_waiting(within=1.25, count=4)
        held.append(len(fake.bodies))
        clock.advance(1.25)

    with endpoint(FakeEndpoint(act=once_busy)) as fake, ThreadPoolExecutor(1) as pool:
        watching = pool.submit(go_on)
        what = schedule("llm:tiny", "random", games=KNOT, pairs=8)
        engine = InFlight(4, Limits(seconds=600, url=fake.url), clock=clock)
        run(what, tmp_path / "a.jsonl", engine=engine)
        watching.result()
        assert 10 <= held[0] < len(fake.bodies)


def test_an_outage_ends_the_run_and_the_next_one_plays_the_rest(
    tmp_path: Path, clock: PatientClock
) -> None:
    behaviours, path = Behaviours(clock), tmp_path / "a.jsonl"
    what = schedule("llm:good", "llm:down", "random", games=KNOT, pairs=2)
    seen: list[GameResult] = []
    with endpoint(behaviours.endpoint) as fake:
        engine = InFlight(3, Limits(seconds=600, url=fake.url, patience=3), clock=clock)
        tournament = Tournament(what, ResultsFile(path))
        with pytest.raises(Outage, match=r"status 503 \(Back soon\.\); retries ended"):
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


@pytest.mark.parametrize(("name", "kind"), [("illegal", "illegal"), ("slow", "late")])
def test_what_a_model_gets_wrong_is_its_own(
    name: str, kind: str, tmp_path: Path, clock: PatientClock
) -> None:
    with endpoint(Behaviours(clock, players=4).endpoint) as fake:
        engine = InFlight(16, Limits(seconds=LONG_S, url=fake.url), clock=clock)
        what = schedule("random", f"llm:{name}", games=KNOT, pairs=2)
        found = run(what, tmp_path / "a.jsonl", engine=engine).counting()
    sides = [side for result in found for side in result.sides]
    assert {side.forfeit for side in sides if side.name == name} == {kind}
    assert {side.forfeit for side in sides if side.name == "random"} == {""}


def test_an_outage_ends_the_games_that_are_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[bool] = []

    def noted(
        games: Collection[Future[FinishedGame]], return_when: str = ALL_COMPLETED
    ) -> DoneAndNotDoneFutures[FinishedGame]:
        if return_when == ALL_COMPLETED:
            ended.extend(game.cancelled() for game in games)
        return wait(games, return_when=return_when)

    monkeypatch.setattr(in_flight, "wait", noted)
    behaviours = Behaviours()
    with endpoint(behaviours.endpoint) as fake, closing(ResultsFile(tmp_path / "a")) as file:
        what = schedule("llm:slow", "llm:wrong-key", games=KNOT, pairs=1)
        with pytest.raises(Outage, match="Incorrect API key"):
            Tournament(what, file).run(InFlight(2, Limits(seconds=60, url=fake.url)), print)
    assert ended == [True]


def test_programs_and_functions_play_beside_models(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = f"bot:{sys.executable} {Path(__file__).parents[2] / 'examples/bots/any_move.py'}"
    players = ("llm:tiny", bot, "py:tests.arena.test_in_flight:first")
    with endpoint(FakeEndpoint()) as fake:
        engine = InFlight(6, Limits(seconds=600, url=fake.url), workers=2)
        what = schedule(*players, games=KNOT, pairs=2)
        found = run(what, tmp_path / "a.jsonl", engine=engine).counting()
    assert len(found) == 12
    assert not any(kind for result in found for kind in result.forfeits)
    assert capsys.readouterr().out == ""


def first(_: object, options: tuple[object, ...], __: str) -> object:
    sys.stdout.write("talks while it plays")
    return options[0]
