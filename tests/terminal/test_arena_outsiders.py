"""`duels arena` with players from outside, also those that misbehave, as real processes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from tests.arena.matches import SMALL
from tests.players.bots import MARK, marked, nobody_is_left
from tests.players.endpoint import FakeEndpoint, endpoint
from tests.terminal.desk import PROGRAM, Desk
from tests.terminal.session import PATIENCE
from tests.terminal.test_arena import KNOT, QUICK, Arena, arena, lines

__all__ = ["arena"]  # a fixture
BOTS = Path(__file__).parents[2] / "examples" / "bots"


def test_the_example_bots_play_many_games(desk: Desk, arena: Arena) -> None:
    bots = [f"py=bot:{BOTS / 'any_move.py'}", f"sh=bot:{BOTS / 'first_move.sh'}"]
    games = ", ".join(
        f"{{{', '.join(f'{name} = {json.dumps(value)}' for name, value in settings)}}}"
        for settings in ([("name", game), *changed.items()] for game, changed in SMALL.items())
    )
    (desk.folder / "plan.toml").write_text(f"games = [{games}]\nplayers = {['random', *bots]}\n")
    done = arena("plan.toml", "--pairs", "1", "--workers", "2", "--json", "--out", "a.jsonl")
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
    running = subprocess.Popen(
        [*PROGRAM, "arena", *words, "--out", "a.jsonl", "--workers", "2"],
        cwd=desk.folder,
        env={**desk.surroundings, MARK: desk.folder.name},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    waited_until = time.monotonic() + PATIENCE
    # The arena, two workers, and for each a supervisor and a bot.
    while len(marked(desk.folder.name)) < 6 and time.monotonic() < waited_until:
        time.sleep(0.1)
    assert len(marked(desk.folder.name)) >= 6
    running.kill()
    running.wait()
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
    assert rows["leaving:choose"]["accuracy"] is None
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
