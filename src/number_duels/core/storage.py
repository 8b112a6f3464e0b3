"""Folders, files that are whole or not there, and locks: the one place that knows how."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

#: How much is kept of what can be worked out again, unless `DUELS_CACHE_LIMIT` says otherwise.
DEFAULT_CACHE_MIB = 8192


def data_folder() -> Path:
    """Saved games and the server's database: under `$XDG_DATA_HOME`, or `~/.local/share`."""
    return _xdg_folder("XDG_DATA_HOME", ".local/share")


def cache_folder() -> Path:
    """What can be worked out again: under `$XDG_CACHE_HOME`, or `~/.cache`."""
    return _xdg_folder("XDG_CACHE_HOME", ".cache")


def config_folder() -> Path:
    """A user's own defaults: under `$XDG_CONFIG_HOME`, or `~/.config`."""
    return _xdg_folder("XDG_CONFIG_HOME", ".config")


def _xdg_folder(variable: str, default: str) -> Path:
    named = Path(os.environ.get(variable, ""))
    # The XDG standard tells programs to ignore a relative path.
    return (named if named.is_absolute() else Path.home() / default) / "number-duels"


@contextmanager
def replace_file(path: Path, *, keep_locked: bool = False) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of `path` when the block ends well.

    It is synced and renamed as a whole; if anything goes wrong, `path` stays as it was. With
    `keep_locked` the file stays open and locked, and its lock is the caller's to let go.
    """
    # Imported here: a plain command writes nothing, and this takes a tenth of its start.
    from tempfile import NamedTemporaryFile

    draft = NamedTemporaryFile(  # noqa: SIM115  # closed below, or kept open for its lock
        dir=path.parent, prefix=".duels-", suffix=".part", delete=False
    )
    try:
        if keep_locked:
            fcntl.flock(draft, fcntl.LOCK_EX)
        yield draft
        draft.flush()
        os.fsync(draft.fileno())
        Path(draft.name).replace(path)
    except BaseException:
        Path(draft.name).unlink(missing_ok=True)
        with suppress(OSError):  # what could not be written cannot be flushed either
            draft.close()
        raise
    sync_folder(path.parent)
    if not keep_locked:
        draft.close()


def sync_folder(folder: Path) -> None:
    """Make a rename last through a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems cannot sync a folder
            os.fsync(handle)
    finally:
        os.close(handle)


def try_lock(file: IO[bytes] | IO[str]) -> bool:
    """Lock an open file until it is closed; False if another process holds it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
