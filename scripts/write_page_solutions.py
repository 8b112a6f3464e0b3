"""Write the solutions that the page without a server ships, compressed with gzip.

    python scripts/write_page_solutions.py FOLDER

Each is a file of the solution cache. The page unpacks it into the cache folder of its file system.
Only games with a table of values are shipped, with their default settings.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterator
from pathlib import Path

import number_duels as nd
from number_duels.machine import find_packed
from number_duels.solvers.cache import SolutionCache
from number_duels.solvers.solution import RANDOM_PLAY


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in write(folder):
        print(f"{file.stat().st_size:9,} bytes  {file.name}")


def write(folder: Path) -> Iterator[Path]:
    for source in kept_files():
        target = folder / f"{source.name}.gz"
        target.write_bytes(gzip.compress(source.read_bytes(), mtime=0))
        yield target


def kept_files() -> Iterator[Path]:
    """Solve the games, and yield the files that the cache keeps."""
    for name in nd.games():
        game = nd.load(name)
        packed = find_packed(game)
        if packed is None or packed.rules.codes is None:
            continue
        # Who moves first changes neither the values nor the name of the file.
        tables = nd.solve(game).tables
        method = tables.method
        yield SolutionCache(game, method.identity).path()
        if tables.derive(RANDOM_PLAY, method.tabulate_random_play, method.open_random_play):
            yield SolutionCache(game, f"{RANDOM_PLAY} {method.identity}").path()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
