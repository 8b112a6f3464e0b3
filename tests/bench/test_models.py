"""Language models in a bench: their exact loss is found, and nothing counts that was not played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from number_duels.arena.game_runner import Roster
from number_duels.bench.answers import grade
from number_duels.bench.page import page
from number_duels.bench.questions import Question, ask, read_mix, situation_of
from number_duels.bench.report import figures_of, report_of
from number_duels.bench.results import Results
from number_duels.bench.suite import Size
from number_duels.bench.verify import Files, Verifier
from number_duels.core.game import Seat
from number_duels.core.player import Outage
from number_duels.players.external import Limits, Refused
from number_duels.players.llm.replies import Reply
from number_duels.players.registry import make_external
from number_duels.trainer.exercise import MIXED
from number_duels.trainer.spot import Spot
from tests.arena.matches import in_process
from tests.bench.benches import by_name, opened, small, solutions
from tests.bench.synthetic_models import LADDER, MODELS, exact_loss, measured, stated_by
from tests.clock import ManualClock
from tests.players.endpoint import Body, Connection, FakeEndpoint, endpoint
from tests.players.misbehaviour import silence

pytest.importorskip("openai")

BATTLE = Spot("high-low-battle", {"cards": 4, "rounds": 3}, None, "", Seat.ONE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def results(folder: Path) -> Results:
    return measured("steep", Size(3, 10), folder)


def test_what_a_model_states_is_graded_exactly(results: Results) -> None:
    stated = [answer for answer in results.answers.values() if answer.form == MIXED]
    assert len(stated) == 6
    for answer in stated:
        spot = answer.spot.open()
        own = stated_by("steep", spot.options)
        wanted = grade(solutions()[spot.game], answer.spot, MIXED, own)
        assert answer.weights == pytest.approx(own)
        assert answer.grade.cost == pytest.approx(wanted.cost)


def test_an_answer_that_the_model_did_not_give_is_found(
    results: Results, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = small(3, 10, seed=1, ladder=LADDER)
    monkeypatch.setattr("number_duels.bench.results.find_suite", lambda *_, **__: suite)
    (path,) = folder.glob("*.calls.jsonl")
    calls: list[dict[str, object]] = [json.loads(line) for line in path.read_text().splitlines()]
    verifier = Verifier(results, by_name())
    odd: dict[str, object] = {"fixture": [1], "seat": {}, "turn": None, "question": 7}
    assert list(verifier.differences(Files(calls=[odd, *calls]))) == []
    assert list(verifier.differences()) == [
        "The file of calls is missing, so the model's answers cannot be checked."
    ]
    last = {str(call.get("question", "game")).split()[-1]: n for n, call in enumerate(calls)}
    assert last.keys() == {"game", "move", "mixture"}
    for place in last.values():
        forged = [*calls]
        forged[place] = {**calls[place], "move": "another", "answer": '{"1": 1}'}
        (said,) = verifier.differences(Files(calls=forged))
        assert "none of the model's answers contains" in said


def test_tokens_and_time_are_added_up(results: Results) -> None:
    total, *games = figures_of(results)
    assert total.usage.requests == sum(one.usage.requests for one in games) > 0
    assert total.usage.prompt_tokens > 100 * total.usage.requests
    assert total.usage.seconds > 0


def test_blunders_stand_with_the_models_own_words(results: Results) -> None:
    report = report_of(results, by_name())
    assert report.blunders
    for blunder in report.blunders:
        move = blunder.move
        assert f'"move": "{move}"' in blunder.words.replace("'", '"')
    written = page(report)
    assert "I weigh them by their order." in written
    assert "http://" not in written
    assert "https://" not in written


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 3, 4))])
@pytest.mark.parametrize("model", MODELS)
def test_the_interval_holds_the_exact_loss(model: str, seed: int, tmp_path: Path) -> None:
    truth = exact_loss(model)
    loss = figures_of(measured(model, Size(8, 1), tmp_path, seed))[0].loss
    assert loss is not None
    assert loss.low <= truth <= loss.high
    assert loss.high - loss.low < 0.5


def test_an_endpoint_that_is_not_there_costs_nothing(tmp_path: Path) -> None:
    limits = Limits(seconds=60, url="http://127.0.0.1:9/v1", send_key=False, patience=0.0)
    path = tmp_path / "a.jsonl"
    engine = in_process(Roster(limits))
    bench = opened(small(pairs=1), "llm:nobody", path, limits)
    with pytest.raises(Outage, match=r"the endpoint .* failed: "):
        bench.run(engine, solutions())
    engine.roster.close()
    bench.file.close()
    assert len(path.read_text().splitlines()) == 1  # what is measured, and nothing else


def test_an_answer_that_does_not_come_is_told() -> None:
    clock = ManualClock()

    def late(connection: Connection, body: Body) -> None:
        clock.advance(10)
        silence(connection, body)

    with endpoint(FakeEndpoint(act=late)) as fake:
        limits = Limits(seconds=10, url=fake.url, send_key=False)
        player = make_external("llm:tiny", limits, BATTLE.open().game, clock)
        answer = ask(Question(BATTLE, "move", 1), player)
        player.close()
    assert not answer.weights
    assert [fault.kind for fault in answer.faults] == ["late"]


# ---- how a mixed strategy is read ------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"1": 0.5, "4": 0.5}', {"1": 0.5, "4": 0.5}),
        ('I mix. {"1": 25, "4": 75}', {"1": 0.25, "4": 0.75}),
        ('<think>{"1": 1}</think>{"4": 1}', {"4": 1.0}),
        ('{"1": 0.333, "2": 0.333, "3": 0.333, "4": 0}', dict.fromkeys("123", 1 / 3)),
    ],
)
def test_mixed_strategies_are_read(text: str, found: dict[str, float]) -> None:
    now = situation_of(Question(BATTLE, MIXED, 1))
    assert read_mix(now, Reply(text)) == pytest.approx(found)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"9": 1}', "not available"),
        ('{"1": 0.5, "2": 0.2}', "add up"),
        ('{"1": -1, "2": 2}', "no JSON object"),
        ('{"move": "1"}', "no JSON object"),
        ("4 always", "no JSON object"),
        ('{"queen": 1}', "not a move"),
    ],
)
def test_what_is_no_mixed_strategy_is_refused(text: str, why: str) -> None:
    now = situation_of(Question(BATTLE, MIXED, 1))
    with pytest.raises(Refused) as refusal:
        read_mix(now, Reply(text))
    assert why in refusal.value.fault.reason
