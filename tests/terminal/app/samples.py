"""Saved games that are the same on every machine and every day."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from number_duels.core.match import Match
from number_duels.core.record import Person, Record
from number_duels.games import load
from number_duels.terminal.saves import games_folder

ANN = Person("Ann")
COMPUTER = Person("Computer", "level:2")
#: The name of a game, its deal, its moves, who played.
GAMES = (
    ("number-knot", None, "A2 S8 S9 S4", (ANN, COMPUTER)),
    ("number-knot", None, "S8 A9 S6 A3 S5 A1 S4", (ANN, COMPUTER)),
    ("number-bid", None, "7/6 10/9 1/2", (ANN, Person("Bo"))),
    ("number-drop", "294753618 672159834", "8-3 7+4 9-6", (ANN, COMPUTER)),
    ("high-low-battle", None, "5/4 9/9", (ANN, Person("Computer", "perfect"))),
    ("number-stack-showdown", None, "7k 10g 5k", (ANN, Person("Computer", "random"))),
    ("number-knot", None, "S5 A3 S9", (ANN, COMPUTER)),
)


def sample_record(
    name: str, deal: str | None, moves: str, players: tuple[Person, Person], **settings: int
) -> Record:
    """A record as the program would have written it."""
    game = load(name, **settings)
    draft = Record(name, game.settings, deal, 7, players, moves, started="2026-03-01T12:00:00Z")
    return Match.from_record(game, draft).record


def save_samples() -> list[Path]:
    """Put the sample games into the folder of games, the last one as the newest."""
    return save_records(sample_record(*sample) for sample in GAMES)


def save_records(records: Iterable[Record]) -> list[Path]:
    """Put games into the folder of games, one a day."""
    folder = games_folder()
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for day, record in enumerate(records, 1):
        path = folder / f"2026030{day}-120000-000000-{record.game}.json"
        path.write_text(record.to_json().replace("2026-03-01", f"2026-03-0{day}") + "\n")
        os.utime(path, (day, day))
        paths.append(path)
    return paths


def habitual_records() -> list[Record]:
    """Three short games in which Ann always plays her highest card."""
    moves = ("4/3 3/4 2/1", "4/3 3/4 2/1", "4/1 3/2 2/4")
    who = (ANN, COMPUTER)
    return [sample_record("high-low-battle", None, one, who, cards=4, rounds=3) for one in moves]
