"""The options of `duels train`."""

from __future__ import annotations

from argparse import ArgumentParser

from number_duels.terminal.config import SETTING, whole_number


def add_train(train: ArgumentParser) -> None:
    """What is trained, of which game, and how it is answered."""
    train.add_argument("game", metavar="GAME", nargs="?", help="default: the one played last")
    what = train.add_mutually_exclusive_group()
    what.add_argument("--book", action="store_true", help="what is due today in your book")
    what.add_argument("--puzzles", action="store_true", help="positions with a trap in them")
    what.add_argument("--daily", action="store_true", help="the puzzle of the day")
    what.add_argument("--lesson", action="store_true", help="the game in a few minutes")
    what.add_argument(
        "--add", metavar="FILE", nargs="+", help="mistakes of recorded games into your book"
    )
    what.add_argument("--merge", metavar="FILE", help="take in the book of another machine")
    what.add_argument("--export", metavar="FILE", help="write your book to a file")
    train.add_argument("--name", metavar="NAME", help="with --add: whose mistakes")
    add_scope(train)
    train.add_argument("--json", action="store_true", help="with --book, --puzzles or --daily")


def add_scope(train: ArgumentParser) -> None:
    """Which positions come up."""
    train.add_argument("--phase", choices=["opening", "middle", "end"], help="a part of the game")
    train.add_argument("--level", choices=["easy", "medium", "hard"], help="how hard they are")
    train.add_argument(
        "--as",
        dest="form",
        choices=["move", "mixture"],
        default="move",
        help="how you answer: a move, or how often you choose what",
    )
    train.add_argument(
        "--moves", metavar="TEXT", help="one spot, again and again: the turns so far"
    )
    train.add_argument("--seat", choices=["1", "2"], help="with --moves: who decides")
    train.add_argument("--deal", metavar="TEXT", help="with --moves: what was dealt")
    train.add_argument(
        "--grade", choices=["1", "2", "3", "4", "5"], help="with --puzzles: how hard"
    )
    train.add_argument("--first", choices=["1", "2"], help="who takes the first turn")
    train.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help=SETTING)
    train.add_argument(
        "--count", type=whole_number, metavar="N", help="how many (10; with --moves 20)"
    )
    train.add_argument(
        "--seed", type=whole_number, metavar="N", help="the same seed brings the same positions"
    )
