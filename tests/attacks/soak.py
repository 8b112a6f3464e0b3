"""A long run under faults: python -m tests.attacks.soak [--minutes 30] [--on postgres sqlite].

First it finds how many moves a second the server makes flat out; then people play at a third
of that while processes are killed, the database is restarted, clocks jump and the disk fills
up. At the end: whether every accepted move is in the records, and how memory and descriptors
of a server that was not killed have changed, by quarters; in the second half they are flat.
"""

from __future__ import annotations

import argparse
import http.client
import json
import sys
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from time import monotonic, sleep

from number_duels.web.config import Config
from tests.attacks.faults import FAULTS, killed
from tests.attacks.frame import HOST, Answer, Target, ask
from tests.web.people import GAME
from tests.web.postgres import Cluster, running_cluster
from tests.web.serving import LIFTED, Server, free_port

PLAYERS = 16
FLAT_OUT_S = 8.0
#: Between two faults, and how long one lasts.
CALM_S, FAULT_S = 6.0, 3.0
#: Memory and descriptors of a server may differ by this much between the middle and the end.
MAX_MORE_MIB, MAX_MORE_FILES = 15.0, 40
#: A server keeps so few games in memory that they are there long before the middle.
LIMITS = {**LIFTED, "sweep_every": 1, "tables": 200}


@dataclass
class Played:
    """One game: who may see its record, and the moves that the server has accepted."""

    id: str
    token: str
    accepted: list[tuple[int, int, str]] = field(default_factory=list)
    over: bool = False


@dataclass(frozen=True)
class Chair:
    """A seat of a game, and how it is reached."""

    number: int
    client: http.client.HTTPConnection
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


@dataclass
class Soak:
    """Players, and what has happened to them."""

    ports: list[int]
    pause_s: float = 0.0
    stop: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)
    games: list[Played] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    moves: int = 0
    rate: float = 0.0
    happened: Counter[str] = field(default_factory=Counter)

    def run(self, seconds: float) -> float:
        """Play for a while; moves a second."""
        self.stop.clear()
        before, began = self.moves, monotonic()
        players = [Thread(target=self.play, args=(number,)) for number in range(PLAYERS)]
        for one in players:
            one.start()
        self.stop.wait(seconds)
        self.stop.set()
        for one in players:
            one.join()
        self.rate = (self.moves - before) / (monotonic() - began)
        return self.rate

    def play(self, number: int) -> None:
        """Games one after the other, the two seats at different servers where there are several."""
        rng = Random(number)
        clients = [http.client.HTTPConnection(HOST, port, timeout=15) for port in self.ports]
        seats = [clients[0], clients[-1]]
        while not self.stop.is_set():
            started = ask(seats[0], "POST", "/api/games", {"game": GAME})
            if started.status != 201:
                self.wait(started)
                continue
            made = json.loads(started.body)
            joined = ask(seats[1], "POST", f"/api/games/{made['id']}/seats", {})
            if joined.status != 201:
                self.wait(joined)
                continue
            game = Played(made["id"], made["token"])
            with self.lock:
                self.games.append(game)
            tokens = made["token"], json.loads(joined.body)["token"]
            self.play_game(game, [Chair(n, seats[n], tokens[n]) for n in (0, 1)], rng)
        for one in clients:
            one.close()

    def play_game(self, game: Played, chairs: list[Chair], rng: Random) -> None:
        while not game.over and not self.stop.is_set():
            for chair in chairs:
                path = f"/api/games/{game.id}"
                found = ask(chair.client, "GET", path, **chair.headers)
                if found.status in (401, 404):
                    self.problems.append(f"{game.id} is gone: {found.body!r}")
                    return
                if found.status != 200:
                    self.wait(found)
                    continue
                view = json.loads(found.body)
                game.over = view["over"]
                if view["options"]:
                    self.move(game, chair, view["turn"], rng.choice(view["options"]))

    def move(self, game: Played, chair: Chair, turn: int, choice: str) -> None:
        """One move, sent again until it is accepted."""
        body = {"turn": turn, "move": choice}
        while not self.stop.is_set():
            path = f"/api/games/{game.id}/moves"
            found = ask(chair.client, "POST", path, body, **chair.headers)
            if found.status == 200:
                game.accepted.append((turn, chair.number, choice))
                with self.lock:
                    self.moves += 1
                self.stop.wait(self.pause_s)
                return
            if found.status in (401, 404, 409, 422):
                self.problems.append(f"{game.id} turn {turn}: {found.status} {found.body!r}")
                return
            self.wait(found)

    def wait(self, answer: Answer) -> None:
        """A moment after something that was not answered; it is sent again."""
        self.answers[str(answer.status or "cut off")] += 1
        self.stop.wait(0.1)

    def missing(self, port: int) -> int:
        """How many accepted moves are not in the records."""
        lost = 0
        client = http.client.HTTPConnection(HOST, port, timeout=30)
        for game in self.games:
            headers = {"Authorization": f"Bearer {game.token}"}
            record = json.loads(ask(client, "GET", f"/api/games/{game.id}/record", **headers).body)
            turns = str(record.get("moves", "")).split()
            for turn, seat, choice in game.accepted:
                kept = turns[turn - 1].split("/") if turn <= len(turns) else []
                # A choice that waits for the other's is in no record of anybody else.
                waits = not game.over and turn == len(turns) + 1
                lost += not waits and kept[seat : seat + 1] != [choice]
        client.close()
        return lost


