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
#: The rights to a new file: what its owner keeps to himself, and what the umask decides.
OWNER_ONLY, BY_UMASK = 0o600, 0o666
#: How much of a file is looked at to see whose it is.
MARKED_BYTES = 16 * 1024


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
def replace_file(
    path: Path, *, keep_locked: bool = False, mode: int = OWNER_ONLY
) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of `path` when the block ends well.

    It is synced and renamed as a whole; if anything goes wrong, `path` stays as it was. With
    `keep_locked` the file stays open and locked, and its lock is the caller's to let go.
    """
    draft_path = path.with_name(f".duels-{os.urandom(8).hex()}.part")
    draft = open_new(draft_path, mode)
    try:
        if keep_locked:
            fcntl.flock(draft, fcntl.LOCK_EX)
        yield draft
        draft.flush()
        os.fsync(draft.fileno())
        draft_path.replace(path)
    except BaseException:
        draft_path.unlink(missing_ok=True)
        with suppress(OSError):  # what could not be written cannot be flushed either
            draft.close()
        raise
    sync_folder(path.parent)
    if not keep_locked:
        draft.close()


def open_new(path: Path, mode: int) -> IO[bytes]:
    """A file that was not there before; nothing that lies in its place is opened or followed."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, mode), "w+b")


def append_file(path: Path, mode: int = BY_UMASK) -> IO[bytes]:
    """A file to add to; a link that lies in its place is not followed."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, mode), "ab")


def append_whole(file: IO[bytes], data: bytes) -> None:
    """Add to a locked file: all of it is on disk when this returns, or the file is as it was."""
    size = os.fstat(file.fileno()).st_size
    left = memoryview(data)
    try:
        while left:
            left = left[os.write(file.fileno(), left) :]
        os.fsync(file.fileno())
    except BaseException:
        os.ftruncate(file.fileno(), size)
        raise


def check_replaceable(path: Path, mark: bytes, what: str) -> None:
    """Refuse to write over what is not ours: our own files have a mark near their beginning."""
    if not path.exists():
        return
    beginning = b"?"
    if path.is_file():
        with path.open("rb") as file:
            beginning = file.read(MARKED_BYTES)
    if beginning and mark not in beginning:
        raise ValueError(f"{path} exists and is not {what}; name another file, or move it away.")


def sync_folder(folder: Path) -> None:
    """Make a rename last through a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems cannot sync a folder
            os.fsync(handle)
    finally:
        os.close(handle)


def wait_for_lock(file: IO[bytes], *, shared: bool = False) -> None:
    """Lock an open file until it is closed, after whoever holds it; readers can share it."""
    fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)


def try_lock(file: IO[bytes] | IO[str]) -> bool:
    """Lock an open file until it is closed; False if another process holds it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
