"""What is measured: a named and versioned suite, or the same with a seed of one's own."""

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
#: By the name of a game, its settings, or some of them.
Settings: TypeAlias = Mapping[str, Mapping[str, int | str]]
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
    #: Whether the settings are one's own.
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


def core_1(
    size: str | Size = "full", seed: int | None = None, settings: Settings | None = None
) -> Suite:
    """The suite of this name; with a seed of one's own its cards and positions are new.

    With such a seed, settings of one's own may be given, by the name of the game.
    """
    file = resources.files("number_duels.bench").joinpath("data", f"{CORE_1}.json")
    data = json.loads(file.read_text("utf-8"))  # never changed: a change is another suite
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


# ---- which positions are asked -------------------------------------------------


def positions_of(suite: Suite, solution: AnySolution, salt: str = "") -> tuple[Spot, ...]:
    """The positions of one game of a suite; the salt is that of its games, if it is a secret."""
    game, count = solution.game, suite.size.positions
    if not suite.frozen:
        return draw_positions(solution, count, stream(suite.seed, "positions", game.name, salt))
    return tuple(one for one in suite.frozen if one.game == game.name)[:count]


def draw_positions(solution: AnySolution, count: int, rng: Random) -> tuple[Spot, ...]:
    """The first decision of the game, then such where perfect play mixes and such of any kind.

    All games come through the first decision, so what is said there can be held against
    what is played.
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
    """A position where perfect play mixes, if any is left and wanted; else one of any kind."""
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
