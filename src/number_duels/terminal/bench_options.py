"""The options of `duels bench`."""

from __future__ import annotations

from argparse import ArgumentParser

from number_duels.terminal.config import whole_number


def add_bench(bench: ArgumentParser) -> None:
    """Whom to measure, by how much, and where the results go."""
    bench.add_argument(
        "words",
        metavar="PLAYER",
        nargs="+",
        help="llm:MODEL, bot:COMMAND, py:…, policy:… or a built-in player; or: compare A B; or:"
        " verify FILE",
    )
    bench.add_argument("--suite", choices=["core-1"], default="core-1", help="default: core-1")
    bench.add_argument("--size", choices=["small", "full"], help="how much is played (full)")
    bench.add_argument("--pairs", type=whole_number, metavar="N", help="pairs against each rung")
    bench.add_argument("--positions", type=whole_number, metavar="N", help="positions of each game")
    bench.add_argument("--games", metavar="GAME", nargs="+", help="only a part of the suite")
    bench.add_argument(
        "--seed", type=whole_number, metavar="N", help="your own: new cards and positions"
    )
    bench.add_argument(
        "--variant", action="store_true", help="with --seed: settings near the usual ones"
    )
    bench.add_argument("--out", metavar="FOLDER", help="where results and report are kept")
    bench.add_argument("--workers", type=whole_number, metavar="N", help="default: one a core")
    bench.add_argument(
        "--in-flight", type=whole_number, metavar="N", help="requests to a model at a time (8)"
    )
    bench.add_argument("--json", action="store_true", help="the report as JSON")
