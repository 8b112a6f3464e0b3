"""How cost grows: steps a second by the size of a batch, arena games a second by workers.

    python benchmarks/scaling.py [--what batch arena] [--largest 10000000] [--pairs 500]

Everything is measured in rounds, and the best one counts: other work on a machine only takes away.
What is measured goes into docs/data/scaling.json, and with the figures of a GPU
(docs/data/device.json, if it is there) into docs/pictures/scaling-batch.svg and scaling-arena.svg.
With `--what` alone it only draws.

- *Batch*: one turn of every game with what is seen and what is legal, and new games for those that
  ended; actions are random and legal, chosen before the clock runs. On one thread, on all cores,
  and in JAX.
- *Arena*: `random` against itself, every game played, graded and on disk.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

import number_duels as nd
from arena import pool
from number_duels.adapters.batch import Batch
from number_duels.core.game import SomeGame

ROOT = Path(__file__).resolve().parents[1]
DATA, PICTURES = ROOT / "docs" / "data", ROOT / "docs" / "pictures"
GAMES = ("number-knot", "high-low-battle")
WORKERS = (1, 2, 3, 4)
ROUNDS = 7
#: A round takes at least as long, and at least one step.
ROUND_SECONDS = 0.05
#: Games for which actions are chosen at once: more would only take memory.
CHUNK = 1_000_000
#: What one kernel of a GPU plays at once.
BLOCK = 1024

STYLES = ("-", "--", ":", "-.", (0, (5, 1, 1, 1, 1, 1)))

#: A step by random actions, and how many seconds its clock ran.
Step: TypeAlias = Callable[[], float]
#: Names of lines, and what was measured: by number of games, or of workers.
Lines: TypeAlias = Mapping[str, Mapping[str, float]]


# ---- batches -----------------------------------------------------------------------


def random_actions(masks: npt.NDArray[np.bool_], rng: np.random.Generator) -> npt.NDArray[np.int64]:
    found = np.empty(masks.shape[:2], np.int64)
    for begin in range(0, len(masks), CHUNK):
        part = masks[begin : begin + CHUNK]
        found[begin : begin + CHUNK] = (part * rng.random(part.shape, np.float32)).argmax(axis=2)
    return found


def numpy_step(game: SomeGame, size: int, threads: int | None) -> Step:
    batch, rng = Batch(game, size, 1, threads=threads), np.random.default_rng(1)

    def step() -> float:
        actions = random_actions(batch.masks, rng)
        began = perf_counter()
        batch.step(actions)
        return perf_counter() - began

    return step


def jax_step(game: SomeGame, size: int) -> Step:
    import jax

    from number_duels.adapters.jax import JaxBatch

    batch, rng = JaxBatch(game), np.random.default_rng(1)
    play = jax.jit(batch.step)
    carry, shown = batch.init(jax.random.key(1), size)
    seats = 2 if batch.rules.rules.both else 1

    def step() -> float:
        nonlocal carry, shown
        planes = np.asarray(shown.masks).reshape(seats, -1, size)
        actions = random_actions(np.moveaxis(planes, -1, 0), rng).T.astype(np.int32)
        given = jax.device_put(actions if seats > 1 else actions[0]).block_until_ready()
        began = perf_counter()
        carry, shown = play(carry, given)
        shown.masks.block_until_ready()
        return perf_counter() - began

    return step


def rate(size: int, step: Step) -> float:
    """Steps a second in the best of the rounds, after a step for nothing."""
    step()
    rates = []
    for _ in range(ROUNDS):
        count, clock = 0, 0.0
        while clock < ROUND_SECONDS:
            count, clock = count + size, clock + step()
        rates.append(count / clock)
    return max(rates)


def batch_lines(largest: int) -> Iterator[tuple[str, str, float]]:
    """Lines, sizes and rates, one by one."""
    sizes = [10**n for n in range(8) if 10**n <= largest]
    for name in GAMES:
        game = nd.load(name)
        ways: dict[str, Callable[[int], Step]] = {
            "1 thread": partial(numpy_step, game, threads=1),
            f"{os.cpu_count()} threads": partial(numpy_step, game, threads=None),
            "JAX on the CPU": partial(jax_step, game),
        }
        for way, make in ways.items():
            for size in sizes:
                yield f"{game.title}, {way}", str(size), round(rate(size, make(size)))


# ---- the arena ---------------------------------------------------------------------


def arena_lines(pairs: int) -> Iterator[tuple[str, str, float]]:
    for name in GAMES:
        game = nd.load(name)
        nd.solve(game)
        rounds = [[pool(game, pairs, workers) for workers in WORKERS] for _ in range(ROUNDS)]
        for workers, rates in zip(WORKERS, zip(*rounds, strict=True), strict=True):
            yield game.title, str(workers), round(max(rates))


# ---- showing -----------------------------------------------------------------------


def device_lines() -> Lines:
    """What was measured on a GPU, if it is there; whole blocks are played in one kernel."""
    path = DATA / "device.json"
    if not path.exists():
        return {}
    found = json.loads(path.read_text(encoding="utf-8"))
    lines: dict[str, dict[str, float]] = {}
    for name, rates in found["batch"].items():
        for size in sorted(map(int, rates)):
            way = ", blocks of 1,024" if size % BLOCK == 0 else ""
            label = f"{nd.load(name).title}, {found['device']}{way}"
            lines.setdefault(label, {})[str(size)] = rates[str(size)]
    return lines


def draw(path: Path, lines: Lines, across: str, up: str, scale: str) -> None:
    """Both axes by one scale; lines of one game have one colour."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.hashsalt"] = "number-duels"
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    titles = list(dict.fromkeys(label.partition(",")[0] for label in lines))
    ways = list(dict.fromkeys(label.partition(",")[2] for label in lines))
    for label, rates in lines.items():
        title, _, way = label.partition(",")
        style = STYLES[ways.index(way) % len(STYLES)]
        sizes = [int(size) for size in rates]
        color = f"C{titles.index(title)}"
        axes.plot(sizes, list(rates.values()), ls=style, marker=".", color=color, label=label)
    axes.set(xlabel=across, ylabel=up, xscale=scale, yscale=scale)
    if scale == "linear":
        axes.set(xticks=WORKERS, ylim=0)
    axes.grid(linewidth=0.3)
    axes.legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})


