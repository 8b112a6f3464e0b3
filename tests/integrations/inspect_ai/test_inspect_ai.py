"""Whole games in Inspect, against its mock model and from its command line."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from inspect_ai import eval as run_eval
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model

import number_duels as nd
from number_duels.adapters.inspect_ai import TASKS, duel, positions
from number_duels.bench.suite import Size, find_suite, positions_of
from number_duels.core.record import Record
from tests.integrations.endpoint import Rule, endpoint, highest, legal_moves, silent
from tests.integrations.recipes import EXAMPLES
from tests.integrations.text_adapters import every_kind, type_errors


def mock(rule: Rule) -> Model:
    def output(messages: list, *_: object) -> ModelOutput:  # type: ignore[type-arg]  # theirs
        made = ModelOutput.from_content("mockllm/model", rule(messages[0].text))
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    return get_model("mockllm/model", custom_outputs=output)


def played(tmp_path: Path, rule: Rule, **options: object) -> EvalLog:
    roles = {"opponent": options.pop("rival")} if "rival" in options else None
    (log,) = run_eval(
        duel(**options),  # type: ignore[arg-type]  # each test gives its own
        model=mock(rule),
        model_roles=roles,  # type: ignore[arg-type]  # as above
        display="none",
        log_dir=str(tmp_path),
    )
    assert log.status == "success", log.error
    return log


def value(sample: EvalSample) -> dict[str, float]:
    (score,) = (sample.scores or {}).values()
    assert isinstance(score.value, dict)
    return score.value  # type: ignore[return-value]  # the figures of a game


def record(sample: EvalSample) -> Record:
    (score,) = (sample.scores or {}).values()
    assert score.metadata
    return Record.from_object(score.metadata["record"])


@every_kind
def test_a_scripted_agent_scores_what_the_review_says(
    game: str, settings: dict[str, int | str], tmp_path: Path
) -> None:
    log = played(tmp_path, highest, game=game, settings=settings, pairs=2, opponent="random")
    assert log.samples is not None
    assert len(log.samples) == 4
    for sample in log.samples:
        kept = record(sample)
        seat = nd.Seat(sample.metadata["seat"] - 1)
        exact = nd.review(kept).players[seat]
        found = value(sample)
        assert kept.seed == sample.metadata["seed"]
        assert found["loss"] * exact.decisions == pytest.approx(exact.loss)
        assert found["accuracy"] == pytest.approx(exact.accuracy)
        assert (
            found["result"]
            == {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}[kept.result] * (1, -1)[seat]
        )
        assert found["forfeited"] == 0.0


def test_errors_are_clustered_by_pair(tmp_path: Path) -> None:
    log = played(tmp_path, highest, game="knot", pairs=3, opponent="level:1")
    assert log.results is not None
    assert log.samples is not None
    (loss,) = [one for one in log.results.scores if one.name == "loss"]
    metrics = {name: metric.value for name, metric in loss.metrics.items()}
    games = [(sample.metadata["pair"], value(sample)["loss"]) for sample in log.samples]
    average = sum(loss for _, loss in games) / 6
    sums = [sum(loss - average for pair, loss in games if pair == one) for one in (1, 2, 3)]
    error = (sum(one * one for one in sums) * 3 / 2) ** 0.5 / 6
    assert metrics["mean"] == pytest.approx(average)
    assert metrics["stderr"] == pytest.approx(error)
    assert error > 0


def test_a_second_model_takes_the_other_seat_by_its_role(tmp_path: Path) -> None:
    def first(prompt: str) -> str:
        return json.dumps({"move": legal_moves(prompt)[0]})

    log = played(tmp_path, highest, game="bid", settings={"numbers": 6}, pairs=1, rival=mock(first))
    assert log.samples is not None
    for sample in log.samples:
        seat = sample.metadata["seat"]
        prompts = [message.text for message in sample.messages if message.role == "user"]
        assert prompts
        assert all(f"You are Player {seat};" in text for text in prompts)
        assert record(sample).moves.split()[0] == ("6/1" if seat == 1 else "1/6")


def test_a_model_without_an_answer_forfeits_and_pays_for_it(tmp_path: Path) -> None:
    log = played(tmp_path, silent, game="knot", pairs=1, opponent="random")
    assert log.samples is not None
    for sample in log.samples:
        found = value(sample)
        assert (found["result"], found["forfeited"], found["accuracy"]) == (-1.0, 1.0, 0.0)
        assert found["loss"] > 0
        assert sum(message.role == "assistant" for message in sample.messages) == 3


def test_a_forfeit_in_a_lost_position_is_not_accurate(tmp_path: Path) -> None:
    log = played(tmp_path, silent, game="drop", settings={"side": 2}, pairs=1, opponent="perfect")
    assert log.samples is not None
    lost = [value(sample) for sample in log.samples if value(sample)["loss"] == 0]
    assert lost
    assert [found["accuracy"] for found in lost] == [0.0] * len(lost)


def asked_at_positions(tmp_path: Path, rule: Rule) -> dict[str, float]:
    (log,) = run_eval(
        positions("bid", count=30), model=mock(rule), display="none", log_dir=str(tmp_path)
    )
    assert log.status == "success", log.error
    assert log.results is not None
    return {one.name: one.metrics["mean"].value for one in log.results.scores}


def test_a_move_at_the_positions_of_the_bench_costs_what_the_bench_says(tmp_path: Path) -> None:
    solution = nd.solve("bid")
    spots = positions_of(find_suite(Size(1, 30)), solution)
    options = [solution.option_values(spot.open().state, spot.seat) for spot in spots]
    found = asked_at_positions(tmp_path, lambda text: json.dumps({"move": legal_moves(text)[0]}))
    cost = sum(max(values) - values[0] for values in options) / len(options)
    assert found == {"cost": pytest.approx(cost), "unanswered": 0.0}
    found = asked_at_positions(tmp_path, silent)
    cost = sum(max(values) + 1 for values in options) / len(options)
    assert found == {"cost": pytest.approx(cost), "unanswered": 1.0}


def test_every_game_is_a_task_of_the_command_line(tmp_path: Path) -> None:
    assert len(TASKS) == len(nd.games())
    with endpoint() as local:
        environment = {**os.environ, "LOCAL_API_KEY": "none", "LOCAL_BASE_URL": local.url}
        for name in ("knot", "bid"):
            command = ["inspect", "eval", f"number_duels/{name}", "--model", "openai-api/local/m"]
            options = ["-T", "pairs=1", "-T", "opponent=random", "--display", "plain"]
            program = str(Path(sys.executable).parent / command[0])
            subprocess.run(
                [program, *command[1:], *options, "--log-dir", str(tmp_path / name)],
                env=environment,
                cwd=tmp_path,
                check=True,
            )
            (path,) = (tmp_path / name).glob("*.eval")
            log = read_eval_log(str(path))
            assert log.status == "success"
            assert log.samples is not None
            assert [nd.load(name).name] * 2 == [record(sample).game for sample in log.samples]
    assert local.asked


def test_the_example_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with endpoint() as local:
        monkeypatch.setenv("LOCAL_BASE_URL", local.url)
        monkeypatch.setenv("LOCAL_API_KEY", "none")
        runpy.run_path(str(EXAMPLES / "inspect_eval.py"))
    assert local.asked


def test_the_adapter_has_the_types_that_the_library_says() -> None:
    assert not type_errors("number_duels.adapters.inspect_ai")
