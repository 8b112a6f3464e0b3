"""Many clients ask about settings that take minutes to solve, each about many of them."""

from __future__ import annotations

import http.client
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from threading import Event, Thread
from time import monotonic, sleep

from tests.attacks.frame import HOST, Finding, Target, ask

BOUND = "a computer of a solved game goes on playing, each move within 5 s"
SHORT_SETTINGS = {"patience": 2}
OWN_SERVER = True
#: Below the limit of what is solved, and slow.
SLOW = [
    *(f"number-bid&set=numbers={n}" for n in (16, 15)),
    *(f"high-low-battle&set=cards={c}&set=rounds={r}" for c, r in ((10, 10), (11, 7), (12, 5))),
    *(f"number-knot&set=numbers=14&set=life={life}" for life in range(20, 32)),
]
SOLVED = {"game": "number-knot", "settings": {"numbers": 4, "life": 5}, "opponent": "perfect"}
CLIENTS = 8
LIMIT_S = 5.0
#: Between two games, of which one client may not start too many.
PAUSE_S = 0.1


@contextmanager
def questions(target: Target) -> Iterator[Counter[int]]:
    """Clients that ask, each from an address of its own, and what they are answered."""
    found: Counter[int] = Counter()
    stop = Event()

    def ask_on(number: int) -> None:
        address = f"127.0.9.{number + 1}"
        for place in count(number):
            if stop.is_set():
                return
            with target.client(address) as client:
                answer = ask(client, "GET", f"/api/analysis?game={SLOW[place % len(SLOW)]}")
            found[answer.status] += 1
            if answer.status == 429:
                sleep(0.2)

    for number in range(CLIENTS):
        Thread(target=ask_on, args=(number,), daemon=True).start()
    try:
        yield found
    finally:
        stop.set()


def move(client: http.client.HTTPConnection, path: str, token: str, limit_s: float) -> float | None:
    """The seconds until the computer has answered a move; None if it has not in time."""
    headers = {"Authorization": f"Bearer {token}"}
    began = monotonic()
    moved = False
    while monotonic() - began < limit_s:
        view = json.loads(ask(client, "GET", path, **headers).body or b"{}")
        if view.get("over") or (moved and view.get("options")):
            return monotonic() - began
        if view.get("options") and not moved:
            body = {"turn": view["turn"], "move": view["options"][0]}
            ask(client, "POST", f"{path}/moves", body, **headers)
            moved = True
        sleep(0.02)
    return None


def attack(target: Target) -> Finding:
    """Attack."""
    slowest, moves, limit_s = 0.0, 0, LIMIT_S + target.slack_s
    with target.client(HOST) as client:
        ask(client, "POST", "/api/games", SOLVED)  # solved before the attack begins
        sleep(0.5)
        with questions(target) as found:
            sleep(min(1.0, target.seconds))
            for _ in target.moments():
                game = json.loads(ask(client, "POST", "/api/games", SOLVED).body)
                path, token = f"/api/games/{game.get('id')}", str(game.get("token"))
                taken = move(client, path, token, limit_s)
                if taken is None:
                    return Finding(False, f"no move in {limit_s:.0f} s after {moves} moves")
                slowest, moves = max(slowest, taken), moves + 1
                sleep(PAUSE_S)
    answered = ", ".join(f"{n} x {status}" for status, n in sorted(found.items())) or "none"
    return Finding(True, f"{moves} moves, the slowest {slowest:.2f} s; questions: {answered}")
