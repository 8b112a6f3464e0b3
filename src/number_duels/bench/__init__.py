"""A fixed suite of games and positions that measures any player.

Call `bench` to measure a player and get a report. A player is a word such as `perfect`, an NPZ
file, a function, an array or an object. `size` is `small` or `full`, and `suite` is `core-2` or
`starter-1`. With a `seed`, the cards and positions are new, and games may have other settings. The
games run in this process. The command `duels bench` uses all cores and saves the results.

>>> import number_duels as nd
>>> found = nd.bench("perfect", ["number-knot"])
>>> [(row["event"], row["loss"], row["forfeits"]) for row in found.table()]
[('number-knot', 0.0, 0)]
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from number_duels.core import make_callable

if TYPE_CHECKING:
    from number_duels.bench.report import BenchReport
    from number_duels.core.game import SomeGame
    from number_duels.players.registry import PlayerLike


def bench(
    player: PlayerLike,
    games: SomeGame | str | Iterable[SomeGame | str] | None = None,
    size: str = "small",
    *,
    seed: int | None = None,
    suite: str = "core-2",
) -> BenchReport:
    """Measure a player, and return the report."""
    from number_duels.bench.run import run_bench

    return run_bench(player, games, size, seed, suite)


make_callable(__name__, bench)
