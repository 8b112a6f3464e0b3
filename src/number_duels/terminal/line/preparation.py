"""A game's solution made ready: a word before it takes much room, a bar while it takes long."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from number_duels.core.game import AnyGame
from number_duels.games import load
from number_duels.solvers.solver import LARGE_CACHE_BYTES, bytes_to_cache, solve
from number_duels.terminal.line.console import command, note, thinking
from number_duels.terminal.line.progress import progress_bar

#: Whoever plays meanwhile comes first.
BACKGROUND_NICENESS = 10


@contextmanager
def preparation(label: str, game: AnyGame) -> Iterator[Callable[[float], None]]:
    """A bar for a game that may have to be solved first; it starts at once where it has to."""
    growth = announce_size(game)
    with thinking(), progress_bar(label, at_once=growth > 0) as report:
        yield report


def announce_size(game: AnyGame) -> int:
    """Say on a terminal what a large solution will take; how many bytes any will."""
    growth = 0
    with suppress(ValueError):  # a game that cannot be solved says so when it is
        growth = bytes_to_cache(game)
    if growth > LARGE_CACHE_BYTES and sys.stderr.isatty():
        note(f"{game.title} is solved once, which takes less than a minute.")
        note(f"Its solution takes {growth // 1_000_000} MB in the cache; see: {command('cache')}")
    return growth


class BackgroundPreparation:
    """A game is solved in another process while its player still chooses."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.title = load(game).title
        self.process = subprocess.Popen(
            [sys.executable, "-m", __name__, game],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C at the menu is not meant for it
        )

    def wait(self) -> None:
        """Wait until the solution is there, with a bar; if it fails, the game itself says why."""
        if self.process.stdout is None or self.process.poll() is not None:
            return
        with thinking(), progress_bar(f"Preparing {self.title}", at_once=True) as report:
            for percent in self.process.stdout:
                report(int(percent) / 100)
        self.process.wait()

    def stop(self) -> None:
        """End it, wherever it is; a solution is kept whole or not at all."""
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


def main() -> None:
    """Solve the game that is named, and print each percent that is done."""
    os.nice(BACKGROUND_NICENESS)
    shown = -1

    def report(fraction: float) -> None:
        nonlocal shown
        if (percent := int(100 * fraction)) > shown:
            shown = percent
            print(percent, flush=True)

    solve(load(sys.argv[1]), progress=report)


if __name__ == "__main__":
    main()
