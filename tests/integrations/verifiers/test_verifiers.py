"""Whole games in verifiers, between agents who ask an endpoint on this machine."""

from __future__ import annotations

import asyncio
import runpy

import pytest
import verifiers.v1 as vf

import number_duels as nd
import number_duels_verifiers
from number_duels.core.record import Record
from tests.integrations.endpoint import Endpoint, Rule, endpoint, hesitant, highest, silent
from tests.integrations.recipes import EXAMPLES
from tests.integrations.text_adapters import GAMES, every_kind, type_errors

ID = "number-duels-verifiers"


def environment(
    game: str, settings: dict[str, int | str], pairs: int = 1, **options: object
) -> vf.Env:
    taskset = {"id": ID, "game": game, "settings": settings, "pairs": pairs}
    return vf.load_environment(vf.resolve_env_config({"taskset": taskset, **options}))


def episodes(env: vf.Env, local: Endpoint) -> list[vf.Episode]:
    """Every task of an environment, played once."""
    client = vf.EvalClientConfig(base_url=local.url, api_key_var="NO_KEY")
    context = vf.ModelContext("model", client)

    async def play() -> list[vf.Episode]:
        async with env.serving():
            slots = [slot for task in env.taskset for slot in env.slots(task)]
            return [await env.run_slot(slot, context) for slot in slots]

    return asyncio.run(play())


def played(
    rule: Rule, game: str, settings: dict[str, int | str], together: int = 1, **options: object
) -> tuple[list[vf.Episode], Endpoint]:
    with endpoint(rule, together) as local:
        found = episodes(environment(game, settings, **options), local)
    for episode in found:
        assert episode.ok, (episode.errors, [trace.errors for trace in episode.traces])
    return found, local


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_KEY", "none")


def seats(episode: vf.Episode) -> dict[nd.Seat, vf.Trace]:
    return {nd.Seat(int(trace.agent.name[-1]) - 1): trace for trace in episode.traces}


def record(trace: vf.Trace) -> Record:
    return Record.from_object(trace.info["record"])


@every_kind
def test_scripted_agents_are_rewarded_what_the_review_says(
    game: str, settings: dict[str, int | str]
) -> None:
    chosen = nd.load(game, **settings)
    turn = chosen.turn(chosen.start())
    together = len(turn.options) if isinstance(turn, nd.Decision) else 1
    found, local = played(highest, game, settings, together)
    assert local.most_at_once == together
    assert len(found) == 2
    for episode in found:
        traces = seats(episode)
        assert set(traces) == set(nd.Seat)
        exact = nd.review(record(traces[nd.Seat.ONE])).players
        for seat, trace in traces.items():
            assert trace.reward == pytest.approx(-exact[seat].loss)
            assert trace.metrics["loss"] == pytest.approx(exact[seat].loss)
            assert trace.metrics["accuracy"] == pytest.approx(exact[seat].accuracy)
            assert record(trace) == record(traces[seat.other])


@pytest.mark.parametrize("reward", ["result", "corrected"])
def test_a_result_may_be_rewarded_with_or_without_luck(reward: str) -> None:
    game, settings = GAMES[3]
    found, _ = played(highest, game, settings, reward=reward, opponent="level:1", pairs=3)
    lucky = 0
    for episode in found:
        ((seat, trace),) = seats(episode).items()
        kept = record(trace)
        result = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}[kept.result] * (1, -1)[seat]
        assert trace.metrics["result"] == result
        assert trace.reward == pytest.approx(trace.metrics[reward])
        lucky += trace.metrics["corrected"] != pytest.approx(result)
    assert lucky


def test_an_opponent_of_ours_takes_the_seat_that_is_not_measured() -> None:
    found, _ = played(highest, "knot", {}, opponent="perfect")
    assert [list(seats(episode)) for episode in found] == [[nd.Seat.ONE], [nd.Seat.TWO]]


def test_a_refused_answer_goes_on_in_the_same_conversation_and_turns_begin_anew() -> None:
    _, local = played(hesitant(), "knot", {}, opponent="random")
    lengths = [len(messages) for messages in local.asked]
    assert set(lengths) == {1, 3}
    assert all(
        messages[0]["content"].startswith("You play Number Knot") for messages in local.asked
    )


def test_an_agent_without_an_answer_forfeits_and_pays_for_it() -> None:
    found, _ = played(silent, "knot", {}, opponent="random")
    for episode in found:
        (trace,) = episode.traces
        assert trace.metrics["forfeited"] == 1.0
        assert trace.metrics["result"] == -1.0
        assert trace.reward < 0


def test_an_endpoint_that_is_gone_is_an_error_and_no_loss() -> None:
    with endpoint() as local:
        pass
    for episode in episodes(environment("knot", {}), local):
        assert not episode.ok
        assert all("exact_loss" not in trace.rewards for trace in episode.traces)


def test_the_example_of_the_page_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    with endpoint() as local:
        monkeypatch.setenv("LOCAL_BASE_URL", local.url)
        monkeypatch.setenv("LOCAL_API_KEY", "none")
        runpy.run_path(str(EXAMPLES / "verifiers_run.py"))
    assert local.asked


def test_the_name_that_verifiers_finds_is_the_adapter() -> None:
    assert vf.environment_class(ID) is number_duels_verifiers.DuelEnv
    assert vf.default_harness_id(ID) == ID


def test_the_adapter_has_the_types_that_the_library_says() -> None:
    # The library has types, and no mark that says so.
    assert not type_errors("number_duels.adapters.verifiers", "--follow-untyped-imports")
