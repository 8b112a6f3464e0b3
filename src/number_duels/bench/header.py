"""The first line of a bench's results: what was measured, how, when, and by which program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from number_duels.arena.results import count_in, word_in
from number_duels.arena.schedule import event_name
from number_duels.bench.suite import CORE_1, Size, Suite, core_1
from number_duels.core.text import printable
from number_duels.games import load

#: The key with which a file of results begins.
BENCH_KEY = "bench"
FORMAT = 1


@dataclass(frozen=True)
class Header:
    """All that it takes to play the same again."""

    suite: str
    player: str
    pairs: int
    positions: int
    seed: int
    #: Whether the seed and the salt are those that everybody has.
    public: bool
    variant: bool
    #: By name, all settings of each game.
    settings: Mapping[str, Mapping[str, int | str]]
    ladder: tuple[str, ...]
    #: What the player was granted: seconds for an answer, and further answers after a bad one.
    seconds: float
    retries: int
    #: What a language model was asked for besides: temperature, room to think and so on.
    options: Mapping[str, object]
    command: str
    started: str
    versions: Mapping[str, str]

    def to_json(self) -> str:
        return json.dumps({BENCH_KEY: FORMAT, **vars(self)}, ensure_ascii=False)

    @classmethod
    def from_object(cls, data: Mapping[str, object]) -> Header:
        """The inverse of `to_json`; a ValueError for anything else."""
        settings, ladder = data.get("settings"), data.get("ladder")
        versions, seconds = data.get("versions"), data.get("seconds")
        options = data.get("options")
        if data.get(BENCH_KEY) != FORMAT or not isinstance(settings, dict):
            raise ValueError("no head of a bench")
        if not isinstance(ladder, list) or not isinstance(versions, dict):
            raise ValueError("no head of a bench")
        if not isinstance(seconds, int | float) or not isinstance(options, dict):
            raise ValueError("no head of a bench")
        for name, own in settings.items():
            load(word_in(name), **own)  # refuses what is no game or no setting of it
        return cls(
            suite=word_in(data.get("suite")),
            player=word_in(data.get("player")),
            pairs=count_in(data.get("pairs")),
            positions=count_in(data.get("positions")),
            seed=whole_in(data.get("seed")),
            public=data.get("public") is True,
            variant=data.get("variant") is True,
            settings=settings,
            ladder=tuple(map(word_in, ladder)),
            seconds=float(seconds),
            retries=count_in(data.get("retries")),
            options=options,
            command=printable(str(data.get("command", "")), limit=None),
            started=word_in(data.get("started")),
            versions={word_in(name): word_in(one) for name, one in versions.items()},
        )

    def measures_as(self, other: Header) -> bool:
        """Whether both ask the same of the same player; when, how patiently, by what differs."""
        apart = ("seconds", "retries", "command", "started", "versions")
        same = {name: getattr(self, name) for name in apart}
        return replace(other, **same) == self

    def to_suite(self) -> Suite:
        """What was measured; a ValueError where this program has no such suite."""
        if self.suite != CORE_1:
            raise ValueError(f"There is no suite {self.suite!r}; there is {CORE_1}.")
        size = Size(self.pairs, self.positions)
        games = tuple(load(name, **own) for name, own in self.settings.items())
        if not self.public:
            found = core_1(size, self.seed)
            return replace(found, games=games, ladder=self.ladder, variant=self.variant)
        known = core_1(size)
        if self.seed != known.seed or not set(games) <= set(known.games):
            raise ValueError(f"It has not the seed or the games of {self.suite}.")
        return replace(known, games=games, ladder=self.ladder)

    @property
    def events(self) -> dict[str, str]:
        """The events of the arena, with the name of the game of each."""
        games = (load(name, **own) for name, own in self.settings.items())
        return {event_name(game): game.name for game in games}


def whole_in(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("no whole number")
    return value
