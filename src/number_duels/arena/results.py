"""The results of a tournament, and the file that stores them, one line per game."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from stat import S_IMODE
from typing import IO, TypeVar

from number_duels.arena.grading import Cost, Figures
from number_duels.arena.schedule import Fixture, Origin, fresh_salt, read_salt
from number_duels.core.input_files import decoded, parse_json, read_as, read_lines, read_text
from number_duels.core.record import FORMAT, Record
from number_duels.core.storage import (
    append_file,
    append_whole,
    ends_with_newline,
    replace_file,
    try_lock,
)
from number_duels.players.external import Fault

T = TypeVar("T")
SCORES = {"1-0": 1.0, "0-1": -1.0, "1/2-1/2": 0.0}
ARENA_KEY = "arena"


@dataclass(frozen=True)
class Side:
    name: str
    who: str
    forfeit: str
    faults: tuple[Fault, ...]
    cost: Cost


@dataclass(frozen=True)
class GameResult:
    """One game of a tournament: its record, its place in the schedule, and its luck and costs."""

    fixture: str
    event: str
    #: The names of both players. Scores of a pairing are the first player's.
    pairing: tuple[str, str]
    pair: int
    record: Record
    forfeits: tuple[str, str]
    faults: tuple[tuple[Fault, ...], tuple[Fault, ...]]
    figures: Figures | None
    #: The seed and the salt, in the last game of a complete salted arena.
    origin: Origin | None = None
    #: The calls to language models, as JSON objects. They are stored in a separate file.
    calls: tuple[Mapping[str, object], ...] = ()

    @property
    def score(self) -> float:
        """Return Player 1's result: 1 for a win, 0 for a draw or two forfeits, -1 for a loss."""
        return 0.0 if all(self.forfeits) else SCORES[self.record.result]

    @property
    def luck(self) -> tuple[float, float] | None:
        """Return Player 1's luck from cards and mixed strategies, or None for an unsolved game."""
        return None if self.figures is None else (self.figures.cards, self.figures.mixing)

    @cached_property
    def sides(self) -> tuple[Side, Side]:
        costs = self.figures.costs if self.figures else (Cost(), Cost())
        parts = zip(self.record.players, self.forfeits, self.faults, costs, strict=True)
        one, two = (Side(who.name, who.who, kind, own, cost) for who, kind, own, cost in parts)
        return one, two

    def to_json(self) -> str:
        """Return one line of JSON: the record, with all other data under `ARENA_KEY`."""
        kinds = [{"seat": seat, "kind": kind} for seat, kind in enumerate(self.forfeits, 1) if kind]
        rest: dict[str, object] = {
            "fixture": self.fixture,
            "event": self.event,
            "pairing": list(self.pairing),
            "pair": self.pair,
            "forfeit": kinds[0] if kinds else None,
            "faults": [[vars(fault) for fault in own] for own in self.faults],
        }
        if all(self.forfeits):
            rest["second_forfeit"] = kinds[1]
        if self.figures is not None:
            rest["luck"] = {"cards": self.figures.cards, "mixing": self.figures.mixing}
            rest["sides"] = [
                {**vars(cost), "blunders": [vars(blunder) for blunder in cost.blunders]}
                for cost in self.figures.costs
            ]
        if self.origin is not None:
            rest |= vars(self.origin)
        return json.dumps({**self.record.as_object(), ARENA_KEY: rest}, ensure_ascii=False)

    @classmethod
    def from_json(cls, line: str) -> GameResult:
        """Parse a line of a results file, or raise ValueError. The result has no `calls`."""
        try:
            data = parse_json(line)
            record = Record.from_object(data)
            assert isinstance(data, dict)  # a record is an object
            rest = data[ARENA_KEY]
            words = [rest["fixture"], rest["event"], *rest["pairing"]]
            words += [word for person in record.players for word in (person.name, person.who)]
            unplayed = record.result not in SCORES or record.seed is None
            if unplayed or not all(map(str.isprintable, words)):
                raise ValueError("the game is not finished")
            salted = "salt" in rest
            return cls(
                fixture=read_as(str, rest["fixture"]),
                event=read_as(str, rest["event"]),
                pairing=read_as(tuple[str, str], rest["pairing"]),
                pair=read_as(int, rest["pair"]),
                record=record,
                forfeits=forfeits_in(rest["forfeit"], rest.get("second_forfeit")),
                faults=read_as(tuple[tuple[Fault, ...], tuple[Fault, ...]], rest["faults"]),
                figures=figures_in(rest),
                origin=Origin(int(rest["seed"]), read_salt(rest["salt"])) if salted else None,
            )
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            raise ValueError("this is not a line from an arena results file.") from None


