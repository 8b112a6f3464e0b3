"""How fast the program starts, and how fast games are played, side by side in one run.

    python benchmarks/startup_and_play.py [--seconds 2]

`duels list` may take 8 times as long as `python -c pass`, and the first screen of the
application half a second more than Textual's own hello world; each pair is started by turns.
Random play is counted through the bare rules and through `Match`, which checks, records and
draws.
"""

from __future__ import annotations

import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from random import Random
from statistics import median

from first_screen import HELLO_WORLD, seconds_to_first_screen

import number_duels as nd
from number_duels.core.randomness import sample


def seconds_to_end(command: Sequence[str]) -> float:
    """How long a command takes."""
    begin = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begin


def by_turns(
    measure: Callable[[Sequence[str]], float], *commands: Sequence[str], runs: int
) -> list[float]:
    """The median of each command; started by turns, so that a busy machine hits all alike."""
    rounds = [[measure([sys.executable, *command]) for command in commands] for _ in range(runs)]
    return [median(times) for times in zip(*rounds, strict=True)]


def print_start_up() -> None:
    """Both pairs, each with what it may cost."""
    nothing, listed = ["-c", "pass"], ["-m", "number_duels", "list"]
    bare, ours = by_turns(seconds_to_end, nothing, listed, runs=21)
    print(f"{'python -c pass':28}{bare * 1000:8.1f} ms")
    print(f"{'duels list':28}{ours * 1000:8.1f} ms   {ours / bare:.1f} times (at most 8)")
    hello, app = ["-c", HELLO_WORLD], ["-m", "number_duels", "--calm"]
    bare, ours = by_turns(seconds_to_first_screen, hello, app, runs=11)
    print(f"{'Textual, hello world':28}{bare * 1000:8.1f} ms")
    print(f"{'duels, first screen':28}{ours * 1000:8.1f} ms   {ours - bare:+.2f} s (at most 0.5)\n")


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
    print_start_up()
    print(f"{'random games a second':24}{'rules':>10}{'Match':>10}{'ratio':>8}")
    for name in nd.games():
        rules = games_per_second(by_rules, name, seconds)
        match = games_per_second(by_match, name, seconds)
        print(f"{name:24}{rules:10,.0f}{match:10,.0f}{rules / match:8.1f}")


if __name__ == "__main__":
    main()
