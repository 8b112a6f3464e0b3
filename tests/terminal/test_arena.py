"""`duels arena`: its report, its files, and how it goes on and fails."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.terminal.desk import Desk, Finished
from tests.terminal.session import wait_until

KNOT = ("--games", "knot", "--set", "numbers=4", "--set", "life=6")
QUICK = (*KNOT, "--workers", "1", "--pairs", "2")
Arena = Callable[..., Finished]


@pytest.fixture
def arena(desk: Desk) -> Arena:
    """`duels arena` at the desk."""
    return lambda *words, command="arena", **environment: desk.run(command, *words, **environment)


def lines(path: Path) -> list[dict[str, object]]:
    """A file of results, apart from when its games were played."""
    return [{**json.loads(line), "started": ""} for line in path.read_text().splitlines()]


def test_the_report_has_everybody_and_every_figure(desk: Desk, arena: Arena) -> None:
    words = ("--players", "random", "perfect", *QUICK, "--out", "a.jsonl")
    first = arena(*words, "--json")
    assert first.status == 0
    found = json.loads(first.out)
    rows = {row["name"]: row for row in found["rows"]}
    assert rows.keys() == {"random", "perfect"}
    assert rows["perfect"]["loss_per_game"] == 0
    assert rows["perfect"]["anchor"]
    assert found["games"] == 4
    assert len(lines(desk.folder / "a.jsonl")) == 4

    # The same command, and the file alone, say the same without another game.
    before = (desk.folder / "a.jsonl").read_bytes()
    assert arena(*words, "--json").out == first.out
    assert arena("a.jsonl", "--json").out == first.out
    assert (desk.folder / "a.jsonl").read_bytes() == before

    told = arena("a.jsonl").out
    head = next(line for line in told.splitlines() if line.startswith("player"))
    for word in ("rating", "score", "without luck", "cost/decision", "accuracy"):
        assert word in head
    assert "perfect" in told
    assert len(json.loads(arena("a.jsonl", "--json", command="review").out)["games"]) == 4


def test_games_can_have_settings_of_their_own(desk: Desk, arena: Arena) -> None:
    players = ("--players", "random", "level:1", "me=perfect", "--gauntlet", "me")
    games = ("--games", "bid(numbers=4)", "knot(numbers=3,life=4)")
    rest = ("--pairs", "2", "--seed", "9", "--workers", "1", "--html", "a.html")
    done = arena(*players, *games, *rest, "--json")
    assert done.status == 0
    found = json.loads(done.out)
    assert found["games"] == 2 * 2 * 2 * 2
    assert {row["event"] for row in found["rows"]} == {
        "all games",
        "number-bid(numbers=4)",
        "number-knot(life=4,numbers=3)",
    }
    assert {(one["one"], one["two"]) for one in found["meetings"]} == {
        ("me", "random"),
        ("me", "level:1"),
    }
    assert "<svg" in (desk.folder / "a.html").read_text()


@pytest.mark.system
def test_an_interrupted_arena_reports_what_there_is_and_goes_on(desk: Desk, arena: Arena) -> None:
    path, bot = desk.folder / "a.jsonl", desk.folder / "slow.py"
    text = "def choose(view, options, history):\n    return options[0]\n"
    # It plays until some games are kept, and then it thinks for longer than anybody waits.
    think = "    while open('a.jsonl').read().count('\\n') >= 4: time.sleep(600)\n"
    bot.write_text(f"import time\n{text.replace('    return', f'{think}    return')}")
    words = ("--players", "random", "py:slow:choose", *QUICK, "--pairs", "30", "--out", "a.jsonl")
    running = desk.process("arena", *words, "--workers", "2")
    wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") >= 4, "four games")
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 130
    assert "player" in out
    assert "Run the same command to resume" in err
    assert "Traceback" not in err
    kept = path.read_text().splitlines()
    assert 4 <= len(kept) < 60
    bot.write_text(text)
    done = arena(*words)
    assert done.status == 0
    whole = path.read_text().splitlines()
    assert len(whole) == 60
    assert set(kept) <= set(whole)


def test_early_stopping_says_what_it_found(desk: Desk, arena: Arena) -> None:
    words = ("--players", "perfect", "random", *QUICK, "--pairs", "80", "--sprt")
    done = arena(*words, "0,100", "--out", "a.jsonl")
    assert "perfect - random is closer to +100 than to +0 Elo. This was clear after" in done.out
    # A score that was stopped says so beside itself.
    assert "), stopped early  " in done.out
    assert "), stopped early: the score is slightly too extreme." in done.out
    assert len(lines(desk.folder / "a.jsonl")) < 160
    corrected = arena(*words, "0,100,corrected", "--out", "b.jsonl", "--json")
    (meeting,) = json.loads(corrected.out)["meetings"]
    assert meeting["verdict"] == "closer to +100 than to +0 Elo"
    assert meeting["caveat"].startswith("stopped early")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "Name two or more players"),
        (("--players", "perfect"), "at least two players"),
        (
            ("--players", "human", "perfect"),
            "A human player cannot be used here; choose random, level:1 to level:5",
        ),
        (("--players", "nobody", "perfect"), "There is no player 'nobody'"),
        (("--players", "random", "perfect", "--games", "chess"), "There is no game named 'chess'"),
        (("--players", "random", "perfect", "--pairs", "0"), "--pairs must be at least 1"),
        (("--players", "random", "perfect", "--sprt", "x"), "0,50"),
        (("--players", "random", "perfect", "--sprt", "corrected"), "0,50,corrected"),
        (("--players", "random", "perfect", "--games", "bid(numbers=99)"), "numbers"),
        (("--players", "random", "perfect", "--pairs", "9000000"), "This would be 90000000 games"),
        (("--players", "random", "perfect", "--pairs", "9" * 12), "at most 10000000"),
        (("--players", "random", "perfect", "--workers", "0"), "--workers must be at least 1"),
        (("--players", "random", "perfect", "--workers", "9999"), "--workers must be at most 1024"),
        (("--players", *["random"] * 1001), "at most 1000 players"),
        (("--players", "random", "perfect", "--seconds", "nan"), "--seconds"),
        (("--players", "random", "perfect", "--seconds", "0"), "--seconds"),
        (("--players", "random", "perfect", "--gauntlet", "me"), "gauntlet"),
        (("--players", "random", "py:no.such:thing"), "py:no.such:thing"),
        (("--players", "random", "bot:no-such-program"), "no-such-program"),
        (("no-such.jsonl",), "no-such.jsonl"),
        (("--exploit", "human"), "A human player cannot be used here"),
        (("--exploit", "py:json:dumps"), "duels arena --players py:json:dumps perfect"),
        (("--exploit", "random", "--html", "x.html"), "leave out --html"),
        (("--exploit", "random", "--pairs", "3"), "leave out --pairs"),
        (("some.jsonl", "--pairs", "3"), "leave out --pairs"),
        (("--players", "random", "perfect", "--games", "bid", "bid"), "twice"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    desk: Desk, arena: Arena, words: tuple[str, ...], sentence: str
) -> None:
    done = arena(*words)
    assert done.status in (1, 2)
    assert sentence in done.sentence
    assert not list(desk.folder.glob("*.jsonl"))


def test_what_a_best_reply_gains_is_told(arena: Arena) -> None:
    small = ("--games", "bid", "--set", "numbers=4")
    (exact,) = json.loads(arena("--exploit", "random", *small, "--json").out)
    assert exact["exploitability"] > 0.1
    (perfect,) = json.loads(arena("--exploit", "perfect", *small, "--json").out)
    assert abs(perfect["exploitability"]) < 1e-9
    assert "no opponent can profit" in arena("--exploit", "perfect", *small).out
