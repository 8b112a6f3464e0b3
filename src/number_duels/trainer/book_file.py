"""A mistake book on disk: one event a line, added to and never rewritten."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from number_duels.core.input_files import decoded, parse_json, read_lines
from number_duels.core.storage import (
    OWNER_ONLY,
    append_file,
    append_whole,
    data_folder,
    sync_folder,
    wait_for_lock,
)
from number_duels.trainer.book import Book
from number_duels.trainer.events import TrainingEvent, event_line, read_event

#: Half a million answers or so: a decade of long evenings.
MAX_BOOK_BYTES = 256 * 1024 * 1024
#: How every line begins.
BEGINNING = b'{"event": "'


class Line(NamedTuple):
    """A line of a book: its event, or what is wrong with it."""

    number: int
    event: TrainingEvent | None
    problem: str = ""
    #: Whether the end of it is missing: a power cut, and nobody's mistake.
    cut_off: bool = False


class BookFile:
    """Somebody's book; several processes may read it and add to it at once."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_folder() / "training.jsonl"
        self._told = 0

    def read(self) -> Book:
        """The book; lines that cannot be read are passed over, and its `notice` says so once."""
        try:
            lines = read_book_lines(self.path)
        except FileNotFoundError:
            return Book()
        except OSError as error:
            raise ValueError(f"{self.path} cannot be read: {error.strerror}.") from None
        bad = [line for line in lines if line.event is None]
        notice = passed_over(self.path, bad) if len(bad) > self._told else ""
        self._told = len(bad)
        return Book(tuple(line.event for line in lines if line.event), notice)

    def append(self, *events: TrainingEvent) -> None:
        """Write events down: they are all on disk when this returns, or the file is as it was."""
        lines = [event_line(event) for event in events]
        if [read_event(parse_json(line)) for line in lines] != list(events):
            raise ValueError("This cannot be written down: it would be read as something else.")
        if not lines:
            return
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with append_file(self.path, OWNER_ONLY) as file:
                wait_for_lock(file)
                size = self.path.stat().st_size
                append_whole(file, data if ends_well(self.path) else b"\n" + data)
            if not size:
                sync_folder(self.path.parent)
        except OSError as error:
            raise ValueError(
                f"The mistake book cannot be written to {self.path}: {error.strerror}."
            ) from None

    def merge(self, path: Path) -> int:
        """Take in the book of another machine; how many events of it were new.

        Anything but a book is refused, and a line that was cut off in it is passed over.
        """
        try:
            lines = read_book_lines(path)
        except OSError as error:
            raise ValueError(f"{path} cannot be read: {error.strerror}.") from None
        for line in lines:
            if line.event is None and not line.cut_off:
                raise ValueError(f"{path}, line {line.number}, cannot be used: {line.problem}")
        known = {event.id: event for event in self.read().events}
        found = Book(tuple(line.event for line in lines if line.event)).events
        new = [event for event in found if known.get(event.id) != event]
        self.append(*new)
        return len(new)


def read_book_lines(path: Path) -> list[Line]:
    """The lines of a book that are not blank; a ValueError for a file that is too large."""
    with path.open("rb") as file:
        with suppress(OSError):  # some file systems have no locks
            wait_for_lock(file, shared=True)  # what is just being written is not half a line
        try:
            return list(parsed_lines(file))
        except ValueError as error:
            raise ValueError(f"{path} is not a mistake book: {error}") from None


def parsed_lines(file: IO[bytes]) -> Iterator[Line]:
    for number, line in enumerate(read_lines(file, MAX_BOOK_BYTES), 1):
        if not line.strip():
            continue
        try:
            data = parse_json(decoded(line))
        except ValueError as error:
            yield Line(number, None, str(error), begins_well(line))
            continue
        try:
            yield Line(number, read_event(data))
        except ValueError as error:
            yield Line(number, None, str(error))


def begins_well(line: bytes) -> bool:
    """Whether a line begins like an event; zeros are what a power cut leaves of a page."""
    written = line.rstrip(b"\0\n")
    return written.startswith(BEGINNING[: len(written)])


def ends_well(path: Path) -> bool:
    """Whether the last line of a file has its end; one that was cut off has none."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 1))
        return file.read(1) in (b"", b"\n")


def passed_over(path: Path, bad: list[Line]) -> str:
    where = f"{path}, line {bad[0].number}"
    if len(bad) == 1:
        return f"{where}, cannot be read and is passed over."
    return f"{where}, and {len(bad) - 1} more cannot be read and are passed over."
