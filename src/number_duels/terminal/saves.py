"""Games on disk: written whole and renamed into place before anything is shown."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, NamedTuple

from number_duels.core.match import Match
from number_duels.core.player import AnyMatch
from number_duels.core.record import Record
from number_duels.games import load
from number_duels.terminal.errors import CommandError


def xdg(variable: str, default: str) -> Path:
    """The program's own folder below one of the XDG folders."""
    named = os.environ.get(variable, "")
    root = Path(named) if Path(named).is_absolute() else Path.home() / default
    return root / "number-duels"


def games_folder() -> Path:
    """Where games are kept that were not given a file."""
    return xdg("XDG_DATA_HOME", ".local/share") / "games"


def new_path(game: str) -> Path:
    """A file for a new game, named so that the newest sorts last."""
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    return games_folder() / f"{now}-{game}.json"


class Keeper:
    """Keeps one match on disk; holds a lock, so that it is played at one table only."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held: IO[str] | None = None

    def keep(self, match: AnyMatch) -> None:
        """Write the whole record, sync it, and rename it into place."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.replace(match.record.to_json() + "\n")
        except OSError as error:
            raise CommandError(
                f"The game cannot be saved to {self.path} ({error.strerror});"
                " name another file with --save."
            ) from None

    def replace(self, text: str) -> None:
        """The file as a whole, or as it was before."""
        draft = NamedTemporaryFile(  # noqa: SIM115  # it stays open: it holds the lock
            "w", encoding="utf-8", dir=self.path.parent, prefix=".duels-", delete=False
        )
        try:
            fcntl.flock(draft, fcntl.LOCK_EX)
            draft.write(text)
            draft.flush()
            os.fsync(draft.fileno())
            Path(draft.name).replace(self.path)
        except BaseException:
            Path(draft.name).unlink(missing_ok=True)
            with suppress(OSError):  # what could not be written cannot be flushed either
                draft.close()
            raise
        sync_folder(self.path.parent)
        self.release()
        self._held = draft

    def take(self) -> None:
        """Lock a game that is on disk already."""
        try:
            held = self.path.open(encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{self.path} cannot be read: {error.strerror}.") from None
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Another table may have renamed a newer file into place since it was opened.
            if not os.path.samestat(os.fstat(held.fileno()), self.path.stat()):
                raise OSError
        except OSError:
            held.close()
            raise CommandError(f"{self.path} is being played in another window.") from None
        self._held = held

    def release(self) -> None:
        """Let another table have the game."""
        if self._held:
            self._held.close()
            self._held = None

    def discard(self) -> None:
        """Remove a game in which nothing happened."""
        self.release()
        self.path.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make a rename last through a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems cannot sync a folder
            os.fsync(handle)
    finally:
        os.close(handle)


class Saved(NamedTuple):
    """A record, and where it stands: its file, and its line in a file of many."""

    where: str
    record: Record


def read_records(path: Path) -> list[Saved]:
    """The records of a file, one a line; anything else is refused and left as it is."""
    try:
        # Not splitlines: JSON may hold other characters that end a line for Python.
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"{path} is not a record of a game: it is not text.") from None
    written = [(n, line) for n, line in enumerate(lines, 1) if line.strip()]
    if not written:
        raise CommandError(f"{path} is not a record of a game: it is empty.")
    records = []
    for n, line in written:
        where = f"{path}, line {n}" if len(written) > 1 else str(path)
        try:
            records.append(Saved(where, Record.from_json(line)))
        except ValueError as error:
            raise CommandError(f"{where} cannot be used: {error}") from None
    return records


def rebuild(saved: Saved) -> AnyMatch:
    """The match of a record; a record that breaks the rules is refused, naming the turn."""
    try:
        game = load(saved.record.game, **saved.record.settings)
        return Match.from_record(game, saved.record)
    except ValueError as error:
        raise CommandError(f"{saved.where} cannot be used: {error}") from None


def saved_games() -> Iterator[tuple[Path, Record]]:
    """The games in the folder, newest first; files that are not games are passed over."""
    with suppress(OSError):
        for path in sorted(games_folder().glob("*.json"), key=mtime, reverse=True):
            with suppress(CommandError):
                saved = read_records(path)[0]
                rebuild(saved)
                yield path, saved.record


def mtime(path: Path) -> float:
    """When a file was last written; a file that has gone is the oldest."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def latest() -> Path:
    """The game that was played last."""
    found = next((path for path, record in saved_games() if record.moves), None)
    if found is None:
        raise CommandError("No game is kept yet; play one, or name a file.")
    return found


def latest_unfinished() -> Path | None:
    """The game that was interrupted last."""
    return next((path for path, record in saved_games() if record.result == "*"), None)
