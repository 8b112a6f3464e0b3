"""`duels arena` with players from outside, also those that misbehave."""

from __future__ import annotations

import json
import sys
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path

import pytest

from tests.arena.matches import SMALL
from tests.players.bots import MARK, marked, nobody_is_left
from tests.players.endpoint import FakeEndpoint, endpoint
from tests.terminal.desk import Desk
from tests.terminal.session import wait_until
from tests.terminal.test_arena import KNOT, QUICK, Arena, arena, lines

__all__ = ["arena"]  # a fixture
BOTS = Path(__file__).parents[2] / "examples" / "bots"


def test_the_example_bots_play_many_games(arena: Arena) -> None:
    bots = [f"py=bot:{BOTS / 'any_move.py'}", f"sh=bot:{BOTS / 'first_move.sh'}"]
    games = [
        f"{game}({','.join(f'{name}={value}' for name, value in changed.items())})"
        for game, changed in SMALL.items()
    ]
    words = ("--pairs", "1", "--workers", "2", "--json", "--out", "a.jsonl")
    done = arena("--games", *games, "--players", "random", *bots, *words)
    found = json.loads(done.out)
    assert found["games"] == len(SMALL) * 3 * 2
    assert all(not row["forfeits"] and not row["refused"] for row in found["rows"])


HOSTILE = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    time.sleep(600)
sys.stdin.readline()
print('{"type": "hello", "protocol": 1}', flush=True)
while True:
    sys.stdout.write("garbage " * 1000)
"""


def test_a_hostile_bot_forfeits_and_nothing_of_it_is_left(desk: Desk) -> None:
    ensure_running()  # or the first pool of this process starts it with the mark, and it stays
    (desk.folder / "rude.py").write_text(HOSTILE)
    words = ("--players", f"rude=bot:{sys.executable} rude.py", "random", *QUICK, "--json")
    mark = {MARK: desk.folder.name}
    done = desk.run("arena", *words, "--out", "a.jsonl", "--seconds", "2", more=mark)
    rows = {row["name"]: row for row in json.loads(done.out)["rows"]}
    assert sum(rows["rude"]["forfeits"].values()) == 4
    assert rows["random"]["forfeits"] == {}
    assert nobody_is_left(desk.folder.name)


SLOW = """
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "hello", "protocol": 1}', flush=True)
    if message["type"] == "turn":
        time.sleep(600)
"""


@pytest.mark.system
def test_a_killed_arena_leaves_nobody_behind(desk: Desk) -> None:
    (desk.folder / "slow.py").write_text(SLOW)
    words = (
        "--players",
        f"slow=bot:{sys.executable} slow.py",
        "random",
        *KNOT,
        "--seconds",
        "600",
    )
    mark = {MARK: desk.folder.name}
    running = desk.process("arena", *words, "--out", "a.jsonl", "--workers", "2", **mark)
    # The arena, two workers, and for each a supervisor and a bot.
    wait_until(lambda: len(marked(desk.folder.name)) >= 6, "two bots think")
    running.kill()
    running.communicate()
    assert nobody_is_left(desk.folder.name)


def test_a_function_that_ends_the_program_ends_its_own_game_alone(desk: Desk, arena: Arena) -> None:
    (desk.folder / "leaving.py").write_text(
        "import sys\ndef choose(view, options, history):\n    print('bye')\n    sys.exit(3)\n"
    )
    words = ("--players", "py:leaving:choose", "random", *QUICK, "--json", "--out", "a.jsonl")
    done = arena(*words)
    assert done.status == 0
    rows = {row["name"]: row for row in json.loads(done.out)["rows"]}
    assert rows["leaving:choose"]["forfeits"] == {"crashed": 4}
    assert rows["leaving:choose"]["accuracy"] == 0  # silence costs all that there was
    assert "SystemExit: 3" in arena("a.jsonl", command="review").out


def test_a_language_model_plays_and_every_call_is_kept(desk: Desk, arena: Arena) -> None:
    with endpoint(FakeEndpoint()) as fake:
        words = ("--players", "llm:tiny", "random", *QUICK, "--json", "--out", "a.jsonl")
        done = arena(*words, "--url", fake.url, "--seconds", "30")
    found = json.loads(done.out)
    rows = {row["name"]: row for row in found["rows"]}
    assert rows["tiny"]["forfeits"] == {}
    calls = [json.loads(line) for line in (desk.folder / "a.calls.jsonl").read_text().splitlines()]
    games = lines(desk.folder / "a.jsonl")
    decisions = sum(
        side["decisions"]
        for game in games
        for side, player in zip(game["arena"]["sides"], game["players"], strict=True)  # type: ignore[call-overload,index]  # JSON
        if player["name"] == "tiny"
    )
    assert len(calls) == decisions
    assert all("random" not in json.dumps(call["messages"]) for call in calls)


# ---- salts, policies and limits --------------------------------------------------


def test_a_finished_file_says_how_to_play_its_games_again(desk: Desk, arena: Arena) -> None:
    words = ("--players", f"sh=bot:{BOTS / 'any_move.py'}", "random", *QUICK, "--html", "a.html")
    first = json.loads(arena(*words, "--json", "--out", "a.jsonl").out)
    salt = first["run"]["salt"]
    last = lines(desk.folder / "a.jsonl")[-1]
    assert last["arena"]["salt"] == salt  # type: ignore[index]  # JSON
    assert not (desk.folder / "a.jsonl.salt").exists()
    assert json.loads(arena("a.jsonl", "--json").out) == first
    page = (desk.folder / "a.html").read_text()
    assert salt in page
    for row in ("command", "seed", "settings", "versions", "played"):
        assert f'<th scope="row">{row}</th>' in page

    assert arena(*words, "--out", "b.jsonl", "--salt", salt).status == 0
    assert lines(desk.folder / "b.jsonl") == lines(desk.folder / "a.jsonl")
    assert arena(*words, "--out", "c.jsonl").status == 0
    assert lines(desk.folder / "c.jsonl") != lines(desk.folder / "a.jsonl")


def test_a_name_that_was_cut_is_explained(desk: Desk, arena: Arena) -> None:
    (desk.folder / "a_very_long_module_name.py").write_text(
        "def choose(view, options, history): return options[0]"
    )
    who = "py:a_very_long_module_name:choose"
    done = arena("--players", who, "random", *QUICK, "--out", "a.jsonl")
    assert f"a_very_long_module_n = {who}\n" in done.out


def test_a_trained_policy_is_measured_as_a_policy(desk: Desk, arena: Arena) -> None:
    (desk.folder / "trained.py").write_text(
        """
