"""How fast a learner that plays against itself comes near perfect play, measured exactly.

    python benchmarks/learning.py [--engine batch jax] [--games number-knot …] [--minutes 3]

The recipe is that of docs/self_play.md, with a network and with a table of logits that has
a row for every position. What is measured is the exact exploitability of the policy: how much a
best answer wins against it. Seconds are the learner's alone; compiling and measuring are not in
them. Every run goes into docs/data/learning.json in place of an older one of its kind, and all of
them into docs/pictures/learning.svg. With `--minutes 0` it only draws.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter

import jax
import jax.numpy as jnp
import numpy as np
from self_play import (
    Learner,
    Network,
    Params,
    Recipe,
    learn,
    log_policy,
    make_network,
    make_table,
    new_learner,
)
from self_play_engines import ENGINES

from number_duels import load
from number_duels.adapters.tables import Tables
from number_duels.core.game import SomeGame

ROOT = Path(__file__).resolve().parents[1]
GAMES = {"number-knot": {}, "high-low-battle": {"cards": 6}}
LEARNERS = {
    "network": Recipe(),
    # A row learns from its own position alone, so it takes more games and larger steps.
    "table": Recipe(games=4096, hidden=(), rate=0.02),
}
#: How far is far enough.
MARKS = (0.30, 0.10)


@dataclass(frozen=True)
class Point:
    """What a policy loses to the best answer after so many turns and seconds."""

    steps: int
    seconds: float
    exploitability: float


@dataclass(frozen=True)
class Run:
    """One run, as it is written down."""

    device: str
    engine: str
    learner: str
    game: str
    minutes: float
    date: str
    commit: str
    points: tuple[Point, ...]

    @property
    def kind(self) -> tuple[str, ...]:
        """What a later run replaces."""
        return self.device, self.engine, self.learner, self.game

    @property
    def best(self) -> float:
        return min(point.exploitability for point in self.points)

    def seconds_to(self, mark: float) -> float | None:
        """When it was first below a mark; None: not reached."""
        return next((p.seconds for p in self.points if p.exploitability < mark), None)


# ---- measuring ---------------------------------------------------------------------


def make_learner(kind: str, tables: Tables, recipe: Recipe) -> tuple[Network, Learner]:
    inputs, network = make_table(tables) if kind == "table" else make_network(tables.encoding)
    sizes = inputs, *recipe.hidden, tables.encoding.action_count + 1
    return network, new_learner(jax.random.key(7), sizes)


def exploitability(tables: Tables, network: Network) -> Callable[[Params], float]:
    """What measures a policy in every position, exactly."""
    rows = tables.observations.reshape(-1, tables.observations.shape[-1])
    masks = tables.masks.reshape(len(rows), -1)
    arrays = jnp.asarray(rows), jnp.asarray(masks)
    logs = jax.jit(lambda params, rows, masks: log_policy(network(params, rows)[0], masks))

    def measure(params: Params) -> float:
        found = np.exp(np.asarray(logs(params, *arrays)))
        return tables.with_odds(found.reshape(tables.masks.shape)).exploitability()

    return measure


def learning(
    game: SomeGame, engine: str, kind: str, recipe: Recipe, spacing: float = 0.05
) -> Iterator[Point]:
    """Points in time: many at first, then ever fewer; with no spacing, one after each rollout."""
    tables = Tables(game)
    network, learner = make_learner(kind, tables, recipe)
    turns = ENGINES[engine](game, recipe, network)
    measure = exploitability(tables, network)
    update = jax.jit(partial(learn, network=network, recipe=recipe))
    key, steps, clock, next_point = jax.random.key(8), 0, 0.0, 0.0
    update(learner, seen=turns.rollout(learner.params, key), key=key)  # compiles
    yield Point(0, 0.0, measure(learner.slow))
    while True:
        began, key = perf_counter(), jax.random.fold_in(key, steps)
        seen = turns.rollout(learner.params, key)
        learner = update(learner, seen=seen, key=key)
        learner.updates.block_until_ready()
        clock += perf_counter() - began
        steps += recipe.games * recipe.turns
        if clock >= next_point:
            yield Point(steps, round(clock, 3), measure(learner.slow))
            next_point = clock + spacing * (5 + clock)


def measured(name: str, engine: str, kind: str, recipe: Recipe, minutes: float) -> Run:
    """Learn for some minutes."""
    points = []
    for point in learning(load(name, **GAMES[name]), engine, kind, recipe):
        points.append(point)
        if point.seconds >= 60 * minutes:
            break
    return Run(
        device(),
        engine,
        kind,
        name,
        minutes,
        datetime.now(UTC).date().isoformat(),
        commit(),
        tuple(points),
    )


def device() -> str:
    kind = jax.devices()[0].device_kind
    return f"{os.cpu_count()} cores" if kind == "cpu" else kind


def commit() -> str:
    """What was measured; nothing where there is no checkout."""
    command = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


# ---- what was measured before --------------------------------------------------------


def read(path: Path) -> list[Run]:
    if not path.exists():
        return []
    found = json.loads(path.read_text(encoding="utf-8"))
    return [Run(**{**run, "points": tuple(Point(*p) for p in run["points"])}) for run in found]


def write(path: Path, runs: Sequence[Run]) -> None:
    """One run a line."""
    lines = []
    for run in sorted(runs, key=lambda run: run.kind):
        points = [[p.steps, p.seconds, round(p.exploitability, 4)] for p in run.points]
        lines.append(json.dumps({**asdict(run), "points": points}))
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def with_run(runs: Sequence[Run], new: Run) -> list[Run]:
    return [run for run in runs if run.kind != new.kind] + [new]


# ---- showing --------------------------------------------------------------------------


def table(runs: Sequence[Run]) -> str:
    """All runs, as a table of Markdown."""

    def reached(run: Run, mark: float) -> str:
        seconds = run.seconds_to(mark)
        return "not reached" if seconds is None else f"{seconds:.1f} s"

    lines = [
        "| game | learner | engine | on | turns | start | to 0.30 | to 0.10 | best | within |",
        "|" + 10 * "---|",
    ]
    for run in sorted(runs, key=lambda run: (run.game, run.learner, run.kind)):
        end = run.points[-1]
        cells = [
            *(run.game, run.learner, run.engine, run.device, f"{end.steps / 1e6:,.1f} million"),
            *(f"{run.points[0].exploitability:.2f}", *(reached(run, mark) for mark in MARKS)),
            *(f"{run.best:.3f}", f"{end.seconds:.0f} s"),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def draw(path: Path, runs: Sequence[Run]) -> None:
    """A curve for each run, a picture for each game."""
    import matplotlib as mpl

    mpl.use("svg")
    import matplotlib.pyplot as plt

    names = [name for name in GAMES if any(run.game == name for run in runs)]
    mpl.rcParams["svg.hashsalt"] = "number-duels"
    figure, axes = plt.subplots(1, len(names), figsize=(10, 4), sharey=True, squeeze=False)
    for name, axis in zip(names, axes[0], strict=True):
        for run in sorted((run for run in runs if run.game == name), key=lambda run: run.kind):
            seen = [point for point in run.points if point.seconds > 0]
            seconds, losses = [p.seconds for p in seen], [p.exploitability for p in seen]
            label = f"{run.learner}, {run.engine}, {run.device}"
            axis.plot(seconds, losses, "--" if run.engine == "batch" else "-", label=label)
        for mark in MARKS:
            axis.axhline(mark, color="grey", linewidth=0.5)
        axis.set(xscale="log", yscale="log", title=load(name).title, xlabel="seconds of learning")
        axis.legend(fontsize="x-small")
    axes[0][0].set_ylabel("exploitability, exact")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--learner", nargs="+", choices=LEARNERS, default=list(LEARNERS))
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--batch", type=int, help="how many games are played side by side")
    parser.add_argument("--data", type=Path, default=ROOT / "docs" / "data" / "learning.json")
    parser.add_argument("--picture", type=Path, default=ROOT / "docs" / "pictures" / "learning.svg")
    asked = parser.parse_args()
    runs = read(asked.data)
    wanted = [(g, e, k) for g in asked.games for e in asked.engine for k in asked.learner]
    for game, engine, kind in wanted if asked.minutes else []:
        recipe = LEARNERS[kind]
        recipe = replace(recipe, games=asked.batch) if asked.batch else recipe
        runs = with_run(runs, measured(game, engine, kind, recipe, asked.minutes))
        write(asked.data, runs)
        print(table(runs[-1:]).splitlines()[-1], flush=True)
    print(table(runs))
    try:
        draw(asked.picture, runs)
    except ModuleNotFoundError:
        print("Matplotlib is not installed, so nothing is drawn.")


if __name__ == "__main__":
    main()
