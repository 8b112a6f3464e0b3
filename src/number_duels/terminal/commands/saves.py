"""The command `duels saves`, which lists the saved games or deletes one."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence

from number_duels.games import find
from number_duels.players.registry import full_name
from number_duels.terminal.errors import DONE, refusing
from number_duels.terminal.line.console import (
    Console,
    aligned,
    breadth,
    command,
    confirmed,
    note,
    print_json,
    suggest,
)
from number_duels.terminal.saves import (
    SavedGame,
    delete_save,
    ending,
    find_saves,
    opponent,
    read_records,
    saved_path,
)

HEADINGS = ("started", "game", "opponent", "result", "turns", "file")


def show_saves(args: Namespace) -> int:
    if args.delete is not None:
        return delete(args.delete, Console(plain=args.plain), yes=args.yes)
    found = find_saves(" ".join(args.search))
    if args.json:
        print_json([save_json(game) for game in found])
        return DONE
    if not found:
        words = " ".join(args.search)
        start = f"No game is saved yet; play one: {command('play', 'GAME')}"
        note(f"No saved game matches {words!r}." if words else start)
        return DONE
    console = Console(plain=args.plain)
    console.draw(table(found, console))
    next_step(found)
    return DONE


def save_json(game: SavedGame) -> dict[str, object]:
    record = game.record.as_object()
    one, two = game.record.players
    kept = ("game", "settings", "players", "result", "reason", "started", "takebacks", "hints")
    return {
        "file": str(game.path),
        "opponent": game.opponent,
        "standing": ending(game.record, (one.name, two.name)),
        "turns": game.turns,
        **{name: record[name] for name in kept if name in record},
    }


def table(found: Sequence[SavedGame], console: Console) -> Iterator[str]:
    rows = [HEADINGS, *map(columns, found)]
    lines = list(aligned(rows))
    narrow = sys.stdout.isatty() and max(map(breadth, lines)) + 2 > console.width
    if narrow:
        lines = list(aligned(row[:-1] for row in rows))
    yield console.paint(lines[0], "bold")
    for line, row in zip(lines[1:], rows[1:], strict=True):
        yield line
        if narrow:
            yield f"  {row[-1]}"


def columns(game: SavedGame) -> tuple[str, ...]:
    title, who = title_of(game.record.game), full_name(game.opponent)
    return game.when, title, who, game.standing, str(game.turns), game.path.name


def next_step(found: Sequence[SavedGame]) -> None:
    unfinished = [game.path.name for game in found if game.record.result == "*"][:1]
    finished = [game.path.name for game in found if game.record.result != "*"][:1]
    suggest(
        *(("Go on: ", "resume", name) for name in unfinished),
        *(("Review:", "review", name) for name in finished),
        *(("Watch: ", "replay", name) for name in finished),
    )


def delete(named: str, console: Console, *, yes: bool) -> int:
    path = saved_path(named)
    record = read_records(path)[0].record
    about = f"{title_of(record.game)}, {opponent(record)}, {ending(record)}"
    if confirmed(f"Delete {path.name} ({about})?", console, yes=yes):
        delete_save(path)
        note(f"{path.name} is deleted.")
    else:
        note("Nothing was deleted.")
    return DONE


def title_of(game: str) -> str:
    with refusing():
        return find(game).title
