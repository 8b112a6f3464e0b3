"""How long it takes to solve each game, and how much memory, in processes of their own.

python benchmarks/solving.py                    every game: from nothing, and opened again
python benchmarks/solving.py --growth FILE.svg  how both grow with the settings
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from number_duels import games

#: What a fresh process does; it reports what it saw of itself.
CODE = """
import json, resource, sys
from number_duels import load
from number_duels.solvers import solve
name, settings = sys.argv[1], json.loads(sys.argv[2])
game = load(name, **settings)
solution = solve(game)
value = solution.value(game.start())
kibibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([value, solution.states, solution.cached, kibibytes / 1024]))
"""

#: One setting of a game, and the values it takes; other settings are the defaults.
GROWTH: list[tuple[str, str, list[int]]] = [
    ("number-bid", "numbers", [4, 6, 8, 10, 12, 14, 16]),
    ("high-low-battle", "cards", [5, 6, 7, 8, 9, 10, 11]),
    ("number-stack-showdown", "target", [10, 20, 30, 40, 50, 60, 70]),
    ("number-stack-showdown", "copies", [1, 2, 3, 4, 5]),
]


class Run(NamedTuple):
    """One process: how long it took from start to end, and what it found."""

    seconds: float
    value: float
    states: int
    cached: bool
    megabytes: float


def run(name: str, folder: str, settings: dict[str, int] | None = None) -> Run:
    """Solve a game in a fresh process, with nothing but the given cache folder to help it."""
    environment = {**os.environ, "XDG_CACHE_HOME": folder, "NUMBA_CACHE_DIR": folder}
    began = perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", CODE, name, json.dumps(settings or {})],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = perf_counter() - began
    if done.returncode:
        raise SystemExit(done.stderr.splitlines()[-1])
    value, states, cached, megabytes = json.loads(done.stdout)
    return Run(seconds, value, states, cached, megabytes)


def table(repeats: int) -> None:
    """Print every game at its defaults: the best of some runs, each from nothing."""
    print("from the start of a process to its end, best of", repeats)
    heads = f"{'game':22} {'value':>12} {'states':>12}"
    print(heads, f"{'solved s':>9} {'MB':>6} {'opened s':>9} {'MB':>6}")
    for name in games():
        cold, warm = [], []
        for _ in range(repeats):
            with TemporaryDirectory() as folder:
                cold.append(run(name, folder))
                warm.append(run(name, folder))
        assert not any(r.cached for r in cold)
        assert all(r.cached for r in warm)
        solved, opened = min(cold), min(warm)
        print(
            f"{name:22} {solved.value:12.9f} {solved.states:12,} {solved.seconds:9.2f} "
            f"{max(r.megabytes for r in cold):6.0f} {opened.seconds:9.2f} {opened.megabytes:6.0f}"
        )


def growth(file: Path) -> None:
    """Plot seconds and memory against the settings that make games grow."""
    found = [[grown(name, setting, value) for value in values] for name, setting, values in GROWTH]
    # Only now: a process is said to have used the memory that its parent had when it began.
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(2, len(GROWTH), figsize=(4 * len(GROWTH), 6), sharex="col")
    for (upper, lower), (name, setting, values), runs in zip(panels.T, GROWTH, found, strict=True):
        upper.semilogy(values, [r.seconds for r in runs], "o-")
        lower.semilogy(values, [r.megabytes for r in runs], "o-")
        upper.set(title=name, ylabel="seconds")
        lower.set(xlabel=setting, ylabel="megabytes")
        for panel in (upper, lower):
            panel.grid(visible=True, which="both", alpha=0.3)
    figure.tight_layout()
    figure.savefig(file)
    print(f"drawn to {file}")


def grown(name: str, setting: str, value: int) -> Run:
    """Solve a game with one setting changed, from nothing, and say how it went."""
    with TemporaryDirectory() as folder:
        found = run(name, folder, {setting: value})
    print(f"{name} {setting}={value}: {found.states:,} states, ", end="")
    print(f"{found.seconds:.2f} s, {found.megabytes:.0f} MB", flush=True)
    return found


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--growth", type=Path, metavar="FILE", help="plot growth to an SVG or PNG")
    parser.add_argument("--repeats", type=int, default=3, help="runs of which the best counts")
    arguments = parser.parse_args()
    if arguments.growth:
        growth(arguments.growth)
    else:
        table(arguments.repeats)


if __name__ == "__main__":
    main()
