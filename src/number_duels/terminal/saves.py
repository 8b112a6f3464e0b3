"""Read, write, find and delete saved games."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, NamedTuple

from number_duels.core.input_files import MAX_RECORDS_BYTES, decoded, read_lines
from number_duels.core.player import AnyMatch
from number_duels.core.questions import Prompt
from number_duels.core.record import Record, shown_names
from number_duels.core.storage import data_folder, replace_file, try_lock
from number_duels.core.text import printable
from number_duels.games import find
from number_duels.terminal.errors import CommandError, file_errors, refusing
from number_duels.terminal.line.console import Console, Quit, command_in


def games_folder() -> Path:
    return data_folder() / "games"


def new_path(game: str) -> Path:
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    return games_folder() / f"{now}-{game}.json"


class SaveFile:
    """The file of one match. It is locked, so that only one window can play the match."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._locked: IO[bytes] | None = None

    @property
    def is_unnamed(self) -> bool:
        """Return whether the program, not the user, chose the path."""
        return self.path.parent == games_folder()

    def write(self, match: AnyMatch) -> None:
        # If writing fails, the old file stays.
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with replace_file(self.path, keep_locked=True) as file:
                file.write(f"{match.record.to_json()}\n".encode())
        except OSError as error:
            raise CommandError(
                f"The game cannot be saved to {self.path} ({error.strerror});"
                " name another file with --save."
            ) from None
        self.release()
        self._locked = file

    def lock(self) -> None:
        """Lock an existing file. Raise CommandError if another window has locked it."""
        with file_errors(self.path, "read"):
            file = self.path.open("rb")
        # Another window may have replaced the file since it was opened.
        if not try_lock(file) or not is_at(file, self.path):
            file.close()
            raise CommandError(f"{name_of(self.path)} is being played in another window.") from None
        self._locked = file

    def release(self) -> None:
        if self._locked:
            self._locked.close()
            self._locked = None

    def discard(self) -> None:
        self.release()
        self.path.unlink(missing_ok=True)


def path_named(text: str) -> Path:
    return Path(os.path.expanduser(text))  # noqa: PTH111  # Path.expanduser raises


def new_save(match: AnyMatch, path: Path | None = None) -> SaveFile:
    path = path or new_path(match.game.name)
    if os.path.lexists(path):
        raise CommandError(f"{path} exists already; name another file.")
    save = SaveFile(path)
    save.write(match)
    return save


def is_at(file: IO[bytes], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except OSError:
        return False


class Saved(NamedTuple):
    where: str
    record: Record


def read_records(path: Path) -> list[Saved]:
    """Read a file with one record per line. Raise CommandError if it contains anything else."""
    not_a_record = f"{path} is not a game record: "
    with file_errors(path, "read"), refusing(not_a_record), path.open("rb") as file:
        lines = enumerate(map(decoded, read_lines(file, MAX_RECORDS_BYTES)), 1)
        written = [(n, line) for n, line in lines if line.strip()]
    if not written:
        raise CommandError(f"{not_a_record}it is empty.")
    records = []
    for n, line in written:
        where = f"{path}, line {n}" if len(written) > 1 else str(path)
        with refusing(f"{where} cannot be used: "):
            records.append(Saved(where, Record.from_json(line)))
    return records


def name_of(path: Path) -> str:
    try:
        record = read_records(path)[0].record
        title = find(record.game).title
    except (CommandError, ValueError):
        return path.name
    return f"{title}, {' and '.join(shown_names(record.players))},"


def rebuild(saved: Saved) -> AnyMatch:
    """Replay a record and return the match. Raise CommandError if a move breaks the rules."""
    with refusing(f"{saved.where} cannot be used: "):
        return saved.record.match()


class SavedGame(NamedTuple):
    path: Path
    record: Record
    turns: int
    opponent: str
    standing: str

    @property
    def when(self) -> str:
        try:
            started = datetime.fromisoformat(self.record.started).astimezone()
        except (ValueError, OverflowError):  # a file may contain any text
            return printable(self.record.started)
        return started.strftime("%Y-%m-%d %H:%M")

    def mentions(self, word: str) -> bool:
        names = (person.name for person in self.record.players)
        shown = (self.path.name, self.record.game, self.opponent, self.standing, self.when, *names)
        return any(word.casefold() in text.casefold() for text in shown)


def saved_games() -> Iterator[SavedGame]:
    """Yield the saved games that have at least one move, newest first."""
    with suppress(OSError):
        for path in sorted(games_folder().glob("*.json"), key=mtime, reverse=True):
            with suppress(CommandError):
                saved = read_records(path)[0]
                if not saved.record.moves:
                    continue
                turns = sum(bool(step.moves) for step in rebuild(saved).history.steps)
                record = saved.record
                yield SavedGame(path, record, turns, opponent(record), ending(record))


def find_saves(search: str = "") -> list[SavedGame]:
    words = search.split()
    return [game for game in saved_games() if all(map(game.mentions, words))]


def opponent(record: Record) -> str:
    people = [one.who == "human" for one in record.players]
    shown = [one.name if one.who == "human" else printable(one.who) for one in record.players]
    return shown[people.index(False)] if sum(people) == 1 else " and ".join(shown)


def ending(record: Record, names: tuple[str, str] | None = None) -> str:
    one, two = names or shown_names(record.players)
    ends = {"1-0": f"{one} won", "0-1": f"{two} won", "1/2-1/2": "a draw", "*": "unfinished"}
    return ends[record.result]


def saved_path(named: str) -> Path:
    """Return `named` as a path. If only a saved game has this name, return that game's path."""
    path = Path(named)
    kept = games_folder() / named
    return kept if not os.path.lexists(path) and os.path.lexists(kept) else path


def delete_save(path: Path) -> None:
    save = SaveFile(path)
    save.lock()
    try:
        if len(found := read_records(path)) > 1:
            raise CommandError(f"{path} holds {len(found)} games, so it was not deleted.")
        with file_errors(path, "deleted"):
            path.unlink()
    finally:
        save.release()


def mtime(path: Path) -> float:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def latest(*, finished: bool = False) -> Path:
    for game in saved_games():
        if not finished or game.record.result != "*":
            return game.path
    what, do = ("finished game", "finish") if finished else ("game", "play")
    raise CommandError(f"No {what} is saved yet; {do} one, or name a file.")


def latest_unfinished() -> Path | None:
    found = (game.path for game in saved_games() if game.record.result == "*")
    return next(found, None)


OTHER_FILE = "Type the name of another file, or press Enter to continue without saving: "


class GameSaver:
    def __init__(self, console: Console, file: SaveFile | None) -> None:
        self.console = console
        self.file = file

    @property
    def about(self) -> str:
        if self.file is None:
            return "This game is not saved."
        return f"Every finished turn is saved at once, in {self.file.path}."

    def write(self, match: AnyMatch) -> None:
        if self.file is None:
            return
        try:
            self.file.write(match)
        except CommandError as error:
            if not self.console.keyboard:
                raise
            self.write_elsewhere(match, str(error))

    def write_elsewhere(self, match: AnyMatch, problem: str) -> None:
        while True:
            reason = f"{problem.partition(';')[0]}."
            named = self.console.ask(Prompt(OTHER_FILE, reason=reason)).strip()
            if command_in(named) == "quit":
                raise Quit
            self.release()
            if not named:
                self.file = None
                return
            path = path_named(named)
            try:
                self.file = new_save(match, path)
            except CommandError as error:
                problem = str(error)
                continue
            self.console.say([f"The game is saved in {path} from now on."])
            return

    def release(self) -> None:
        if self.file:
            self.file.release()
