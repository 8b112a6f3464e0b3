"""Games that were left, for programs in a terminal to go on with."""

from __future__ import annotations

from pathlib import Path

from number_duels.core.record import Person, Record
from number_duels.games import load
from tests.terminal.desk import Desk


def keep(desk: Desk, record: Record) -> Path:
    """A game among the saved ones, in the same file on every desk."""
    desk.games.mkdir(parents=True, exist_ok=True)
    path = desk.games / f"20260301-120000-000000-{record.game}.json"
    path.write_text(record.to_json() + "\n", encoding="utf-8")
    return path


def keep_unfinished(desk: Desk, name: str, moves: str, deal: str | None = None) -> Path:
    """An unfinished game of Ann and Bo."""
    players = (Person("Ann"), Person("Bo"))
    settings = load(name).settings
    return keep(desk, Record(name, settings, deal, 7, players, moves, started="2026-03-01"))
