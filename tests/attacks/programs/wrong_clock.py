"""Another process, whose clock is a month ahead, is started on the same database."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

from tests.attacks.frame import Finding, Target, ask
from tests.web.limited import as_variable

BOUND = "no game is removed, finished or not"
MONTH_AHEAD = """
import runpy, time
real = time.time
time.time = lambda: real() + 30 * 24 * 60 * 60
runpy.run_module("tests.web.limited", run_name="__main__", alter_sys=True)
"""
GAMES = 4


def attack(target: Target) -> Finding:
    """Attack."""
    with target.client() as client:
        made = [json.loads(ask(client, "POST", "/api/games", game()).body) for _ in range(GAMES)]
        for one in made[::2]:
            headers = {"Authorization": f"Bearer {one['token']}"}
            ask(client, "POST", f"/api/games/{one['id']}/seats", {"name": "Bo"})
            ask(client, "POST", f"/api/games/{one['id']}/resign", {}, **headers)
    with subprocess.Popen(
        [sys.executable, "-c", MONTH_AHEAD, "--port", "0"],
        env=target.environment()
        | {"DUELS_DATABASE": database_of(target.pid)}
        | as_variable({"sweep_every": 0.1}),
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        started = bool(other.stdout.readline())
        end = monotonic() + max(1.0, target.seconds)
        while monotonic() < end:
            sleep(0.1)
        other.terminate()
    # The server has hung up on who said nothing while the other process started.
    with target.client() as client:
        left = sum(ask(client, "GET", f"/api/games/{one['id']}").status == 200 for one in made)
    return Finding(started and left == GAMES, f"{left} of {GAMES} games are left")


def game() -> dict[str, str]:
    return {"game": "number-bid", "name": "Ann"}


def arguments_of(pid: int) -> list[str]:
    """The command line of a process."""
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")


def database_of(pid: int) -> str:
    """The address that a server was started with."""
    arguments = arguments_of(pid)
    return arguments[arguments.index("--database") + 1]