def draw_all(found: Mapping[str, Lines]) -> None:
    if "batch" in found:
        lines = {**found["batch"], **device_lines()}
        path = PICTURES / "scaling-batch.svg"
        draw(path, lines, "games in the batch", "steps a second", "log")
    if "arena" in found:
        path = PICTURES / "scaling-arena.svg"
        draw(path, found["arena"], "workers", "games a second", "linear")


def gathered(points: Iterator[tuple[str, str, float]]) -> Lines:
    lines: dict[str, dict[str, float]] = {}
    for label, place, found in points:
        lines.setdefault(label, {})[place] = found
        print(f"{label:40} {int(place):12,} {found:15,.0f}", flush=True)
    return lines


def measure(what: Sequence[str], largest: int, pairs: int) -> dict[str, Lines]:
    path = DATA / "scaling.json"
    kept = json.loads(path.read_text(encoding="utf-8"))["lines"] if path.exists() else {}
    lines: dict[str, Lines] = dict(kept)
    if "batch" in what:
        lines["batch"] = gathered(batch_lines(largest))
    if "arena" in what:
        lines["arena"] = gathered(arena_lines(pairs))
    if what:
        about = {"machine": f"{os.cpu_count()} cores", "date": f"{datetime.now(UTC):%Y-%m-%d}"}
        text = json.dumps({**about, "lines": lines}, indent=1)
        path.write_text(text + "\n", encoding="utf-8")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    both = ("batch", "arena")
    parser.add_argument("--what", nargs="*", choices=both, default=both)
    parser.add_argument("--largest", type=int, default=10**7)
    parser.add_argument("--pairs", type=int, default=500)
    asked = parser.parse_args()
    draw_all(measure(asked.what, asked.largest, asked.pairs))


if __name__ == "__main__":
    main()
