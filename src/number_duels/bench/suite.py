"""What is measured: a named and versioned suite, or the same with a seed of one's own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources

from number_duels.arena.schedule import Schedule, event_name, read_salt
from number_duels.bench.variants import near
from number_duels.core.game import AnyGame
from number_duels.core.record import Person
from number_duels.games import load
from number_duels.trainer.spot import Spot

CORE_1 = "core-1"
#: The player that is measured; seeds follow from names, so it is called the same in every run.
PLAYER = "player"


@dataclass(frozen=True)
class Size:
    """How much is played: pairs of games against each rung, and positions of each game."""

    pairs: int
    positions: int

    def __post_init__(self) -> None:
        if self.pairs < 1 or self.positions < 0:
            raise ValueError("A bench plays at least one pair of games against each rung.")


SIZES = {"small": Size(4, 8), "full": Size(50, 24)}


@dataclass(frozen=True)
class Suite:
    """The games, the ladder of opponents, the seed, and how much is played.

    >>> suite = core_1("small")
    >>> suite.name, len(suite.games), suite.ladder[0], suite.is_public
    ('core-1', 5, 'random', True)
    """

    name: str
    games: tuple[AnyGame, ...]
    ladder: tuple[str, ...]
    size: Size
    seed: int
    #: The salt that everybody knows; empty: the seed is one's own, and so is the salt.
    salt: str = ""
    #: Whether the settings were drawn from the seed.
    variant: bool = False
    #: The positions that are asked, where they are fixed; empty: they are drawn from the seed.
    frozen: tuple[Spot, ...] = ()

    @property
    def is_public(self) -> bool:
        """Whether everybody plays the same games, and could have learned them by heart."""
        return bool(self.salt)

    @property
    def events(self) -> list[str]:
        return [event_name(game) for game in self.games]

    def schedule(self, who: str) -> Schedule:
        """The games of a player against every rung of the ladder."""
        people = (Person(PLAYER, who), *(Person(rung, rung) for rung in self.ladder))
        size, salt = self.size, self.salt
        return Schedule(people, self.games, size.pairs, self.seed, gauntlet=PLAYER, salt=salt)

    def only(self, names: Sequence[str]) -> Suite:
        """A part of the suite: the games of these names."""
        return replace(self, games=tuple(game for game in self.games if game.name in names))


def core_1(size: str | Size = "full", seed: int | None = None, *, variant: bool = False) -> Suite:
    """The suite of this name; with a seed of one's own its cards and positions are new.

    A variant draws the settings of the games near the usual ones, from that seed.
    """
    data = read_suite(CORE_1)
    games = tuple(load(name, **settings) for name, settings in data.games.items())
    measured = size if isinstance(size, Size) else SIZES[size]
    if variant and seed is None:
        raise ValueError("A variant is drawn from a seed of your own; give one.")
    if seed is None:
        return Suite(
            CORE_1, games, data.ladder, measured, data.seed, data.salt, frozen=data.positions
        )
    if variant:
        games = tuple(near(game, seed) for game in games)
    return Suite(CORE_1, games, data.ladder, measured, seed, variant=variant)


@dataclass(frozen=True)
class SuiteData:
    """A suite as its file has it; it is never changed, a change is another suite."""

    seed: int
    salt: str
    ladder: tuple[str, ...]
    #: By name, all settings of each game: should the usual ones change, these stay.
    games: Mapping[str, Mapping[str, int | str]]
    positions: tuple[Spot, ...]


def read_suite(name: str) -> SuiteData:
    text = resources.files("number_duels.bench").joinpath("data", f"{name}.json").read_text("utf-8")
    data = json.loads(text)
    return SuiteData(
        data["seed"],
        read_salt(data["salt"]),
        tuple(data["ladder"]),
        data["games"],
        tuple(Spot.from_json(one) for one in data["positions"]),
    )
