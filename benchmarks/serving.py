"""The server under load: many games at once, every seat with an open stream of events.

The same on SQLite, and on PostgreSQL with one server process and with two,
where the players of a game are connected to different ones. Two runs each on
the same tables: at an easy pace players think between their moves; flat out
they answer at once. For each: moves a second, and the time from one player's
click to the other's event. Afterwards every accepted move is looked for in the
records, which the rules replay. The clients run on the same machine.

    python benchmarks/serving.py [--games 1000] [--seconds 20] [--think 4] [--on sqlite ...]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter

from serving_setups import SETUPS, Servers, Work, memory, start_servers

import number_duels as nd

HOST = "127.0.0.1"
CONNECTIONS_PER_SERVER = 64


class Connection:
    """One kept connection to the server."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, token: str = "", body: object = None) -> bytes:
        """The body of an answer; anything but a 2xx is an error here."""
        if self.streams is None or self.streams[0].at_eof():
            self.streams = await asyncio.open_connection(HOST, self.port)
        reader, writer = self.streams
        writer.write(request(method, path, token, body))
        head = await reader.readuntil(b"\r\n\r\n")
        size = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        answer = await reader.readexactly(size)
        if not head.startswith(b"HTTP/1.1 2"):
            raise RuntimeError(f"{method} {path}: {head[:20]!r} {answer!r}")
        return answer


class ConnectionPool:
    """A few connections, lent to whoever wants to ask."""

    def __init__(self, port: int) -> None:
        self.free: asyncio.Queue[Connection] = asyncio.Queue()
        for _ in range(CONNECTIONS_PER_SERVER):
            self.free.put_nowait(Connection(port))

    async def ask(self, method: str, path: str, token: str = "", body: object = None) -> bytes:
        """The body of an answer."""
        connection = await self.free.get()
        try:
            return await connection.ask(method, path, token, body)
        finally:
            self.free.put_nowait(connection)


def request(method: str, path: str, token: str, body: object, version: str = "1.1") -> bytes:
    """A request as it is sent."""
    content = json.dumps(body or {}).encode() if method == "POST" else b""
    lines = [f"{method} {path} HTTP/{version}", f"Host: {HOST}"]
    lines += [f"Authorization: Bearer {token}"] if token else []
    if method == "POST":
        lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "", ""]).encode() + content


@dataclass
class Run:
    """What is measured in one run."""

    name: str
    think: float
    sent: int = 0
    delays: list[float] = field(default_factory=list)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    stopped: bool = False

    def percentiles_ms(self) -> tuple[float, float]:
        """The median and the 99th percentile from a click to the other's event."""
        found = sorted(self.delays)
        p50, p99 = (found[int(len(found) * share)] * 1000 for share in (0.5, 0.99))
        return p50, p99

    def show(self, seconds: float, busy: float, database: float) -> None:
        """The figures of the run; what the server's own work costs does not depend on others."""
        each = 1000 / max(1, self.sent)
        p50, p99 = self.percentiles_ms()
        print(
            f"{self.name:10}  {self.sent / seconds:6.0f} moves/s"
            f"   click to the other's event: p50 {p50:6.1f} ms   p99 {p99:6.1f} ms"
            f"   CPU a move: server {busy * each:.1f} ms, database {database * each:.1f} ms"
        )


@dataclass
class Table:
    """One game, and when each seat saw which version."""

    id: str
    tokens: tuple[str, str]
    rng: random.Random
    accepted: int = 0
    clicks: dict[int, tuple[int, float]] = field(default_factory=dict)
    seen: list[int] = field(default_factory=lambda: [0, 0])
    views: list[dict[str, object]] = field(default_factory=lambda: [{}, {}])
    news: list[asyncio.Event] = field(default_factory=lambda: [asyncio.Event(), asyncio.Event()])


async def listen(port: int, table: Table, seat: int, runs: list[Run]) -> None:
    """Hold a seat's stream open at a process, and note when events arrive."""
    reader, writer = await asyncio.open_connection(HOST, port, limit=2**20)
    path = f"/api/games/{table.id}/events"
    writer.write(request("GET", path, table.tokens[seat], None, version="1.0"))
    async for view in views(reader):
        now = perf_counter()
        version = int(str(view["version"]))
        for click in range(table.seen[seat] + 1, version + 1):
            clicker, when = table.clicks.get(click, (seat, 0.0))
            if clicker != seat:
                runs[-1].delays.append(now - when)
        table.seen[seat] = max(version, table.seen[seat])
        table.views[seat] = view
        table.news[seat].set()


async def views(reader: asyncio.StreamReader) -> AsyncIterator[dict[str, object]]:
    """The views that a stream brings."""
    while line := await reader.readline():
        if line.startswith(b"data: "):
            yield json.loads(line[6:])


async def play(table: Table, seat: int, pool: ConnectionPool, runs: list[Run]) -> None:
    """Play one seat at a process by what its stream shows, until the game is over."""
    while not table.views[seat].get("over"):
        view, run = table.views[seat], runs[-1]
        options = view.get("options")
        if run.stopped or not (options or view.get("draw")):
            table.news[seat].clear()
            await table.news[seat].wait()
            continue
        if run.think:
            with suppress(TimeoutError):
                async with asyncio.timeout(table.rng.uniform(0, 2 * run.think)):
                    await run.over.wait()
        await click(table, seat, view, pool, runs)


