"""The command `duels export`, which writes positions and their exact solutions."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from number_duels.bench.dataset import draw_dataset, row_of
from number_duels.core.progress_bar import progress_bar
from number_duels.core.storage import BY_UMASK, check_replaceable, replace_file
from number_duels.core.text import counted
from number_duels.review.position import AnySolution
from number_duels.terminal.arguments import make_game
from number_duels.terminal.errors import DONE, CommandError, file_errors, usage
from number_duels.terminal.line.console import note
from number_duels.terminal.line.progress import solved
from number_duels.trainer.spot import Spot

#: Text near the start of every file of positions. A file without it is not overwritten.
MARK = b'"prompt": '


def export(args: Namespace) -> int:
    if args.count < 1:
        raise usage("--count must be at least 1.")
    game = make_game(args.game, args.set, None, 0)
    path = Path(args.out) if args.out else None
    if path:
        with file_errors(path, "written"):
            check_replaceable(path, MARK, "a file of positions")
    solution = solved(game, arrays=True)
    with progress_bar(f"Choosing positions of {game.title}") as bar:
        spots = draw_dataset(solution, args.count, args.seed, args.split or "", bar)
    if not spots:
        raise CommandError(f"{game.title} with these settings has no positions to export.")
    write(solution, spots, path)
    if len(spots) < args.count:
        note(f"Only {counted(len(spots), 'position')} of {game.title} were found.")
    return DONE


def write(solution: AnySolution, spots: Sequence[Spot], path: Path | None) -> None:
    if path is None:
        for line in lines(solution, spots):
            sys.stdout.write(line)
        return
    with file_errors(path, "written"), replace_file(path, mode=BY_UMASK) as file:
        file.writelines(line.encode() for line in lines(solution, spots))


def lines(solution: AnySolution, spots: Sequence[Spot]) -> Iterator[str]:
    with progress_bar("Writing positions") as bar:
        for done, spot in enumerate(spots):
            yield json.dumps(row_of(solution, spot)) + "\n"
            if not sys.stdout.isatty():  # a bar would break up the lines
                bar(done / len(spots))
