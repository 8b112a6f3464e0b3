"""`duels arena` with players from outside, also those that misbehave, as real processes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import number_duels as nd
from tests.players.bots import MARK, marked, nobody_is_left
from tests.players.endpoint import House, endpoint
from tests.terminal.desk import PROGRAM, Desk
from tests.terminal.session import PATIENCE
from tests.terminal.test_arena import QUICK, arena, lines

BOTS = Path(__file__).parents[2] / "examples" / "bots"


def test_the_example_bots_play_every_game(desk: Desk) -> None:
    python, shell = (
        f"bot:{sys.executable} {BOTS / 'any_move.py'}",
        f"bot:sh {BOTS / 'first_move.sh'}",
    )
    done = arena(
        desk,
        "--players",
        "random",
        f"py={python}",
        f"sh={shell}",
        "--pairs",
        "1",
        "--json",
        "--out",
        "a.jsonl",
    )
    found = json.loads(done.out)
    assert found["games"] == len(nd.games()) * 3 * 2
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
    (desk.folder / "rude.py").write_text(HOSTILE)
    environment = {**desk.surroundings, MARK: desk.folder.name}
    words = ("--players", f"rude=bot:{sys.executable} rude.py", "random", *QUICK, "--json")
    done = subprocess.run(
        [*PROGRAM, "arena", *words, "--out", "a.jsonl", "--seconds", "2"],
        cwd=desk.folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    rows = {row["name"]: row for row in json.loads(done.stdout)["rows"]}
    assert sum(rows["rude"]["forfeits"].values()) == 8
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


def test_a_killed_arena_leaves_nobody_behind(desk: Desk) -> None:
    (desk.folder / "slow.py").write_text(SLOW)
    words = (
        "--players",
        f"slow=bot:{sys.executable} slow.py",
        "random",
        *QUICK,
        "--seconds",
        "600",
    )
    running = subprocess.Popen(
        [*PROGRAM, "arena", *words, "--out", "a.jsonl", "--workers", "2"],
        cwd=desk.folder,
        env={**desk.surroundings, MARK: desk.folder.name},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    waited_until = time.monotonic() + PATIENCE
    # The arena, two workers, and for each a keeper and a bot.
    while len(marked(desk.folder.name)) < 6 and time.monotonic() < waited_until:
        time.sleep(0.1)
    assert len(marked(desk.folder.name)) >= 6
    running.kill()
    running.wait()
    assert nobody_is_left(desk.folder.name)


def test_a_function_that_ends_the_program_ends_its_own_game_alone(desk: Desk) -> None:
    (desk.folder / "leaving.py").write_text(
        "import sys\ndef choose(view, options, history):\n    print('bye')\n    sys.exit(3)\n"
    )
    words = ("--players", "py:leaving:choose", "random", *QUICK, "--json", "--out", "a.jsonl")
    done = arena(desk, *words)
    assert done.status == 0
    rows = {row["name"]: row for row in json.loads(done.out)["rows"]}
    assert rows["leaving:choose"]["forfeits"] == {"crashed": 8}
    assert rows["leaving:choose"]["accuracy"] is None
    assert "SystemExit: 3" in desk.run("review", str(desk.folder / "a.jsonl")).out


def test_a_language_model_plays_and_every_call_is_kept(desk: Desk) -> None:
    with endpoint(House()) as house:
        words = ("--players", "llm:tiny", "random", *QUICK, "--json", "--out", "a.jsonl")
        done = arena(desk, *words, "--url", house.url, "--seconds", "30")
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