async def click(
    table: Table, seat: int, view: dict[str, object], pool: ConnectionPool, runs: list[Run]
) -> None:
    """One move or draw; its click is noted under the version that it makes."""
    options = view["options"]
    assert isinstance(options, list)
    verb, body = "draw", {"turn": view["turn"]}
    if options:
        verb, body = "moves", {"turn": view["turn"], "move": table.rng.choice(options)}
    when = perf_counter()
    answer = await pool.ask("POST", f"/api/games/{table.id}/{verb}", table.tokens[seat], body)
    after = json.loads(answer)
    run = runs[-1]
    run.sent += 1
    table.accepted += 1
    version = int(after["version"])
    if table.seen[1 - seat] >= version:
        run.delays.append(perf_counter() - when)  # the other's event came first
    else:
        table.clicks[version] = seat, when
    if version > table.seen[seat]:
        table.news[seat].clear()
        await table.news[seat].wait()


async def open_tables(count: int, pool: ConnectionPool) -> list[Table]:
    """Games with both seats taken, of every kind in turn."""
    return list(await asyncio.gather(*(open_table(number, pool) for number in range(count))))


async def open_table(number: int, pool: ConnectionPool) -> Table:
    """One game with both seats taken; which one follows from its number."""
    names = nd.games()
    wish = {"game": names[number % len(names)], "name": "Ann"}
    first = json.loads(await pool.ask("POST", "/api/games", "", wish))
    path = f"/api/games/{first['id']}/seats"
    second = json.loads(await pool.ask("POST", path, "", {"name": "Bo"}))
    return Table(first["id"], (first["token"], second["token"]), random.Random(number))


async def check(tables: list[Table], pool: ConnectionPool) -> tuple[int, int]:
    """How many accepted moves there were, and how many are in the records, by the rules."""
    found = 0
    for table in tables:
        text = (await pool.ask("GET", f"/api/games/{table.id}/record", table.tokens[0])).decode()
        view = json.loads(await pool.ask("GET", f"/api/games/{table.id}", table.tokens[0]))
        record = nd.Record.from_json(text)
        match = nd.Match.from_record(nd.load(record.game, **record.settings), record)
        found += sum(max(1, len(step.moves)) for step in match.steps(None)) + len(view["chosen"])
        # A card that only its drawer sees is not in the other's record.
        cards = Counter(part["label"] for part in view["board"] if part.get("cards") == ["?"])
        found += sum(cards.values())
    return sum(table.accepted for table in tables), found


async def wait_until_idle(setup: Servers) -> None:
    """Wait until everybody has been told of everybody who came."""
    busy = 1.0
    while busy > 0.05:
        work = Work(setup.servers, setup.database)
        await asyncio.sleep(0.5)
        busy = sum(work.done())


async def measure(setup: Servers, args: argparse.Namespace) -> bool:
    """Both runs, and the count of what was lost."""
    pools = [ConnectionPool(port) for port in setup.ports]
    for pool in pools:
        await asyncio.gather(*(pool.ask("GET", "/healthz") for _ in range(CONNECTIONS_PER_SERVER)))
    empty = sum(map(memory, setup.servers))
    tables = await open_tables(args.games, pools[0])
    runs = [Run("easy pace", args.think)]
    # The two players of a game are at different processes, if there are several.
    seats = [(table, seat, seat % len(pools)) for table in tables for seat in (0, 1)]
    tasks = [
        asyncio.create_task(listen(setup.ports[process], table, seat, runs))
        for table, seat, process in seats
    ]
    while not all(all(table.seen) for table in tables):
        await asyncio.sleep(0.1)
    await wait_until_idle(setup)
    print(f"{setup.name}: {args.games} games, {len(seats)} open streams")
    players = [
        asyncio.create_task(play(table, seat, pools[process], runs))
        for table, seat, process in seats
    ]
    for run in (runs[0], Run("flat out", 0.0)):
        if run is not runs[-1]:
            runs.append(run)
        began, work = perf_counter(), Work(setup.servers, setup.database)
        while perf_counter() - began < args.seconds and not all(p.done() for p in players):
            await asyncio.sleep(0.1)
        seconds = perf_counter() - began
        run.stopped = run is not runs[0]
        run.show(seconds, *work.done())
        run.over.set()
    while any(pool.free.qsize() < CONNECTIONS_PER_SERVER for pool in pools):
        await asyncio.sleep(0.1)
    full = sum(map(memory, setup.servers))
    print(f"memory: {empty / 1024:.0f} MB empty, {(full - empty) / args.games:.0f} kB a game")
    for task in players:
        task.cancel()
    accepted, found = await check(tables, pools[-1])
    print(f"moves accepted: {accepted}, in the records: {found}, lost: {accepted - found}")
    for task in tasks:
        task.cancel()
    return accepted == found


def main() -> int:
    """Start servers of our own, load them, stop them; one setup after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--think", type=float, default=4.0, help="seconds a player thinks")
    parser.add_argument("--on", nargs="+", choices=SETUPS, default=list(SETUPS))
    args = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    whole = True
    for name in args.on:
        with start_servers(name) as setup:
            whole = asyncio.run(measure(setup, args)) and whole
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
