"""The results of a tournament in a file: one game a line, written as soon as it is over."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from stat import S_IMODE

from number_duels.arena.game_result import GameResult
from number_duels.arena.salt import Origin, fresh_salt, read_salt
from number_duels.arena.schedule import Fixture
from number_duels.core.storage import replace_file, try_lock


class ResultsFile:
    """A file that is open for more results: a game in it is never played again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results: dict[str, GameResult] = {}
        #: The games that were there when the file was opened; they are never taken out.
        self.before: frozenset[str] = frozenset()
        self._lines: dict[str, str] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b")
        try:
            if not try_lock(self._file):
                raise ValueError(f"{path} is being written by another arena; name another file.")
            for line, result in self._whole_lines():
                self._keep(line, result)
            self.before = frozenset(self.results)
        except ValueError:
            self.close()
            raise

    def add(self, result: GameResult) -> None:
        """Write down a game; it is in the file when this returns."""
        if result.calls:
            with self.calls_path.open("a", encoding="utf-8") as calls:
                calls.writelines(json.dumps(c, ensure_ascii=False) + "\n" for c in result.calls)
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
        if told is None and self.salt_path.exists():
            return read_salt(self.salt_path.read_text())
        return told

    def _keep(self, line: str, result: GameResult) -> None:
        self.results[result.fixture] = result
        self._lines[result.fixture] = line

    def _whole_lines(self) -> list[tuple[str, GameResult]]:
        """The lines so far; one that was cut off in its middle is taken off the file."""
        self._file.seek(0)
        *whole, rest = self._file.read().split(b"\n")
        found = read_lines(self.path, whole)
        if rest:
            self._file.truncate(sum(len(line) + 1 for line in whole))
        self._file.seek(0, os.SEEK_END)
        return found


def read_results(path: Path) -> list[GameResult]:
    """All games of a finished or interrupted tournament, without a half-written last line."""
    whole = path.read_bytes().split(b"\n")[:-1]
    return [result for _, result in read_lines(path, whole)]


def read_lines(path: Path, lines: Iterable[bytes]) -> list[tuple[str, GameResult]]:
    """Lines with what they say; a ValueError names the one that is wrong."""
    found = []
    for number, line in enumerate(lines, 1):
        try:
            text = line.decode()
            found.append((text, GameResult.from_json(text)))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {error} Name another file.") from None
    return found


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