def policy(view, seat):
    return {f"S{number}": 1 / len(view.line) for number in view.line}

def confused(view, seat):
    return {"castle": 1.0}

def broken(view, seat):
    return 1 / 0
"""
    )
    words = ("--players", "policy:trained:policy", "random", *QUICK, "--out", "a.jsonl", "--json")
    rows = {row["name"]: row for row in json.loads(arena(*words).out)["rows"]}
    assert rows["trained:policy"]["forfeits"] == {}
    (found,) = json.loads(arena("--exploit", "policy:trained:policy", *KNOT, "--json").out)
    assert found["exploitability"] > 0
    exact = {"gain": found["exploitability"], "exact": True}
    assert rows["trained:policy"]["exploitability"] == exact
    assert "castle" in arena("--exploit", "policy:trained:confused", *KNOT).sentence
    assert "ZeroDivisionError" in arena("--exploit", "policy:trained:broken", *KNOT).sentence
    (desk.folder / "trained.py").unlink()  # a report that is read again runs nobody's code
    again = {row["name"]: row for row in json.loads(arena("a.jsonl", "--json").out)["rows"]}
    assert again["trained:policy"]["exploitability"]["exact"] is False


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("perfect", "--salt", "00" * 16), "leave it out"),
        (("py:json:dumps", "--salt", "12"), "32 hexadecimal digits"),
        (("policy:none.npz",), "policy:none.npz cannot be read"),
        (("policy:json",), "Write policy:MODULE:FUNCTION"),
    ],
)
def test_what_cannot_be_granted_is_said(
    desk: Desk, arena: Arena, words: tuple[str, ...], sentence: str
) -> None:
    done = arena("--players", "random", *words, *KNOT)
    assert done.status == 2
    assert sentence in done.sentence
    assert not list(desk.folder.glob("*.jsonl*"))


def test_limits_and_variables_can_be_granted(desk: Desk) -> None:
    (desk.folder / "greedy.py").write_text(
        SLOW.replace("import json", "import json, resource").replace(
            "time.sleep(600)",
            # Before it answers: after its last move it is ended.
            "limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]\n"
            "        open('note', 'w').write(f'{limit} {os.environ.get(\"COLUMNS\")}')\n"
            "        move = {'type': 'move', 'move': message['options'][0]}\n"
            "        print(json.dumps(move), flush=True)",
        )
    )
    (desk.folder / "players.toml").write_text(
        f"[players.greedy]\nwho = 'bot:{sys.executable} greedy.py'\nopen_files = 99\n"
        "pass_env = ['COLUMNS']\n"
    )
    note = desk.folder / "note"
    words = ("--players-file", "players.toml", "--players", "random", "greedy", *QUICK)
    assert desk.run("arena", *words, "--pairs", "1", "--out", "a.jsonl", COLUMNS="80").status == 0
    assert note.read_text() == "99 80"