def forfeits_in(*forfeits: dict | None) -> tuple[str, str]:  # type: ignore[type-arg]  # JSON
    found = {one["seat"]: read_as(str, one["kind"]) for one in forfeits if one is not None}
    return found.get(1, ""), found.get(2, "")


def figures_in(rest: dict) -> Figures | None:  # type: ignore[type-arg]  # JSON
    if not (luck := rest.get("luck")):
        return None
    cards, mixing = (read_as(float, luck[kind]) for kind in ("cards", "mixing"))
    return Figures(cards, mixing, read_as(tuple[Cost, Cost], rest["sides"]))


MAX_RESULTS_BYTES = 1024 * 1024 * 1024
GAME_BEGINNING = f'{{"format": {FORMAT}, "game": "'.encode()


class ResultsFile:
    """A results file that is open for writing. Games in it are never played again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.results: dict[str, GameResult] = {}
        #: The games that were in the file when it was opened. They are never removed.
        self.before: frozenset[str] = frozenset()
        self._lines: dict[str, str] = {}
        for beside in (self.calls_path, self.salt_path):
            if beside.is_symlink():
                raise ValueError(
                    f"{beside} is a link; remove it, or choose another file with --out."
                )
        self._kept_salt()  # raises if the file holds no salt, and must not be overwritten
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b")
        try:
            if not try_lock(self._file):
                raise ValueError(f"Another arena is writing to {path}; choose another file.")
            self._read()
            self.before = frozenset(self.results)
        except ValueError:
            self.close()
            raise

    def add(self, result: GameResult) -> None:
        self._add_calls(result.calls)
        line = result.to_json()
        self._write(line)
        self._keep(line, result)

    def settle_salt(self, wanted: str | None = None) -> str:
        """Return the salt of the games in the file, and save it to disk.

        If the file has no games, use `wanted` or a random salt. Raise ValueError if the salt of the
        games is unknown or differs from `wanted`.
        """
        if not self.results:
            known = wanted or fresh_salt()
        elif found := self._known_salt():
            known = found
        elif wanted:
            known = wanted
        else:
            raise ValueError(
                f"{self.path} was started without a salt, or {self.salt_path} is missing;"
                " choose another file with --out, or pass the salt with --salt."
            )
        if wanted not in (None, known):
            raise ValueError(
                f"{self.path} has games with another salt; choose another file with --out."
            )
        if not any(result.origin for result in self.results.values()):
            with replace_file(self.salt_path) as draft:  # mode 0600: the salt is secret
                draft.write(known.encode() + b"\n")
        return known

    def finish(self, order: Iterable[str], origin: Origin | None = None) -> None:
        """Sort the games as in the schedule, and write `origin` to the last line."""
        planned = dict.fromkeys(name for name in order if name in self._lines)
        wanted = [*planned, *(n for n in self._lines if n in self.before and n not in planned)]
        if origin is not None and wanted:
            last = replace(self.results[wanted[-1]], origin=origin)
            self._keep(last.to_json(), last)
        with replace_file(self.path) as draft:
            os.fchmod(draft.fileno(), S_IMODE(os.fstat(self._file.fileno()).st_mode))
            draft.writelines(line.encode() + b"\n" for line in self._in_order(wanted))
        self.results = {name: self.results[name] for name in wanted}
        if origin is not None:
            self.salt_path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        self._file.close()

    @property
    def calls_path(self) -> Path:
        return self.path.with_suffix(".calls.jsonl")

    @property
    def salt_path(self) -> Path:
        """Return the path of the salt file, which exists until the arena is complete."""
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
            raise ValueError(f"{self.salt_path}: {error} Choose another file with --out.") from None

    def _add_calls(self, calls: Iterable[Mapping[str, object]]) -> None:
        if lines := b"".join(map(json_line, calls)):
            with append_file(self.calls_path) as file:
                # A killed process may have left an incomplete line.
                torn = b"" if ends_with_newline(self.calls_path) else b"\n"
                append_whole(file, torn + lines)

    def _write(self, line: str) -> None:
        self._file.write(line.encode() + b"\n")
        self._file.flush()

    def _keep(self, line: str, result: GameResult) -> None:
        self.results[result.fixture] = result
        self._lines[result.fixture] = line

    def _in_order(self, games: Iterable[str]) -> Iterator[str]:
        return (self._lines[name] for name in games)

    def _take(self) -> Iterator[str]:
        for line, result in read_whole_lines(self._file, self.path, GameResult.from_json):
            self._keep(line, result)
            yield line

    def _read(self) -> None:
        self._file.seek(0)
        whole = sum(len(line.encode()) + 1 for line in self._take())
        if whole < self._file.seek(0, os.SEEK_END):
            self._file.truncate(whole)


def read_results(path: Path) -> list[GameResult]:
    with path.open("rb") as file:
        return [result for _, result in read_whole_lines(file, path, GameResult.from_json)]


def read_whole_lines(
    file: IO[bytes], path: Path, parse: Callable[[str], T], beginnings: Iterable[bytes] = ()
) -> list[tuple[str, T]]:
    """Return the complete lines of a file, each with its parsed value.

    Skip an incomplete last line that begins like a game or like one of `beginnings`. Raise
    ValueError with the number of the first invalid line.
    """
    found, place = [], str(path)
    try:
        for number, line in enumerate(read_lines(file, MAX_RESULTS_BYTES), 1):
            place = f"{path}, line {number}"
            if line.endswith(b"\n"):
                text = decoded(line[:-1])
                found.append((text, parse(text)))
            elif not is_cut_off(line, (GAME_BEGINNING, *beginnings)):
                raise ValueError("this is not a line from an arena results file.")
            place = str(path)
    except ValueError as error:
        raise ValueError(f"{place}: {error} Choose another file.") from None
    return found


def json_line(call: Mapping[str, object]) -> bytes:
    return json.dumps(call, ensure_ascii=False).encode() + b"\n"


def is_cut_off(line: bytes, beginnings: Iterable[bytes]) -> bool:
    written = line.rstrip(b"\0")  # a power cut may leave zero bytes
    return any(written.startswith(beginning[: len(written)]) for beginning in beginnings)


def check_belongs(file: ResultsFile, planned: Mapping[str, Fixture]) -> None:
    for name, result in file.results.items():
        fixture = planned.get(name)
        if fixture is None and f"{name[: name.rindex(' ')]} 1a" in planned:
            raise ValueError(f"{file.path} has more pairs; use --pairs {result.pair} or more.")
        if fixture is None or fixture.seed != result.record.seed:
            raise ValueError(
                f"{file.path} has games from another arena ({name});"
                " choose another file with --out."
            )
        if result.record.players != fixture.seats:
            who = " - ".join(person.who for person in result.record.players)
            raise ValueError(
                f"{file.path} has games by another player with the same name"
                f" ({name}: {who}); choose another file with --out."
            )
