"""Games that were left, for programs in a terminal to go on with."""

from __future__ import annotations

from pathlib import Path

from number_duels.core.record import Person, Record
from number_duels.games import load
from tests.terminal.desk import Desk


def keep_unfinished(desk: Desk, name: str, moves: str, deal: str | None = None) -> Path:
    """An unfinished game of Ann and Bo, in the same file on every desk."""
    players = (Person("Ann"), Person("Bo"))
    record = Record(name, load(name).settings, deal, 7, players, moves, started="2026-03-01")
    desk.games.mkdir(parents=True, exist_ok=True)
    path = desk.games / f"20260301-120000-000000-{name}.json"
    path.write_text(record.to_json() + "\n", encoding="utf-8")
    return path
