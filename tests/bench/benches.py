"""Small benches for the tests beside this."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import number_duels as nd
from number_duels.arena.engines import Engine
from number_duels.bench.results import BenchFile, Results, read_bench
from number_duels.bench.run import Bench, header_of
from number_duels.bench.suite import CORE_2, Size, Suite
from number_duels.core.game import AnyGame
from number_duels.players.external import Limits
from number_duels.review.position import AnySolution
from tests.arena.matches import in_process

SETTINGS: dict[str, dict[str, int | str]] = {
    "number-knot": {"numbers": 4, "life": 5},
    "high-low-battle": {"cards": 4, "rounds": 3},
}
GAMES: tuple[AnyGame, ...] = tuple(nd.load(name, **own) for name, own in SETTINGS.items())
LADDER = ("random", "perfect")
LIMITS = Limits(seconds=10)
SALT = "00112233445566778899aabbccddeeff"


def small(
    pairs: int = 3,
    positions: int = 4,
    seed: int = 5,
    salt: str = SALT,
    ladder: tuple[str, ...] = LADDER,
) -> Suite:
    """Two small games with a seed of their own, which everybody knows if there is a salt."""
    return Suite(CORE_2, GAMES, ladder, Size(pairs, positions), seed, salt)


@cache
def solutions() -> dict[AnyGame, AnySolution]:
    return {game: nd.solve(game, cache=False) for game in GAMES}


def by_name() -> dict[str, AnySolution]:
    return {game.name: solution for game, solution in solutions().items()}


def opened(suite: Suite, who: str, path: Path, limits: Limits = LIMITS) -> Bench:
    return Bench(suite, who, limits, BenchFile(path, header_of(suite, who, limits)))


def run(
    suite: Suite, who: str, path: Path, engine: Engine | None = None, limits: Limits = LIMITS
) -> Results:
    """A bench, played into a file."""
    opened(suite, who, path, limits).run(engine or in_process(), solutions())
    return read_bench(path)
