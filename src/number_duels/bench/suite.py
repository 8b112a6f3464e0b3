"""Suites of games and positions: named and versioned, or with the user's own seed."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from random import Random
from typing import TypeAlias

from number_duels.arena.schedule import Schedule, event_name, read_salt
from number_duels.core.game import AnyGame, Chance, Decision, Seat
from number_duels.core.history import History
from number_duels.core.randomness import sample, stream
from number_duels.core.record import Person
from number_duels.games import load
from number_duels.review.position import AnySolution
from number_duels.trainer.book import Learner
from number_duels.trainer.drills import Drills, Scope
from number_duels.trainer.exercise import MIXTURE, MOVE
from number_duels.trainer.spot import OpenSpot, Spot

CORE_1 = "core-1"
#: Some or all settings of games, by game name.
Settings: TypeAlias = Mapping[str, Mapping[str, int | str]]
#: The name of the measured player. It is fixed because seeds depend on names.
PLAYER = "player"


@dataclass(frozen=True)
class Size:
    """The size of a bench: pairs of games per rung, and positions per game."""

    pairs: int
    positions: int

    def __post_init__(self) -> None:
        if self.pairs < 1 or self.positions < 0:
            raise ValueError("A bench plays at least one pair of games against each rung.")


SIZES = {"small": Size(4, 8), "full": Size(50, 24)}


@dataclass(frozen=True)
class Suite:
    """The games, the ladder of opponents, the seed and the size of a bench.

    >>> suite = core_1("small")
    >>> suite.name, len(suite.games), suite.ladder[0], suite.is_public
    ('core-1', 5, 'random', True)
    """

    name: str
    games: tuple[AnyGame, ...]
    ladder: tuple[str, ...]
    size: Size
    seed: int
    #: The public salt, or empty if the user chose the seed.
    salt: str = ""
    #: Whether the user chose the settings.
    variant: bool = False
    #: The fixed positions, or empty to draw them from the seed.
    frozen: tuple[Spot, ...] = ()

    @property
    def is_public(self) -> bool:
        """Return whether the seed is public, so that a player could know the games in advance."""
        return bool(self.salt)

    @property
    def events(self) -> list[str]:
        return [event_name(game) for game in self.games]

    def schedule(self, who: str) -> Schedule:
        """Return the games of a player against every rung of the ladder."""
        people = (Person(PLAYER, who), *(Person(rung, rung) for rung in self.ladder))
        size, salt = self.size, self.salt
        return Schedule(people, self.games, size.pairs, self.seed, gauntlet=PLAYER, salt=salt)

    def only(self, names: Sequence[str]) -> Suite:
        return replace(self, games=tuple(game for game in self.games if game.name in names))


def core_1(
    size: str | Size = "full", seed: int | None = None, settings: Settings | None = None
) -> Suite:
    """Return the suite core-1. With `seed`, its cards and positions are new.

    `settings` changes the settings of games, and needs a seed. Raise ValueError without one.
    """
    file = resources.files("number_duels.bench").joinpath("data", f"{CORE_1}.json")
    data = json.loads(file.read_text("utf-8"))  # a changed file would be another suite
    own = settings or {}
    if own and seed is None:
        raise ValueError(f"The games of {CORE_1} are fixed; with other settings, give a seed.")
    games = tuple(
        load(name, **{**usual, **own.get(name, {})}) for name, usual in data["games"].items()
    )
    measured = size if isinstance(size, Size) else SIZES[size]
    ladder = tuple(data["ladder"])
    if seed is not None:
        return Suite(CORE_1, games, ladder, measured, seed, variant=bool(own))
    frozen = tuple(Spot.from_json(one) for one in data["positions"])
    salt = read_salt(data["salt"])
    return Suite(CORE_1, games, ladder, measured, data["seed"], salt, frozen=frozen)


# ---- positions -----------------------------------------------------------------


def positions_of(suite: Suite, solution: AnySolution, salt: str = "") -> tuple[Spot, ...]:
    """Return the positions of one game of a suite. `salt` is a secret salt of its games."""
    game, count = solution.game, suite.size.positions
    if not suite.frozen:
        return draw_positions(solution, count, stream(suite.seed, "positions", game.name, salt))
    return tuple(one for one in suite.frozen if one.game == game.name)[:count]


def draw_positions(solution: AnySolution, count: int, rng: Random) -> tuple[Spot, ...]:
    """Return the first decision, then in turn positions with a mixed solution and any others.

    The first decision occurs in all games, so stated and played moves can be compared there.
    """
    found = [opening(solution.game, rng)][:count]
    seen = {spot.id for spot in found}
    drills = Drills(solution)
    while len(found) < count:
        form = MIXTURE if len(found) % 2 else MOVE
        spot = next(drawn(drills, form, rng, seen), None)
        if spot is None:
            break
        found.append(spot)
        seen.add(spot.id)
    return tuple(spot.spot for spot in found)


def drawn(drills: Drills, form: str, rng: Random, seen: set[str]) -> Iterator[OpenSpot]:
    """Yield a position of the wanted form, if one is left, then one of any kind."""
    for wanted in dict.fromkeys((form, MOVE)):
        try:
            yield drills.draw(Scope(form=wanted), Learner(), rng, seen).spot
        except ValueError:  # nothing of the kind is left
            continue


def opening(game: AnyGame, rng: Random) -> OpenSpot:
    history: History[Hashable, Hashable, Hashable] = History(game, game.start(rng))
    while isinstance(turn := history.turn, Chance):
        history = history.sampled(sample(turn.odds, rng))
    assert isinstance(turn, Decision)
    return OpenSpot(game, history, min(turn.options, default=Seat.ONE))
