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
        (
            "players = ['random', {who = 'llm:tiny', url = 'http://elsewhere/v1'}]",
            "it asks the language model tiny at http://elsewhere/v1, without a key (--send-key URL",
        ),
        (
            "players = ['random', {who = 'llm:tiny', key_variable = 'AWS_SECRET'}]",
            "it asks the language model tiny, with your key in AWS_SECRET.",
        ),
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
    named_by: str, plan: Callable[[str], Path], arena: Arena
) -> None:
    environment = dict(SECRETS)
    with endpoint(FakeEndpoint()) as fake:
        plan(f"players = ['random', 'llm:tiny']\nurl = '{fake.url}'")
        words = ["plan.toml", "--json", "--yes", "--out", "a.jsonl", "--seconds", "30"]
        if named_by == "command line":
            words += ["--url", fake.url]
        if named_by == "environment":
            environment["OPENAI_BASE_URL"] = fake.url
        assert arena(*words, **environment).status == 0
    assert fake.headers
    for headers in fake.headers:
        if named_by == "plan":
            assert "sk-" not in str(headers)
        else:
            assert headers["Authorization"] == "Bearer sk-the-key"


@pytest.mark.parametrize("affirmed", [True, False])
def test_a_players_own_address_gets_its_key_only_if_the_user_says_so(
    affirmed: bool, plan: Callable[[str], Path], arena: Arena
) -> None:
    environment = {**SECRETS, "OTHER_KEY": "sk-the-other"}
    with endpoint(FakeEndpoint()) as fake:
        plan(
            f"players = ['random', {{who = 'llm:tiny', url = '{fake.url}', temperature = 0.5,"
            " key_variable = 'OTHER_KEY', extra_body = {top_k = 20}, think = 'field'}]"
        )
        more = ("--send-key", fake.url) if affirmed else ()
        words = ["plan.toml", "--json", "--yes", "--out", "a.jsonl", "--seconds", "30", *more]
        assert arena(*words, "--top-p", "0.9", **environment).status == 0
    assert fake.headers
    for headers in fake.headers:
        if affirmed:
            assert headers["Authorization"] == "Bearer sk-the-other"
        else:
            assert "sk-" not in str(headers)
    for body in fake.bodies:
        assert {"temperature": 0.5, "top_p": 0.9, "top_k": 20}.items() <= body.items()
        assert "reasoning" in str(body["response_format"])


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("{who = 'llm:tiny', temperature = 9}", "temperature is 0 to 5, not 9."),
        ("{who = 'llm:tiny', temperature = 'hot'}", "temperature has a value of the wrong kind."),
        ("{who = 'llm:tiny', think = 'hard'}", "think is no, field or text, not 'hard'."),
        ("{who = 'llm:tiny', colour = 'red'}", "a model may have url, temperature, top_p"),
        ("{who = 'perfect', temperature = 1}", "a model may have url, temperature, top_p"),
        ("{who = 'llm:tiny', extra_body = {model = 'x'}}", "extra_body cannot change 'model'"),
        ("{who = 'llm:tiny', key_variable = 'sk-1'}", "the name of an environment variable"),
    ],
)
def test_a_wrong_option_of_a_model_is_named(
    more: str, sentence: str, plan: Callable[[str], Path], arena: Arena
) -> None:
    plan(f"players = ['random', {more}]")
    done = arena("plan.toml", "--yes")
    assert done.status == 2
    assert sentence in done.sentence


def test_other_options_are_another_arena(
    plan: Callable[[str], Path], desk: Desk, arena: Arena
) -> None:
    plan("")
    with endpoint(FakeEndpoint()) as fake:
        words = (
            "plan.toml",
            "--players",
            "random",
            "llm:tiny",
            "--url",
            fake.url,
            "--seconds",
            "30",
        )
        for more in ((), ("--temperature", "0.5"), ("--temperature", "0.6")):
            assert arena(*words, *more, "--json").status == 0
    assert len(list(desk.folder.glob("arena-????????.jsonl"))) == 3