def sizes(server: Server) -> tuple[float, int]:
    """The memory in MiB and the open files of a server."""
    assert server.process is not None
    target = Target(server.port, server.process.pid, Config(), 0.0)
    return target.memory_mib(), target.open_files()


def soak(store: str, minutes: float, cluster: Cluster | None, folder: Path) -> bool:
    """A run on one store; whether everything held."""
    url = cluster.new_database() if cluster else f"sqlite:///{folder}/games.sqlite3"
    servers = []
    for number in range(2 if cluster else 1):
        place = folder / f"{store}-{number}"
        place.mkdir()
        servers.append(Server(place, url, settings=LIMITS, port=free_port()))
        servers[-1].start()
    run = Soak([server.port for server in servers])
    flat_out = run.run(FLAT_OUT_S)
    run.pause_s = max(0.0, PLAYERS / (flat_out / 3) - PLAYERS / flat_out)
    print(f"{store}: {flat_out:.0f} moves a second flat out; now a third of it", flush=True)
    background = Thread(target=run.run, args=(minutes * 60,))
    # On SQLite there is only one server, which is killed in the first quarter alone.
    end, quarter = monotonic() + minutes * 60, monotonic() + minutes * 15
    background.start()
    sized = [sizes(servers[0])]
    for fault in cycle(FAULTS):
        if monotonic() > end - CALM_S - FAULT_S:
            break
        sleep(CALM_S)
        sized.append(sizes(servers[0]))
        if not cluster and fault is killed and monotonic() > quarter:
            continue
        with fault(servers[-1], cluster) as what:
            run.happened[what] += 1
            sleep(FAULT_S)
    background.join()
    sized.append(sizes(servers[0]))
    lost = run.missing(servers[0].port)
    crashed = any("Traceback" in server.log for server in servers)
    for server in servers:
        server.stop()
    return report(run, sized, lost, crashed=crashed)


def report(run: Soak, sized: list[tuple[float, int]], lost: int, *, crashed: bool) -> bool:
    """Say what was seen; whether everything held."""
    # The first half fills the caches; what grows after it would grow for ever.
    (memory, files), (memory_after, files_after) = sized[len(sized) // 2], sized[-1]
    steps = [sized[(len(sized) - 1) * quarter // 4] for quarter in range(5)]
    course = " -> ".join(f"{mib:.0f} MiB, {count} files" for mib, count in steps)
    accepted = sum(len(game.accepted) for game in run.games)
    print(f"  {run.rate:.0f} moves a second, {len(run.games)} games, {accepted} accepted moves")
    print(f"  faults: {dict(run.happened)}; not answered: {dict(run.answers)}")
    print(f"  {course}")
    print(f"  accepted moves that no record has: {lost}; refused: {len(run.problems)}")
    for problem in run.problems[:5]:
        print(f"    {problem}")
    if crashed:
        print("  a server's log has a traceback")
    flat = memory_after - memory < MAX_MORE_MIB and files_after - files < MAX_MORE_FILES
    return flat and not lost and not run.problems and not crashed


def main() -> int:
    """Run; the exit status says whether everything held."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--on", nargs="+", choices=("sqlite", "postgres"), default=["postgres"])
    args = parser.parse_args()
    held = True
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        for store in args.on:
            cluster = stack.enter_context(running_cluster()) if store == "postgres" else None
            held = soak(store, args.minutes / len(args.on), cluster, folder) and held
    print("everything held" if held else "something did not hold")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
