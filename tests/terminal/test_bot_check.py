"""`duels bot check`: what it says of good bots, and of the mistakes that people make."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

import number_duels as nd
from number_duels.terminal.commands import bot_check
from number_duels.terminal.commands.bot_check import varied
from tests.players.bots import write_bot
from tests.some_games import SOME_GAMES, sample
from tests.terminal.desk import Desk, Finished, hear_out

Check = Callable[..., Finished]
EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "bots").iterdir())
WEATHER = "hear('turn', 'weather')"
#: What each bot does, and what its author is told.
MISTAKES = {
    "another protocol": (
        "hear(); say(type='hello', protocol=2); play()",
        ["at the start", "it speaks protocol 2; this program speaks protocol 1"],
    ),
    "no flush at the start": (
        "sys.stdout.write('{}\\n'); time.sleep(600)",
        ["at the start", "said nothing", "flush standard output after every line"],
    ),
    "no flush later": (
        "hello(); m = hear('turn'); sys.stdout.write('{}\\n'); time.sleep(600)",
        ["as Player 1, turn 1", "said nothing", "flush after every line", "were not tried"],
    ),
    "a word at the start": (
        "write('My first bot\\n'); hello(); play()",
        ["'My first bot' is not JSON", "to standard error, and flush"],
    ),
    "words for its author": (
        "hello()\nwhile True: m = hear('turn'); write('thinking\\n'); move(m)",
        ["'thinking' is not JSON", "to standard error, and flush"],
    ),
    "a closed move": (
        "hello()\nwhile True: hear('turn'); say(type='move', move='99')",
        ["high-low-battle, as Player 1, turn 1, options 1 2 3", "99", "one of the options"],
    ),
    "no move": (
        "hello()\nwhile True: hear('turn'); say(type='move', move='the best one')",
        ["the best one is not a move", "options 1 2 3", "one of the options"],
    ),
    "a number": (
        "hello()\nwhile True: hear('turn'); say(type='move', move=1)",
        ["must be one of the options, in quotation marks", "one JSON object per line"],
    ),
    "a crash": (
        "hello(); hear('turn'); {}['view']",
        ["it exited with status 1: KeyError: 'view'", "run the bot by hand"],
    ),
    "an end with its game": (
        "hello()\nwhile (m := hear('turn', 'end'))['type'] == 'turn': move(m)",
        ["after the end", "it exited after the first game", "wait for the next start"],
    ),
    "an answer to everything": (
        "hello()\nwhile True: say(type='move', move=hear('turn', 'end').get('options', '?')[0])",
        ["said", "when it had not been asked anything", "do not answer start and end"],
    ),
    "an answer to the unknown": (
        f"hello()\nwhile True:\n    m = {WEATHER}\n    say(type='move', move=m['options'][0])",
        ["between two games", "ignore messages of unknown types"],
    ),
}

#: The time for bots that are too late; one of them says hello in it.
SECONDS = {"no flush at the start": "0.2", "no flush later": "2"}


@pytest.fixture
def check(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Check:
    """What the check of a bot says, at two games only."""
    monkeypatch.setattr(bot_check, "names", lambda: nd.games()[:2])
    return lambda *words: desk.run("bot", "check", *words)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_is_ready(path: Path, desk: Desk) -> None:
    done = desk.run("bot", "check", str(path))
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith(f"{path} (")
    for name in nd.games():
        (row,) = (line for line in lines if line.startswith(f"  {name} "))
        assert row.split()[1:4] == ["fine", "8", "games,"]
    assert lines[-1].startswith(f"Ready: {8 * len(nd.games())} games")


@pytest.mark.parametrize("mistake", sample(MISTAKES, 4))
def test_a_mistake_is_told_in_plain_words(mistake: str, check: Check, tmp_path: Path) -> None:
    body, expected = MISTAKES[mistake]
    # What is late here is so after any time; all else has more than it needs.
    done = check(write_bot(tmp_path, body), "--seconds", SECONDS.get(mistake, "30"))
    assert (done.status, done.err) == (1, "")
    for words in expected:
        assert words in done.out
    assert "\nNot ready: " in done.out
    assert '"Bots" page' in done.out.splitlines()[-1]


def test_the_same_mistake_is_told_once_and_counted(check: Check, tmp_path: Path) -> None:
    body, _ = MISTAKES["a closed move"]
    done = check(write_bot(tmp_path, body))
    assert "(6 times)" in done.out  # three answers at each of two games
    assert "Not ready: 1 thing is wrong." in done.out


def test_a_bot_that_stays_is_mentioned_but_ready(check: Check, tmp_path: Path) -> None:
    body = "import atexit; atexit.register(time.sleep, 600); hello(); play()"
    done = check(write_bot(tmp_path, body))
    assert done.status == 0
    assert "kept running for a second after its input was closed" in done.out


def test_a_ready_bot_is_told_what_to_do_next(desk: Desk) -> None:
    path = str(EXAMPLES[0])
    with desk.sit("bot", "check", f"bot:{path}", columns=400) as session:
        said = hear_out(session)
        assert session.status() == 0
    assert f"duels play {nd.games()[0]} --two {shlex.quote(f'bot:{path}')}" in said
    assert "duels arena --players" in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["./nowhere.py"], "The bot program './nowhere.py' was not found"),
        (["py:mybot:choose"], "Only programs can be checked, such as 'python3 mybot.py', not py:"),
        (["perfect"], "Only programs can be checked"),
        (["'"], "unclosed"),
        (["sh", "--seconds", "0"], "more than 0"),
        (["sh", "--seconds", "soon"], "soon"),
        ([], "COMMAND"),
    ],
)
def test_a_wrong_argument_is_answered(arguments: list[str], words: str, check: Check) -> None:
    done = check(*arguments)
    assert (done.status, done.out) == (2, "")
    assert words in done.sentence


@pytest.mark.parametrize("name", SOME_GAMES)
def test_a_game_is_also_tried_with_another_setting(name: str) -> None:
    usual = nd.load(name).settings
    games = list(varied(name))
    assert games
    for game in games:
        changed = [key for key, value in game.settings.items() if value != usual[key]]
        assert len(changed) == 1
