"""A book on disk: whatever is cut off, killed, full or foreign, no event is lost."""

from __future__ import annotations

import fcntl
import signal
import stat
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import IO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from number_duels.core.storage import append_whole, data_folder, wait_for_lock
from number_duels.trainer import book as book_module
from number_duels.trainer.book import Book, BookFile, TrainingEvent, event_line
from tests.trainer.events import DAY, MONDAY, added, answered, removed

#: Adds two events at a time to a book, like the one it is given, and says so after each time.
WRITER = """
import json, resource, sys
from dataclasses import replace
from pathlib import Path
from number_duels.trainer.book import BookFile
from number_duels.trainer.book import new_id, read_event
path, count, most_bytes, line = sys.argv[1:]
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(most_bytes) or most, most))
event = read_event(json.loads(line))
print("begun", flush=True)
for n in range(int(count)):
    events = [replace(event, id=new_id()) for _ in range(2)]
    try:
        BookFile(Path(path)).append(*events)
    except ValueError as refused:
        sys.exit(str(refused))
    print(*(event.id for event in events), flush=True)
"""


@pytest.fixture
def file(tmp_path: Path) -> BookFile:
    return BookFile(tmp_path / "training.jsonl")


def writer(path: Path, count: int, most_bytes: int = 0) -> subprocess.Popen[str]:
    """A process that adds to a book, on a disk with room for so many bytes, or without an end."""
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(count), str(most_bytes), event_line(added())],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(out: str) -> set[str]:
    """The ids of all events that a writer said to be on disk."""
    return {word for word in out.split() if word != "begun"}


def known(file: BookFile) -> set[str]:
    return {event.id for event in file.read().events}


# ---- a plain file --------------------------------------------------------------


def test_a_book_that_is_not_there_is_empty(file: BookFile) -> None:
    assert file.read() == Book()
    file.append()
    assert not file.path.exists()


def test_a_book_is_where_data_is_kept_and_nobody_elses_to_read() -> None:
    file = BookFile()
    file.append(added())
    assert file.path == data_folder() / "training.jsonl"
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600


def test_events_are_read_as_they_were_added_one_a_line(file: BookFile) -> None:
    events: list[TrainingEvent] = [added(), answered(), removed(time=MONDAY + DAY)]
    file.append(*events[:2])
    file.append(events[2])
    assert file.read() == Book(tuple(events))
    assert file.path.read_text().splitlines() == [event_line(event) for event in events]


def test_what_could_not_be_read_again_is_not_written(file: BookFile) -> None:
    for wrong in (added(source="dream"), added(played="a\x1b[2Jb"), added(time=MONDAY.max)):
        with pytest.raises(ValueError, match=r"\.$"):
            file.append(added(1), wrong)
    assert not file.path.exists()


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("a file")
    with pytest.raises(ValueError, match=r"cannot be saved to .*jsonl: .+\."):
        BookFile(tmp_path / "folder" / "training.jsonl").append(added())


# ---- lines that cannot be read -------------------------------------------------


def test_a_line_cut_off_anywhere_costs_itself_alone(file: BookFile) -> None:
    before, cut, after = added(), answered(), answered(time=MONDAY + DAY)
    file.append(before, cut)
    whole = file.path.read_bytes()
    last = len(event_line(cut).encode()) + 1
    for size in (*range(len(whole) - last, len(whole), 7), len(whole) - 2, len(whole) - 1):
        file.path.write_bytes(whole[:size])
        file.append(after)
        complete = size >= len(whole) - 1  # all but the end of the line
        assert file.read() == Book((before, cut, after) if complete else (before, after))


def test_lines_that_cannot_be_read_are_passed_over_and_said_once(file: BookFile) -> None:
    file.append(added())
    with file.path.open("ab") as raw:
        raw.write(b'\n\0\0\0\n{"event": "win"}\n\xff\n')
    file.append(answered())
    first = file.read()
    assert len(first.events) == 2
    assert first.notice == f"{file.path}: line 3 and 2 more cannot be read and are skipped."
    assert file.read().notice == ""
    assert b'{"event": "win"}\n' in file.path.read_bytes()  # nothing is taken away


# ---- another machine's book ----------------------------------------------------


def test_the_books_of_two_machines_are_one_after_merging(tmp_path: Path) -> None:
    one, two = BookFile(tmp_path / "one"), BookFile(tmp_path / "two")
    one.append(shared := added(), answered(time=MONDAY + DAY))
    two.append(shared, answered(time=MONDAY + 2 * DAY), added(1))
    both = one.read().merged(two.read())
    assert (one.merge(two.path), two.merge(one.path)) == (2, 1)
    assert one.read() == two.read() == both
    size = one.path.stat().st_size
    assert one.merge(two.path) == one.merge(one.path) == 0
    assert one.path.stat().st_size == size


