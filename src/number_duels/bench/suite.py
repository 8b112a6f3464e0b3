"""Suites of games and positions for a bench."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import resources
from random import Random
from typing import TypeAlias

from number_duels.arena.schedule import Schedule, event_name, read_salt
from number_duels.core.game import AnyGame, Chance, Decision, Seat
from number_duels.core.history import AnyHistory, History
from number_duels.core.randomness import sample, stream
from number_duels.core.record import Person
from number_duels.games import load
from number_duels.review.position import AnySolution, drop_rounding_error
from number_duels.solvers.cache import Progress, silent
from number_duels.trainer.book import Learner
from number_duels.trainer.drills import Drills, Scope, decisions_of, play_out
from number_duels.trainer.exercise import MIXED, MOVE
from number_duels.trainer.spot import OpenSpot, Spot

#: Games with default settings, and small games that are quick to train on.
CORE_2, STARTER_1 = "core-2", "starter-1"
SUITES = (CORE_2, STARTER_1)
MAX_STAKE = 2.0
Settings: TypeAlias = Mapping[str, Mapping[str, int | str]]
#: The name of the measured player. It is fixed because seeds depend on names.
PLAYER = "player"
RANDOM_SHARE = 0.5
#: Stop drawing after this many games without a new position, because a small game has few.
MAX_DRY_GAMES = 300
MAX_STATEMENTS = 24


@dataclass(frozen=True)
class Size:
    pairs: int
    positions: int

    def __post_init__(self) -> None:
        if self.pairs < 1 or self.positions < 1:
            raise ValueError(
                "A bench needs at least one pair of games per opponent, and at least one position."
            )

    @property
    def statements(self) -> int:
        return min(MAX_STATEMENTS, 1 + self.positions // 5)


SIZES = {"small": Size(4, 40), "full": Size(50, 500)}


@dataclass(frozen=True)
class Suite:
    """The games, the ladder of opponents, the seed and the size of a bench.

    >>> suite = find_suite("small")
    >>> suite.name, len(suite.games), suite.ladder[0], suite.is_public
    ('core-2', 5, 'random', True)
    """

    name: str
    games: tuple[AnyGame, ...]
    ladder: tuple[str, ...]
    size: Size
    seed: int
    salt: str = ""
    variant: bool = False
    #: The fixed positions for a move and for a mixed strategy, or empty to draw them.
    moves: tuple[Spot, ...] = ()
    statements: tuple[Spot, ...] = ()

    @property
    def is_public(self) -> bool:
        """Return whether the seed is public. If it is, a player could know the games in advance."""
        return bool(self.salt)

    @property
    def events(self) -> list[str]:
        return [event_name(game) for game in self.games]

    def schedule(self, who: str) -> Schedule:
        people = (Person(PLAYER, who), *(Person(rung, rung) for rung in self.ladder))
        size, salt = self.size, self.salt
        return Schedule(people, self.games, size.pairs, self.seed, gauntlet=PLAYER, salt=salt)

    def only(self, names: Sequence[str]) -> Suite:
        known = [game.name for game in self.games]
        for name in names:
            if name not in known:
                raise ValueError(
                    f"{self.name} does not include {name}; choose from {', '.join(known)}."
                )
        return replace(self, games=tuple(game for game in self.games if game.name in names))


def find_suite(
    size: str | Size = "full",
    seed: int | None = None,
    settings: Settings | None = None,
    name: str = CORE_2,
) -> Suite:
    """Return a suite by its name. With a `seed`, its cards and positions are new.

    `settings` changes the settings of games, and needs a `seed`. Raise ValueError if an argument is
    not valid.
    """
    if name not in SUITES:
        raise ValueError(f"There is no suite {name!r}; choose {' or '.join(SUITES)}.")
    file = resources.files("number_duels.bench").joinpath("data", f"{name}.json")
    data = json.loads(file.read_text("utf-8"))  # a changed file would be another suite
    own = settings or {}
    if own and seed is None:
        raise ValueError(f"The games of {name} are fixed; to change settings, give a seed.")
    games = tuple(
        load(game, **{**usual, **own.get(game, {})}) for game, usual in data["games"].items()
    )
    if isinstance(size, str) and size not in SIZES:
        raise ValueError(f"There is no size {size!r}; choose {' or '.join(SIZES)}.")
    measured = size if isinstance(size, Size) else SIZES[size]
    ladder = tuple(data["ladder"])
    if seed is not None:
        return Suite(name, games, ladder, measured, seed, variant=bool(own))
    moves, statements = (
        tuple(
            Spot(game.name, game.settings, deal, moves, Seat(seat - 1))
            for game in games
            for deal, moves, seat in data[kind][game.name]
        )
        for kind in ("moves", "statements")
    )
    salt = read_salt(data["salt"])
    return Suite(
        *(name, games, ladder, measured, data["seed"], salt), moves=moves, statements=statements
    )


def positions_of(suite: Suite, solution: AnySolution, salt: str = "") -> tuple[Spot, ...]:
    """Return the positions that ask for a move. A secret `salt` keeps drawn positions secret."""
    game, count = solution.game, suite.size.positions
    if not suite.moves:
        return draw_positions(solution, count, stream(suite.seed, "positions", game.name, salt))
    return tuple(one for one in suite.moves if one.game == game.name)[:count]


def statements_of(suite: Suite, solution: AnySolution, salt: str = "") -> tuple[Spot, ...]:
    game, count = solution.game, suite.size.statements
    if not suite.statements:
        return draw_statements(solution, count, stream(suite.seed, "statements", game.name, salt))
    return tuple(one for one in suite.statements if one.game == game.name)[:count]


def draw_positions(
    solution: AnySolution,
    count: int,
    rng: Random,
    wanted: Callable[[OpenSpot], bool] = lambda _: True,
    progress: Progress = silent,
) -> tuple[Spot, ...]:
    """Draw up to `count` different positions that `wanted` accepts.

    Prefer common positions and those with a high stake: the value of the best move minus that of
    the worst.
    """
    found: dict[str, Spot] = {}
    dry = 0
    while len(found) < count and dry < MAX_DRY_GAMES:
        known = len(found)
        history = play_out(solution, rng, dict.fromkeys(Seat, RANDOM_SHARE))
        for spot in decisions_of(history, rng):
            values = solution.option_values(spot.state, spot.seat)
            staked = rng.random() * MAX_STAKE < drop_rounding_error(max(values) - min(values))
            if staked and spot.id not in found and wanted(spot):
                found[spot.id] = spot.spot
        dry = 0 if len(found) > known else dry + 1
        progress(min(1.0, len(found) / count))
    return tuple(rng.sample(list(found.values())[:count], min(count, len(found))))


def draw_statements(solution: AnySolution, count: int, rng: Random) -> tuple[Spot, ...]:
    """Return the first decision, then positions that need a mixed strategy, then others."""
    found = [opening(solution.game, rng)][:count]
    drills = Drills(solution)
    for form in (MIXED, MOVE):
        with suppress(ValueError):  # no such position is left
            while len(found) < count:
                seen = {spot.id for spot in found}
                found.append(drills.draw(Scope(form=form), Learner(), rng, seen).spot)
    return tuple(spot.spot for spot in found)


def opening(game: AnyGame, rng: Random) -> OpenSpot:
    history: AnyHistory = History(game, game.start(rng))
    while isinstance(turn := history.turn, Chance):
        history = history.sampled(sample(turn.odds, rng))
    assert isinstance(turn, Decision)
    return OpenSpot(game, history, min(turn.options, default=Seat.ONE))
