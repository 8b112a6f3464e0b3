"""Folders, atomic file writes, and file locks."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

#: The default size limit of the cache. `DUELS_CACHE_LIMIT` overrides it.
DEFAULT_CACHE_MIB = 8192
#: The permissions of a new file: for its owner only, or as the umask allows.
OWNER_ONLY, BY_UMASK = 0o600, 0o666
MARKED_BYTES = 16 * 1024


def data_folder() -> Path:
    """Return the folder for saved games and the server's database."""
    return _xdg_folder("XDG_DATA_HOME", ".local/share")


def cache_folder() -> Path:
    """Return the folder for files that can be computed again."""
    return _xdg_folder("XDG_CACHE_HOME", ".cache")


def config_folder() -> Path:
    """Return the folder for the user's own default settings."""
    return _xdg_folder("XDG_CONFIG_HOME", ".config")


def _xdg_folder(variable: str, default: str) -> Path:
    named = Path(os.environ.get(variable, ""))
    # The XDG standard tells programs to ignore a relative path.
    return (named if named.is_absolute() else Path.home() / default) / "number-duels"


@contextmanager
def replace_file(
    path: Path, *, keep_locked: bool = False, mode: int = OWNER_ONLY
) -> Iterator[IO[bytes]]:
    """Yield a new file that replaces `path` if the block succeeds. Otherwise, `path` is unchanged.

    With `keep_locked`, the file stays locked until the caller closes it.
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
        with suppress(OSError):  # closing flushes, which may fail again
            draft.close()
        raise
    sync_folder(path.parent)
    if not keep_locked:
        draft.close()


def open_new(path: Path, mode: int) -> IO[bytes]:
    """Create a file and open it. Raise FileExistsError if the path exists, even as a link."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, mode), "w+b")


def append_file(path: Path, mode: int = BY_UMASK) -> IO[bytes]:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, mode), "ab")


def append_whole(file: IO[bytes], data: bytes) -> None:
    """Append data to a locked file and sync it. If that fails, undo the append."""
    size = os.fstat(file.fileno()).st_size
    left = memoryview(data)
    try:
        while left:
            left = left[os.write(file.fileno(), left) :]
        os.fsync(file.fileno())
    except BaseException:
        os.ftruncate(file.fileno(), size)
        raise


def ends_with_newline(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 1))
        return file.read(1) in (b"", b"\n")


def check_replaceable(path: Path, mark: bytes, what: str) -> None:
    if not path.exists():
        return
    beginning = b"?"
    if path.is_file():
        with path.open("rb") as file:
            beginning = file.read(MARKED_BYTES)
    if beginning and mark not in beginning:
        raise ValueError(f"{path} already exists and is not {what}; choose another file.")


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that a rename survives a power failure."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems cannot sync a folder
            os.fsync(handle)
    finally:
        os.close(handle)


def wait_for_lock(file: IO[bytes], *, shared: bool = False) -> None:
    """Wait for the lock on an open file. With `shared`, several readers can hold it at once."""
    fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)


def try_lock(file: IO[bytes] | IO[str]) -> bool:
    """Lock an open file until it is closed. Return False if another process holds the lock."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