@given(st.integers(0, 200))
def test_a_line_that_was_cut_off_on_another_machine_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, size: int
) -> None:
    folder = tmp_path_factory.mktemp("machines")
    mine, theirs = BookFile(folder / "mine"), BookFile(folder / "theirs")
    theirs.path.write_bytes(event_line(added()).encode()[:size] + b"\0\0")
    theirs.append(answered())
    assert mine.merge(theirs.path) == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"Dear diary\n", r"line 2, cannot be used: it is not JSON\."),
        (
            b'{"format": 1, "game": "x", "moves": ""}\n',
            r"line 2, .*not an event of a mistake book\.",
        ),
        (b'\n{"event": "remove", "id": 7}\n', r"line 3, .*its id must look like"),
        (b"x" * 2**21, r"is not a mistake book: its line 2 is longer than 1 MiB\."),
        (b"\xff\xfe\n", r"line 2, cannot be used: it is not text\."),
        (b"[" * 100_000, r"nested too deeply\."),
    ],
)
def test_a_file_that_is_no_book_is_refused_in_a_sentence(
    file: BookFile, tmp_path: Path, content: bytes, sentence: str
) -> None:
    file.append(added())
    before = file.path.read_bytes()
    (tmp_path / "foreign").write_bytes(f"{event_line(added(1))}\n".encode() + content)
    with pytest.raises(ValueError, match=sentence):
        file.merge(tmp_path / "foreign")
    assert file.path.read_bytes() == before


def test_a_foreign_file_without_an_end_is_not_read_to_it(file: BookFile) -> None:
    with pytest.raises(ValueError, match="longer than 1 MiB"):
        file.merge(Path("/dev/zero"))
    with pytest.raises(ValueError, match="cannot be read: No such file"):
        file.merge(file.path)


# ---- kills, other processes, full disks ----------------------------------------


@pytest.mark.system
def test_what_was_written_is_there_after_a_kill(file: BookFile) -> None:
    rng, written = Random(9), set[str]()
    for _ in range(5):
        with writer(file.path, 100_000) as process:
            assert process.stdout is not None
            for _ in range(rng.randint(5, 40)):
                written |= said(process.stdout.readline())
            # It goes on meanwhile, and is somewhere in its work.
            process.send_signal(signal.SIGKILL)
            written |= said(process.stdout.read())
        found = file.read()
        assert found.notice == ""
        assert written <= {event.id for event in found.events}
        assert len(found.events) % 2 == 0  # what was added together is there together
    assert len(written) > 20


@pytest.mark.system
def test_two_processes_add_to_one_book_at_once(file: BookFile) -> None:
    with writer(file.path, 60) as one, writer(file.path, 60) as two:
        outs = [process.communicate()[0] for process in (one, two)]
    assert known(file) == said(outs[0]) | said(outs[1])
    assert len(known(file)) == 240
    assert file.read().notice == ""


def test_a_book_is_locked_while_it_is_written(
    file: BookFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bytes] = []

    def checked(book: IO[bytes], data: bytes) -> None:
        with file.path.open("ab") as other, pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        append_whole(book, data)
        written.append(data)

    monkeypatch.setattr(book_module, "append_whole", checked)
    file.append(added())
    assert b"".join(written) == file.path.read_bytes()


def test_what_another_writes_in_the_meantime_stays_whole(
    file: BookFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, cut, own = added(), answered(), removed()

    def wait(book: IO[bytes]) -> None:
        """Somebody else has the lock, and is killed in the midst of a line."""
        file.path.write_bytes(f"{event_line(whole)}\n{event_line(cut)}".encode()[:-9])
        wait_for_lock(book)

    with monkeypatch.context() as patched:
        patched.setattr(book_module, "wait_for_lock", wait)
        file.append(own)
    assert known(file) == {whole.id, own.id}


@pytest.mark.system
def test_a_full_disk_is_a_sentence_and_leaves_no_half_of_a_line(file: BookFile) -> None:
    file.append(added(), answered())
    with writer(file.path, 100, most_bytes=5000) as process:
        out, err = process.communicate()
    assert "The mistake book cannot be saved to" in err
    assert process.returncode == 1
    assert file.path.read_bytes().endswith(b"}\n")
    assert len(known(file) - said(out)) == 2
    assert len(said(out)) >= 10
    file.append(removed())  # there is room again
    assert file.read().notice == ""


def test_a_link_in_the_place_of_a_book_is_not_written_through(
    file: BookFile, tmp_path: Path
) -> None:
    file.path.symlink_to(tmp_path / "precious")
    with pytest.raises(ValueError, match="cannot be saved"):
        file.append(added())
    assert not (tmp_path / "precious").exists()
