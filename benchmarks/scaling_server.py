"""How many moves a second one server makes, by the number of games that are connected to it.

Every game has two players with an open stream each, who answer at once; a game that
is over is followed by another. The database is a new SQLite file for every point, and the
clients run on the same machine. What was measured is written to docs/data/scaling_server.json,
and drawn to docs/pictures/scaling-server.svg.

    python benchmarks/scaling_server.py [--games 1 10 100 500 2000] [--seconds 10] [--draw-only]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from time import perf_counter

from serving import ConnectionPool, Run, listen, open_table, play, wait_until_idle
from serving_setups import LIMITS, Servers, Work, memory, start_servers

DOCS = Path(__file__).parents[1] / "docs"
DATA, PICTURE = DOCS / "data" / "scaling_server.json", DOCS / "pictures" / "scaling-server.svg"
GAMES = (1, 3, 10, 30, 100, 300, 1000, 2000)
#: Colours that can be seen on a light page and on a dark one.
BLUE, ORANGE, GREY = "#4c8fd6", "#e8862c", "#8a8a8a"


@dataclass(frozen=True)
class Point:
    """What was measured with so many games."""

    games: int
    moves_per_s: float
    p50_ms: float
    p99_ms: float
    #: Of the server's process, for one move.
    cpu_ms: float
    kb_per_game: float


@dataclass
class Place:
    """Where two people play one game after the other."""

    number: int
    port: int
    pool: ConnectionPool
    runs: list[Run]
    begin: asyncio.Event
    connected: bool = False

    async def play_on(self, places: int) -> None:
        """Play until it is cancelled."""
        for number in count(self.number, places):
            table = await open_table(number, self.pool)
            async with asyncio.TaskGroup() as streams:
                listening = [
                    streams.create_task(listen(self.port, table, seat, self.runs))
                    for seat in (0, 1)
                ]
                while not all(table.seen):
                    await asyncio.sleep(0.01)
                self.connected = True
                await self.begin.wait()
                players = (play(table, seat, self.pool, self.runs) for seat in (0, 1))
                await asyncio.gather(*players)
                for stream in listening:
                    stream.cancel()


async def measure(setup: Servers, games: int, seconds: float) -> Point:
    """One point."""
    pool, runs, begin = ConnectionPool(setup.ports[0]), [Run("flat out", 0.0)], asyncio.Event()
    places = [Place(number, setup.ports[0], pool, runs, begin) for number in range(games)]
    empty = memory(setup.servers[0])
    tasks = [asyncio.create_task(place.play_on(games)) for place in places]
    while not all(place.connected for place in places):
        await asyncio.sleep(0.1)
    await wait_until_idle(setup)
    held = (memory(setup.servers[0]) - empty) / games
    begin.set()
    await asyncio.sleep(1)  # the first moves of a server are slower
    runs.append(Run("flat out", 0.0))
    began, work = perf_counter(), Work(setup.servers, setup.database)
    await asyncio.sleep(seconds)
    run, took, busy = runs[-1], perf_counter() - began, work.done()[0]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    p50, p99 = run.percentiles_ms()
    cpu_ms = 1000 * busy / run.sent
    return Point(games, *(round(n, 2) for n in (run.sent / took, p50, p99, cpu_ms, held)))


def draw(points: list[Point]) -> None:
    """Moves a second, what a move waits and what it costs, against the number of games."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams["svg.hashsalt"] = "number-duels"  # equal figures make equal files
    mpl.rcParams.update(dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor"), GREY))
    mpl.rcParams.update(dict.fromkeys(("xtick.color", "ytick.color"), GREY))
    games = [point.games for point in points]
    figure = Figure(figsize=(10, 3.2), layout="constrained")
    figure.patch.set_alpha(0)
    rates, waits, costs = figure.subplots(1, 3)
    rates.plot(games, [point.moves_per_s for point in points], "o-", color=BLUE)
    rates.set(ylabel="moves a second", ylim=(0, None), title="All games together")
    for label, colour, found in (
        ("median", BLUE, [point.p50_ms for point in points]),
        ("99th percentile", ORANGE, [point.p99_ms for point in points]),
    ):
        waits.plot(games, found, "o-", color=colour, label=label)
    waits.set(ylabel="ms from a click to the other's event", yscale="log", title="One move")
    waits.legend(fontsize=8, framealpha=0)
    costs.plot(games, [point.cpu_ms for point in points], "o-", color=BLUE)
    costs.set(ylabel="ms of the server's CPU a move", ylim=(0, None), title="Its cost")
    for panel in (rates, waits, costs):
        panel.set(xscale="log", xlabel="connected games")
        panel.patch.set_alpha(0)
        panel.grid(color=GREY, alpha=0.25)
    figure.savefig(PICTURE, metadata={"Date": None})


def main() -> None:
    """Measure, write and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=GAMES)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--draw-only", action="store_true", help="draw what was measured before")
    args = parser.parse_args()
    if not args.draw_only:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        LIMITS["open_connections"] = 2 * max(args.games) + 500
        points = []
        for games in args.games:
            with start_servers("sqlite") as setup:
                points.append(asyncio.run(measure(setup, games, args.seconds)))
            print(points[-1], flush=True)
        facts = {"cores": os.cpu_count(), "seconds": args.seconds, "points": points}
        DATA.write_text(json.dumps(facts, default=asdict, indent=1) + "\n", encoding="utf-8")
    draw([Point(**each) for each in json.loads(DATA.read_text(encoding="utf-8"))["points"]])


if __name__ == "__main__":
    main()
