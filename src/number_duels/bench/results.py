"""The results file of a bench: a header, then games and answers, one per line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from number_duels.arena.results import GameResult, ResultsFile, read_whole_lines
from number_duels.arena.schedule import event_name
from number_duels.bench.answers import POSITION_KEY, PositionAnswer, Usage, usage_of, words_of
from number_duels.bench.suite import Size, Suite, find_suite
from number_duels.core.input_files import parse_json, read_as
from number_duels.games import load

BENCH_KEY = "bench"
FORMAT = 1


@dataclass(frozen=True)
class Header:
    suite: str
    player: str
    pairs: int
    positions: int
    seed: int
    public: bool
    variant: bool
    settings: Mapping[str, Mapping[str, int | str]]
    ladder: tuple[str, ...]
    seconds: float
    retries: int
    options: Mapping[str, object]
    command: str
    started: str
    versions: Mapping[str, str]

    def to_json(self) -> str:
        return json.dumps({BENCH_KEY: FORMAT, **vars(self)}, ensure_ascii=False)

    @classmethod
    def from_object(cls, data: Mapping[str, object]) -> Header:
        if data[BENCH_KEY] != FORMAT:
            raise ValueError("the format is unknown")
        found = read_as(cls, data)
        for name, own in found.settings.items():
            load(name, **own)  # rejects unknown games and settings
        return found

    def measures_as(self, other: Header) -> bool:
        """Return whether both headers measure the same player in the same way."""
        apart = ("seconds", "retries", "command", "started", "versions")
        same = {name: getattr(self, name) for name in apart}
        return replace(other, **same) == self

    def to_suite(self) -> Suite:
        """Return the suite of this bench. Raise ValueError if this program does not have it."""
        size = Size(self.pairs, self.positions)
        games = tuple(load(name, **own) for name, own in self.settings.items())
        if not self.public:
            found = find_suite(size, self.seed, name=self.suite)
            return replace(found, games=games, ladder=self.ladder, variant=self.variant)
        known = find_suite(size, name=self.suite)
        if self.seed != known.seed or not set(games) <= set(known.games):
            raise ValueError(
                f"The seed or the games of this bench differ from those of {self.suite}."
            )
        return replace(known, games=games, ladder=self.ladder)

    @property
    def events(self) -> dict[str, str]:
        """Return each event with the name of its game."""
        games = (load(name, **own) for name, own in self.settings.items())
        return {event_name(game): game.name for game in games}


USAGE_KEY = "usage_of"
BEGINNINGS = tuple(f'{{"{key}": '.encode() for key in (BENCH_KEY, POSITION_KEY, USAGE_KEY))


@dataclass(frozen=True)
class GameUsage:
    """A model's requests, tokens and time in one game, and its text at each blunder."""

    fixture: str
    usage: Usage
    said: Mapping[int, str]

    def to_json(self) -> str:
        said = {str(turn): words for turn, words in self.said.items()}
        found = {USAGE_KEY: self.fixture, "usage": vars(self.usage), "said": said}
        return json.dumps(found, ensure_ascii=False)

    @classmethod
    def from_object(cls, data: Mapping[str, object]) -> GameUsage:
        said = read_as(dict[str, str], data["said"])
        return cls(
            read_as(str, data[USAGE_KEY]),
            read_as(Usage, data["usage"]),
            {int(turn): words for turn, words in said.items()},
        )


Line: TypeAlias = Header | PositionAnswer | GameUsage | GameResult


@dataclass
class Results:
    header: Header
    games: dict[str, GameResult] = field(default_factory=dict)
    answers: dict[str, PositionAnswer] = field(default_factory=dict)
    usage: dict[str, GameUsage] = field(default_factory=dict)

    @property
    def salt(self) -> str:
        """Return the salt, or an empty string until all games are played."""
        return next((one.origin.salt for one in self.games.values() if one.origin), "")


class BenchFile(ResultsFile):
    """A results file that is open for writing. Its games and answers are not repeated."""

    def __init__(self, path: Path, header: Header) -> None:
        self.header: Header | None = None
        self.answers: dict[str, PositionAnswer] = {}
        self.usage: dict[str, GameUsage] = {}
        super().__init__(path)
        if self.header is None:
            self.header = header
            self._write(header.to_json())
        elif not header.measures_as(self.header):
            self.close()
            raise ValueError(
                f"{path} has the results of another bench; choose another folder with --out."
            )

    def add(self, result: GameResult) -> None:
        if result.calls:
            found = game_usage(result)
            self.usage[found.fixture] = found
            self._write(found.to_json())
        super().add(result)

    def add_answer(self, answer: PositionAnswer) -> None:
        self._add_calls({"question": answer.id, **call} for call in answer.calls)
        self.answers[answer.id] = replace(answer, calls=())
        self._write(answer.to_json())

    def _in_order(self, games: Iterable[str]) -> Iterator[str]:
        assert self.header is not None
        played = {name: self.results[name] for name in games}
        return lines_of(Results(self.header, played, self.answers, self.usage))

    def _take(self) -> Iterator[str]:
        for line, found in read_whole_lines(self._file, self.path, read_line, BEGINNINGS):
            if isinstance(found, GameResult):
                self._keep(line, found)
            elif isinstance(found, PositionAnswer):
                self.answers[found.id] = found
            elif isinstance(found, GameUsage):
                self.usage[found.fixture] = found
            else:
                self.header = found
            yield line


def lines_of(results: Results) -> Iterator[str]:
    yield results.header.to_json()
    for name in sorted(results.answers):
        yield results.answers[name].to_json()
    for name, game in results.games.items():
        if name in results.usage:
            yield results.usage[name].to_json()
        yield game.to_json()


def game_usage(result: GameResult) -> GameUsage:
    said: dict[int, str] = {}
    for seat, side in enumerate(result.sides, 1):
        blunders = {blunder.turn for blunder in side.cost.blunders}
        own = [call for call in result.calls if call["seat"] == seat and call["turn"] in blunders]
        said |= {int(str(call["turn"])): words_of(call) for call in own}
    return GameUsage(result.fixture, replace(usage_of(result.calls), words=""), said)


def read_bench(path: Path) -> Results:
    """Read the results of a finished or interrupted bench. Raise ValueError for any other file."""
    with path.open("rb") as file:
        lines = [line for _, line in read_whole_lines(file, path, read_line, BEGINNINGS)]
    if not lines or not isinstance(header := lines[0], Header):
        raise ValueError(f"{path} is not a bench results file.")
    return Results(
        header,
        {one.fixture: one for one in lines if isinstance(one, GameResult)},
        {one.id: one for one in lines if isinstance(one, PositionAnswer)},
        {one.fixture: one for one in lines if isinstance(one, GameUsage)},
    )


def read_line(text: str) -> Line:
    data = parse_json(text)
    try:
        if isinstance(data, dict) and BENCH_KEY in data:
            return Header.from_object(data)
        if isinstance(data, dict) and POSITION_KEY in data:
            return PositionAnswer.from_object(data)
        if isinstance(data, dict) and USAGE_KEY in data:
            return GameUsage.from_object(data)
        return GameResult.from_json(text)
    except (ValueError, KeyError, TypeError):
        raise ValueError("this is not a line from a bench results file.") from None
