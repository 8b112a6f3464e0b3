"""The results of a tournament in a file: one game a line, written as soon as it is over."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from stat import S_IMODE
from typing import IO

from number_duels.arena.game_result import GameResult
from number_duels.arena.salt import Origin, fresh_salt, read_salt
from number_duels.arena.schedule import Fixture
from number_duels.core.input_files import decoded, read_lines, read_text
from number_duels.core.record import FORMAT
from number_duels.core.storage import append_file, replace_file, try_lock

#: Far more than a report can be made of: a million games or so.
MAX_RESULTS_BYTES = 1024 * 1024 * 1024
#: How every line begins.
BEGINNING = f'{{"format": {FORMAT}, "game": "'.encode()


class ResultsFile:
    """A file that is open for more results: a game in it is never played again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results: dict[str, GameResult] = {}
        #: The games that were there when the file was opened; they are never taken out.
        self.before: frozenset[str] = frozenset()
        self._lines: dict[str, str] = {}
        for beside in (self.calls_path, self.salt_path):
            if beside.is_symlink():
                raise ValueError(f"{beside} is a link; remove it, or name another file with --out.")
        self._kept_salt()  # a file that is no salt is not written over
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b")
        try:
            if not try_lock(self._file):
                raise ValueError(f"{path} is being written by another arena; name another file.")
            self._read()
            self.before = frozenset(self.results)
        except ValueError:
            self.close()
            raise

    def add(self, result: GameResult) -> None:
        """Write down a game; it is in the file when this returns."""
        if result.calls:
            with append_file(self.calls_path) as calls:
                calls.writelines(json_line(c) for c in result.calls)
        line = result.to_json()
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        self._keep(line, result)

    def settle_salt(self, wanted: str | None = None) -> str:
        """The salt of these games, or one for games to come; it lies on disk from now on."""
        if not self.results:
            known = wanted or fresh_salt()
        elif found := self._known_salt():
            known = found
        elif wanted:
            known = wanted
        else:
            raise ValueError(
                f"{self.path} was begun without a salt, or {self.salt_path} is gone;"
                " name another file with --out, or its salt with --salt."
            )
        if wanted not in (None, known):
            raise ValueError(f"{self.path} holds games of another salt; name another with --out.")
        if not any(result.origin for result in self.results.values()):
            with replace_file(self.salt_path) as draft:  # for nobody else to read: mode 0600
                draft.write(known.encode() + b"\n")
        return known

    def finish(self, order: Iterable[str], origin: Origin | None = None) -> None:
        """Put the games into the order of the schedule, so that equal seeds give equal files.

        The salt is no secret any more: the last line tells it, and its own file goes.
        """
        planned = dict.fromkeys(name for name in order if name in self._lines)
        wanted = [*planned, *(n for n in self._lines if n in self.before and n not in planned)]
        if origin is not None and wanted:
            last = replace(self.results[wanted[-1]], origin=origin)
            self._keep(last.to_json(), last)
        text = "".join(self._lines[name] + "\n" for name in wanted)
        with replace_file(self.path) as draft:
            os.fchmod(draft.fileno(), S_IMODE(os.fstat(self._file.fileno()).st_mode))
            draft.write(text.encode())
        self.results = {name: self.results[name] for name in wanted}
        if origin is not None:
            self.salt_path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Let others write to the file."""
        self._file.close()

    @property
    def calls_path(self) -> Path:
        """Where the conversations with language models are kept."""
        return self.path.with_suffix(".calls.jsonl")

    @property
    def salt_path(self) -> Path:
        """Where the salt is kept until the arena is complete."""
        return self.path.with_name(f"{self.path.name}.salt")

    def _known_salt(self) -> str | None:
        told = next((one.origin.salt for one in self.results.values() if one.origin), None)
        return told or self._kept_salt()

    def _kept_salt(self) -> str | None:
        if not self.salt_path.exists():
            return None
        try:
            return read_salt(read_text(self.salt_path))
        except ValueError as error:
            raise ValueError(f"{self.salt_path}: {error} Name another file with --out.") from None

    def _keep(self, line: str, result: GameResult) -> None:
        self.results[result.fixture] = result
        self._lines[result.fixture] = line

    def _read(self) -> None:
        """Take in the lines so far; one that was cut off in its middle is taken off the file."""
        self._file.seek(0)
        whole = 0
        for line, result in read_games(self._file, self.path):
            self._keep(line, result)
            whole += len(line.encode()) + 1
        if whole < self._file.seek(0, os.SEEK_END):
            self._file.truncate(whole)


def read_results(path: Path) -> list[GameResult]:
    """All games of a finished or interrupted tournament, without a half-written last line."""
    with path.open("rb") as file:
        return [result for _, result in read_games(file, path)]


def read_games(file: IO[bytes], path: Path) -> list[tuple[str, GameResult]]:
    """The whole lines of a file with what they say; a ValueError names one that is wrong."""
    found, place = [], str(path)
    try:
        for number, line in enumerate(read_lines(file, MAX_RESULTS_BYTES), 1):
            place = f"{path}, line {number}"
            if line.endswith(b"\n"):
                text = decoded(line[:-1])
                found.append((text, GameResult.from_json(text)))
            elif not is_cut_off(line):
                raise ValueError("it is not a line of an arena.")
            place = str(path)
    except ValueError as error:
        raise ValueError(f"{place}: {error} Name another file.") from None
    return found


def json_line(call: Mapping[str, object]) -> bytes:
    return json.dumps(call, ensure_ascii=False).encode() + b"\n"


def is_cut_off(line: bytes) -> bool:
    """Whether a last line without its end is the beginning of a game, and nothing of anybody's."""
    written = line.rstrip(b"\0")  # what a power cut leaves of a page that was not written
    return written.startswith(BEGINNING[: len(written)])


def check_belongs(file: ResultsFile, planned: Mapping[str, Fixture]) -> None:
    """Refuse to mix the games of two schedules in one file, or of two players under one name."""
    for name, result in file.results.items():
        fixture = planned.get(name)
        if fixture is None and f"{name[: name.rindex(' ')]} 1a" in planned:
            raise ValueError(f"{file.path} holds more pairs; ask for {result.pair} at least.")
        if fixture is None or fixture.seed != result.record.seed:
            raise ValueError(
                f"{file.path} holds games of another arena ({name}); name another file with --out."
            )
        if result.record.players != fixture.seats:
            who = " - ".join(person.who for person in result.record.players)
            raise ValueError(
                f"{file.path} holds games of another player by the same name"
                f" ({name}: {who}); name another file with --out."
            )
