"""Write the solutions that the page without a server ships, compressed with gzip.

    python scripts/write_page_solutions.py FOLDER

Each is a file of the solution cache. The page unpacks it into the cache folder of its file system.
All games have their default settings. Solving Number Stack Showdown takes a minute.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import number_duels as nd
from number_duels.machine import find_packed
from number_duels.solvers.cache import SolutionCache, checked_numbers
from number_duels.solvers.kernels import find_plain_kernel
from number_duels.solvers.kernels.number_stack_showdown_plain import PlainKernel
from number_duels.solvers.solution import RANDOM_PLAY


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for file in write(folder, nd.games()):
        print(f"{file.stat().st_size:9,} bytes  {file.name}")


def write(folder: Path, names: Iterable[str]) -> Iterator[Path]:
    for name in names:
        for source in kept_files(name):
            target = folder / f"{source.name}.gz"
            target.write_bytes(gzip.compress(source.read_bytes(), mtime=0))
            yield target


def kept_files(name: str) -> Iterator[Path]:
    """Solve a game, and yield the files in the cache that plain Python can read."""
    game = nd.load(name)
    if find_packed(game) is None:
        return
    tables = nd.solve(game).tables
    method, plain = tables.method, find_plain_kernel(game, 0, "")
    if isinstance(plain, PlainKernel):
        starts, values = tables.read(lambda sections: [*map(checked_numbers, sections)])
        numbers = (
            values[starts[cards.number] + place]
            for cards in plain.early_sets()
            for place in range(len(plain.open_totals(cards.total)))
        )
        early = SolutionCache(game, plain.identity)
        early.write(plain.table(numbers, tables.states))
        yield early.path()
        return
    # Who moves first changes neither the values nor the name of the file.
    yield SolutionCache(game, method.identity).path()
    if tables.derive(RANDOM_PLAY, method.tabulate_random_play, method.open_random_play):
        yield SolutionCache(game, f"{RANDOM_PLAY} {method.identity}").path()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
