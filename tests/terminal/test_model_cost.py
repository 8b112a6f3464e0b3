"""Before the first request, a run with a language model says what it takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from number_duels.arena.engines import Pool
from number_duels.arena.model_cost import cost_of_games, is_local
from number_duels.arena.results import ResultsFile
from number_duels.arena.schedule import Schedule, named
from number_duels.arena.tournament import Tournament
from number_duels.players.external import Limits, ModelOptions
from tests.arena.matches import GAMES
from tests.players.behaviours import Behaviours
from tests.players.endpoint import endpoint
from tests.terminal.desk import Desk, hear_out, hear_until

pytest.importorskip("openai")


def test_the_estimate_is_near_what_a_run_takes(tmp_path: Path) -> None:
    behaviours = Behaviours()
    with endpoint(behaviours.endpoint) as fake:
        limits = Limits(url=fake.url, model=ModelOptions(price=(2.0, 10.0)))
        players = named(["random", "llm:good"])
        file = ResultsFile(tmp_path / "games.jsonl")
        tournament = Tournament(Schedule(players, GAMES, 6, seed=1), file)
        told = cost_of_games(players, tournament.tasks(), limits)
        tournament.run(Pool(1, limits), lambda _: None)
        after = cost_of_games(players, tournament.tasks(), limits)
    (cost,) = told.values()
    assert cost.requests == pytest.approx(behaviours.counts["good"], rel=0.25)
    assert cost.money == pytest.approx((2 * cost.prompt_tokens + 10 * cost.answer_tokens) / 1e6)
    assert [one.requests for one in after.values()] == [0]  # only what is missing counts


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://192.168.1.9/v1", True),
        ("http://localhost/v1", True),
        ("https://models.example.com/v1", False),
        ("http://8.8.8.8/v1", False),
        ("", False),
    ],
)
def test_an_endpoint_is_local_or_not(url: str, local: bool) -> None:
    assert is_local(url) is local


REMOTE = ("--url", "http://models.example.com/v1", "--games", "knot", "--plain")


@pytest.mark.parametrize(
    "words",
    [("arena", "--players", "random", "llm:m", "--pairs", "10"), ("bench", "llm:m")],
    ids=["arena", "bench"],
)
def test_nothing_is_sent_to_a_remote_endpoint_before_somebody_agrees(
    words: tuple[str, ...], desk: Desk
) -> None:
    done = desk.run(*words, *REMOTE)
    assert done.status == 2
    assert done.sentence.startswith("About ")
    assert " requests, " in done.sentence
    assert done.sentence.endswith("To agree without a terminal, add --yes to the command.")


ARENA = ("arena", "--players", "random", "llm:good", "--games", "knot", "--pairs", "1")


def test_the_estimate_is_said_before_a_local_endpoint_is_asked(desk: Desk) -> None:
    with endpoint(Behaviours().endpoint) as fake:
        done = desk.run(*ARENA, "--url", fake.url, "--out", "a.jsonl")
    assert done.status == 0
    assert done.err.startswith("About ")
    assert " requests, " in done.err.splitlines()[0]


def test_a_run_starts_once_somebody_agrees(desk: Desk) -> None:
    """At a terminal by an answer, elsewhere by --yes."""
    behaviours = Behaviours()
    with endpoint(behaviours.endpoint) as fake:
        url = fake.url.replace("127.0.0.1", "127.1")  # the same address, not known as a local one
        words = (*ARENA, "--url", url, "--plain", "--out")
        assert desk.run(*words, "piped.jsonl").status == 2
        for answer in ("n", "yes"):
            assert behaviours.counts["good"] == 0
            with desk.sit(*words, "asked.jsonl") as session:
                assert " requests, " in hear_until(session, "Start? [y/N] ")
                session.type(answer)
                hear_out(session)
        asked = behaviours.counts["good"]
        assert desk.run(*words, "piped.jsonl", "--yes").status == 0
    assert behaviours.counts["good"] > asked > 0  # another salt, other games


def test_a_price_is_said_in_money(desk: Desk) -> None:
    (desk.folder / "players.toml").write_text("[players.m]\nwho = 'llm:m'\nprice = [2, 10.5]\n")
    done = desk.run("bench", "m", "--players-file", "players.toml", *REMOTE)
    assert " answer tokens: $" in done.sentence


@pytest.mark.parametrize("name", ["perfect", "level:1", "human"])
def test_the_names_of_built_in_players_are_reserved(name: str, desk: Desk) -> None:
    done = desk.run("arena", "--players", f"{name}=random", "random", "--games", "knot")
    assert done.status == 2
    if ":" not in name:  # a colon makes it another player's word
        assert f"{name} is the name of a built-in player; choose another." in done.sentence
