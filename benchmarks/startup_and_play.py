"""How fast the program starts, and how fast games are played, side by side in one run.

    python benchmarks/startup_and_play.py [--seconds 2]

Start-up is a ratio to `python -c pass` on the same machine. Random play is counted
through the bare rules and through `Match`, which checks, records and draws.
"""

from __future__ import annotations

import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from random import Random
from statistics import median

import number_duels as nd
from number_duels.core.randomness import sample


def start_up(*arguments: str) -> float:
    """Median seconds of a command over alternating runs."""
    times = []
    for _ in range(21):
        begin = time.perf_counter()
        subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
        times.append(time.perf_counter() - begin)
    return median(times)


def by_rules(game: nd.AnyGame, rng: Random) -> None:
    """One random game through the bare rules."""
    state = game.start(rng)
    while not isinstance(turn := game.turn(state), nd.Outcome):
        if isinstance(turn, nd.Chance):
            state = game.drawn(state, sample(turn.odds, rng))
        else:
            moves = {seat: rng.choice(options) for seat, options in turn.options.items()}
            state = game.resolve(state, moves)


def by_match(game: nd.AnyGame, rng: Random) -> None:
    """One random game through a match."""
    match = nd.Match(game, seed=rng.randrange(2**32))
    while not isinstance(turn := match.turn, nd.Outcome):
        if isinstance(turn, nd.Chance):
            match.draw()
        else:
            for seat, options in turn.options.items():
                match.submit(seat, rng.choice(options))


def games_per_second(
    play: Callable[[nd.AnyGame, Random], None], name: str, seconds: float
) -> float:
    """How many random games fit into a second."""
    game, rng, played = nd.load(name), Random(7), 0
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        play(game, rng)
        played += 1
    return played / (time.perf_counter() - begin)


def main() -> None:
    """Print both tables."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    seconds = parser.parse_args().seconds
    bare, listed = start_up("-c", "pass"), start_up("-m", "number_duels", "list")
    print(f"python -c pass {bare * 1000:6.1f} ms")
    print(f"duels list     {listed * 1000:6.1f} ms   {listed / bare:.1f} times as long\n")
    print(f"{'random games a second':24}{'rules':>10}{'Match':>10}{'ratio':>8}")
    for name in nd.games():
        rules = games_per_second(by_rules, name, seconds)
        match = games_per_second(by_match, name, seconds)
        print(f"{name:24}{rules:10,.0f}{match:10,.0f}{rules / match:8.1f}")


if __name__ == "__main__":
    main()
