"""Players of a file at every command that takes players, and where their keys go."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.players.endpoint import FakeEndpoint, endpoint
from tests.terminal.desk import Desk
from tests.terminal.test_arena import QUICK, Arena, arena, lines

__all__ = ["arena"]  # a fixture
BOTS = Path(__file__).parents[2] / "examples" / "bots"
SECRETS = {
    "OPENAI_API_KEY": "sk-the-key",
    "OPENAI_ADMIN_KEY": "sk-the-key-of-all-keys",
    "OPENAI_ORG_ID": "sk-whose",
    "OPENAI_PROJECT_ID": "sk-what-for",
    "OTHER_KEY": "sk-the-other",
}
FILE = ("--players-file", "players.toml")


def write(desk: Desk, text: str) -> None:
    (desk.folder / "players.toml").write_text(text)


@pytest.fixture
def bot(desk: Desk) -> str:
    """A file with an example bot as `mine`, and the bot's own word."""
    who = f"bot:{sys.executable} {BOTS / 'any_move.py'}"
    write(desk, f"[players.mine]\nwho = '{who}'\nseconds = 30\n")
    return who


def test_an_arena_plays_with_them(desk: Desk, bot: str) -> None:
    words = (*QUICK, "--pairs", "1", "--out", "a.jsonl", "--json")
    done = desk.run("arena", *FILE, "--players", "random", "mine", "again=mine", *words)
    assert done.status == 0
    rows = json.loads(done.out)["rows"]
    assert {row["name"]: row["who"] for row in rows} == {
        "random": "random",
        "mine": bot,
        "again": bot,
    }
    assert len(lines(desk.folder / "a.jsonl")) == 6


FOLDER = "bench-mine-core-2-7-settings-1-pairs-2-positions-number-bid"


def test_a_bench_measures_one_of_them(desk: Desk, bot: str) -> None:
    size = ("--games", "bid", "--pairs", "1", "--positions", "2", "--workers", "1")
    done = desk.run("bench", "mine", *FILE, *size, "--seed", "7", "--set", "numbers=4", "--json")
    assert done.status == 0
    header = json.loads(done.out)["header"]
    assert (header["player"], header["seconds"], header["variant"]) == (bot, 30, True)
    assert (desk.folder / FOLDER / "results.jsonl").exists()


@pytest.mark.usefixtures("bot")
def test_a_person_plays_one_of_them_and_resumes(desk: Desk) -> None:
    done = desk.run("play", "bid", "--two", "mine", *FILE, typed=["7"])
    assert done.status == 130
    assert "--two mine --players-file players.toml" in done.err
    again = desk.run("resume", "--two", "mine", *FILE)
    assert again.err.startswith("Resuming Number Bid, round 2.")


@pytest.mark.usefixtures("bot")
def test_a_bot_of_a_file_is_checked(desk: Desk) -> None:
    done = desk.run("bot", "check", "mine", *FILE)
    assert done.status == 0
    assert "Ready: " in done.out
    write(desk, "[players.mine]\nwho = 'llm:tiny'\n")
    assert "mine is not a bot; it is llm:tiny." in desk.run("bot", "check", "mine", *FILE).sentence


@pytest.mark.parametrize("named_by", ["nobody", "the table", "--url", "OPENAI_BASE_URL"])
def test_a_key_goes_only_where_somebody_says(named_by: str, desk: Desk, arena: Arena) -> None:
    environment, words = dict(SECRETS), ["--out", "a.jsonl", "--seconds", "30", "--pairs", "1"]
    with endpoint(FakeEndpoint()) as fake:
        own = "key_variable = 'OTHER_KEY'\n" if named_by == "the table" else ""
        model = "temperature = 0.5\nextra_body = {top_k = 20}\nthink = 'field'\n"
        write(desk, f"[players.tiny]\nwho = 'llm:tiny'\nurl = '{fake.url}'\n{own}{model}")
        if named_by == "--url":
            words += ["--url", fake.url]
        if named_by == "OPENAI_BASE_URL":
            environment["OPENAI_BASE_URL"] = fake.url
        players = ("--players", "random", "tiny", *FILE)
        assert arena(*players, *QUICK, *words, **environment).status == 0
    assert fake.headers
    key = {"nobody": "", "the table": "sk-the-other"}.get(named_by, "sk-the-key")
    for headers in fake.headers:
        if key:
            assert headers["Authorization"] == f"Bearer {key}"
        else:
            assert "sk-" not in str(headers)
    for body in fake.bodies:
        assert {"temperature": 0.5, "top_k": 20}.items() <= body.items()
        assert "reasoning" in str(body["response_format"])


def test_other_options_are_another_arena(desk: Desk) -> None:
    with endpoint(FakeEndpoint()) as fake:
        words = ("--players", "random", "tiny", *FILE, *QUICK, "--pairs", "1", "--seconds", "30")
        for options in ("", "temperature = 0.5", "temperature = 0.6"):
            write(desk, f"[players.tiny]\nwho = 'llm:tiny'\n{options}\n")
            assert desk.run("arena", *words, "--url", fake.url, "--json").status == 0
    assert len(list(desk.folder.glob("arena-????????.jsonl"))) == 3


def test_a_wrong_file_is_refused_in_a_sentence(desk: Desk) -> None:
    write(desk, "[players.tiny]\nwho = 'llm:tiny'\ntemperature = 9\n")
    for words in (("arena", "--players", "random", "tiny"), ("bench", "tiny"), ("play", "bid")):
        done = desk.run(*words, *FILE)
        assert done.status == 2
        assert "[players.tiny]: temperature must be a number from 0 to 5." in done.sentence
