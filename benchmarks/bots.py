"""What a bot's process costs for each move, beside a Python function that is called directly.

Both choose the first option, in the same positions; the function is `py:`, the bots are the
examples and the least that a Python bot can be.
"""

from __future__ import annotations

import shlex
import sys
import time
from argparse import ArgumentParser
from collections.abc import Hashable
from pathlib import Path
from tempfile import TemporaryDirectory

import number_duels as nd
from number_duels.core.player import Situation, situation
from number_duels.players.bot.player import BotPlayer
from number_duels.players.external import ExternalPlayer, Limits
from number_duels.players.function import FunctionPlayer

EXAMPLES = Path(__file__).parents[1] / "examples" / "bots"
LEAST = """
import sys
print('{"type":"hello","protocol":1}', flush=True)
for line in sys.stdin:
    if line.startswith('{"type":"turn"'):
        first = line.partition('"options":["')[2].partition('"')[0]
        print('{"type":"move","move":"' + first + '"}', flush=True)
"""


def first(view: Hashable, options: tuple[Hashable, ...], history: str) -> str:  # noqa: ARG001
    """The function that is called directly."""
    return str(options[0])


def positions() -> list[Situation]:
    """The first decision of each game."""
    found = []
    for name in nd.games():
        match = nd.Match(nd.load(name), seed=1)
        while isinstance(match.turn, nd.Chance):
            match.draw()
        assert isinstance(match.turn, nd.Decision)
        found.append(situation(match, next(iter(match.turn.options))))
    return found


def microseconds(player: ExternalPlayer, here: Situation, seconds: float) -> float:
    """The time of one move: the quickest fifth is below it, where little disturbs."""
    player.choose(here)  # whatever has to start has started now
    times = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        began = time.perf_counter()
        player.choose(here)
        times.append(time.perf_counter() - began)
    return sorted(times)[len(times) // 5] * 1e6


def starting(command: str, here: Situation) -> float:
    """Milliseconds from nothing to the first move."""
    times = []
    for _ in range(5):
        bot, began = BotPlayer(command, Limits()), time.perf_counter()
        bot.choose(here)
        times.append(time.perf_counter() - began)
        bot.close()
    return min(times) * 1000


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each figure")
    seconds = parser.parse_args().seconds
    here = positions()
    with TemporaryDirectory() as folder:
        least = Path(folder) / "least.py"
        least.write_text(LEAST, encoding="utf-8")
        commands = {
            "least.py": shlex.join([sys.executable, "-I", "-S", str(least)]),
            **{path.name: str(path) for path in sorted(EXAMPLES.iterdir())},
        }
        players: dict[str, ExternalPlayer] = {
            name: BotPlayer(c, Limits()) for name, c in commands.items()
        }
        direct = FunctionPlayer(f"{__name__}:{first.__name__}", Limits())
        print(f"{'microseconds a move':24}{'py:':>8}" + "".join(f"{n:>22}" for n in players))
        for one in here:
            base = microseconds(direct, one, seconds)
            row = f"{one.game.name:24}{base:8.1f}"
            for player in players.values():
                took = microseconds(player, one, seconds)
                row += f"{took:10.1f} ({took / base:5.1f} x)".rjust(22)
            print(row)
        for player in players.values():
            player.close()
        print(
            f"{'first move, ms':32}"
            + "".join(f"{starting(c, here[0]):22.0f}" for c in commands.values())
        )


if __name__ == "__main__":
    main()
