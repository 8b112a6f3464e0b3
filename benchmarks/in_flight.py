"""Games a minute of a language model whose endpoint takes its time: in flight, and by workers.

The endpoint is a process on this machine that answers every request after a fixed time with the
first legal move. Workers are the arena's processes, one a core, each of which waits for one
request at a time.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import closing, contextmanager

import number_duels as nd
from number_duels.arena.engines import Engine, Pool
from number_duels.arena.in_flight import InFlight
from number_duels.arena.schedule import Schedule, named
from number_duels.players.external import Limits

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: %d\r\n\r\n%s"
PIECE = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "tiny"}
MANY = 1_000_000


# ---- the endpoint ----------------------------------------------------------------


def response(body: bytes) -> bytes:
    """The first legal move, as a stream of two events."""
    prompt = json.loads(body)["messages"][0]["content"]
    move = prompt.partition("YOUR LEGAL MOVES\n")[2].partition(":")[0]
    said = {"index": 0, "delta": {"content": json.dumps({"move": move})}, "finish_reason": "stop"}
    event = json.dumps({**PIECE, "choices": [said]})
    data = f"data: {event}\n\ndata: [DONE]\n\n".encode()
    return HEAD % (len(data), data)


async def serve(latency_s: float) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
                body = await reader.readexactly(length)
                await asyncio.sleep(latency_s)
                writer.write(response(body))

    server = await asyncio.start_server(talk, "127.0.0.1", 0, backlog=512)
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # clients just go away
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await server.serve_forever()


@contextmanager
def endpoint(latency_s: float) -> Iterator[str]:
    """The address of an endpoint that runs until the end of the block."""
    words = [sys.executable, __file__, "--serve", "--latency", str(latency_s)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


# ---- the games -------------------------------------------------------------------


def games_a_minute(engine: Engine, game: str, seconds: float) -> float:
    """How many games end in a minute, from the first that does."""
    schedule = Schedule(named(["llm:tiny", "random"]), (nd.load(game),), MANY, 1)
    (pairing,) = schedule.pairings()
    results = engine.run(schedule.pairs_of(pairing))
    next(results)
    began, games = time.perf_counter(), 0
    for played in results:
        games += len(played)
        if time.perf_counter() - began > seconds:
            break
    minutes = (time.perf_counter() - began) / 60
    results.close()  # type: ignore[attr-defined]  # engines are generators
    return games / minutes


def compare(in_flight: int, game: str, seconds: float, url: str) -> None:
    limits, workers = Limits(seconds=60, url=url), os.cpu_count() or 1
    before = games_a_minute(Pool(workers, limits), game, seconds)
    after = games_a_minute(InFlight(in_flight, limits), game, seconds)
    print(f"{game}: {workers} workers {before:,.0f} games a minute,", end=" ")
    print(f"{in_flight} in flight {after:,.0f}: {after / before:.1f} times as many")


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="number-knot")
    parser.add_argument("--latency", type=float, default=0.3, help="of the endpoint, in seconds")
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=30.0, help="for each figure")
    parser.add_argument("--serve", action="store_true", help="be the endpoint")
    args = parser.parse_args()
    if args.serve:
        asyncio.run(serve(args.latency))
    else:
        with endpoint(args.latency) as url:
            compare(args.in_flight, args.game, args.seconds, url)


if __name__ == "__main__":
    main()
