"""A plan that somebody was sent does nothing unasked, and does not get the key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.players.endpoint import FakeEndpoint, endpoint
from tests.terminal.desk import Desk, hear_out, hear_until
from tests.terminal.test_arena import Arena, arena

__all__ = ["arena"]  # a fixture
BUILT_IN = ("--players", "random", "perfect")
#: A function that leaves a trace.
TRACE = """
def choose(view, options, history):
    open('trace', 'w').close()
    return options[0]
"""


@pytest.fixture
def plan(desk: Desk) -> Callable[[str], Path]:
    """A plan of one pair of games, with something more."""
    (desk.folder / "mine.py").write_text(TRACE)

    def write(more: str) -> Path:
        path = desk.folder / "plan.toml"
        knot = "{name = 'knot', numbers = 4, life = 6}"
        path.write_text(f"games = [{knot}]\npairs = 1\nworkers = 1\n{more}\n")
        return path

    return write


PLAYERS = "players = ['random', 'perfect']\n"


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("players = ['random', 'bot:sh evil.sh']", "it starts the program sh evil.sh."),
        ("players = ['random', {name = 'me', who = 'bot:sh x'}]", "it starts the program sh x."),
        ("players = ['random', 'me=py:mine:choose']", "it runs the code of mine:choose."),
        ("players = ['random', 'policy:mine:choose']", "it runs the code of mine:choose."),
        ("players = ['random', 'llm:tiny']", "it asks the language model tiny, with your key."),
        (PLAYERS + "url = 'http://elsewhere/v1'", "to http://elsewhere/v1, without your key"),
        (PLAYERS + "out = 'x/games.jsonl'", "x/games.jsonl."),
        (PLAYERS + "html = 'page.html'", "page.html."),
        (PLAYERS + "pass_env = ['HOME', 'SECRET']", "your environment variables HOME, SECRET."),
    ],
)
def test_a_plan_does_nothing_unasked_but_play(
    more: str, told: str, plan: Callable[[str], Path], desk: Desk, arena: Arena
) -> None:
    plan(more)
    before = sorted(desk.folder.iterdir())
    done = arena("plan.toml", "--json")
    assert done.status == 2
    assert done.sentence.startswith("plan.toml does more than let players meet: it ")
    assert told in done.sentence
    assert done.sentence.endswith("Nobody can be asked here; add --yes to the command.")
    assert sorted(desk.folder.iterdir()) == before


def test_somebody_at_a_terminal_is_asked(plan: Callable[[str], Path], desk: Desk) -> None:
    plan("players = ['random', 'me=py:mine:choose']\nout = 'a.jsonl'")
    for answer, status in (("", 1), ("n", 1), ("y", 0)):
        with desk.sit("arena", "plan.toml") as session:
            asked = hear_until(session, "Go on? [y/N] ")
            assert "it runs the code of mine:choose;" in asked
            assert "a.jsonl." in "".join(asked.split())
            assert not (desk.folder / "trace").exists()
            session.type(answer)
            hear_out(session)
            assert session.status() == status
        assert (
            (desk.folder / "trace").exists() == (desk.folder / "a.jsonl").exists() == (not status)
        )


def test_what_the_command_line_says_instead_needs_no_question(
    plan: Callable[[str], Path], arena: Arena
) -> None:
    plan("players = ['random', 'bot:sh evil.sh']\nout = 'other.jsonl'\nsalt = ''")
    done = arena("plan.toml", *BUILT_IN, "--out", "a.jsonl", "--salt", "0" * 32)
    assert "--salt is for arenas with bots" in done.sentence  # which is asked last
    plan("")
    assert arena("plan.toml", *BUILT_IN, "--json").status == 0


SECRETS = {
    "OPENAI_API_KEY": "sk-the-key",
    "OPENAI_ADMIN_KEY": "sk-the-key-of-all-keys",
    "OPENAI_ORG_ID": "sk-whose",
    "OPENAI_PROJECT_ID": "sk-what-for",
}


@pytest.mark.parametrize("named_by", ["plan", "command line", "environment"])
def test_the_key_goes_only_where_the_user_says(
    named_by: str,
    plan: Callable[[str], Path],
    arena: Arena,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with endpoint(FakeEndpoint()) as fake:
        plan(f"players = ['random', 'llm:tiny']\nurl = '{fake.url}'")
        words = ["plan.toml", "--json", "--yes", "--out", "a.jsonl", "--seconds", "30"]
        if named_by == "command line":
            words += ["--url", fake.url]
        if named_by == "environment":
            monkeypatch.setenv("OPENAI_BASE_URL", fake.url)
        assert arena(*words).status == 0
    assert fake.headers
    for headers in fake.headers:
        if named_by == "plan":
            assert "sk-" not in str(headers)
        else:
            assert headers["Authorization"] == "Bearer sk-the-key"
