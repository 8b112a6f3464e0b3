"""Tournaments between many players, and their statistics.

Call `arena` to play all players against each other and get a report. A player is a word such as
`perfect`, an NPZ file, a function, an array or an object. Pass a mapping to name the players. Every
two players play each game `pairs` times in each seat. The games run in this process. The command
`duels arena` uses all cores and saves the games.

>>> import number_duels as nd
>>> players = {"low": lambda view, options, history: options[0], "best": "perfect"}
>>> found = nd.arena(players, ["number-knot"], pairs=2)
>>> found.games, [row["player"] for row in found.table()]
(4, ['best', 'low'])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from number_duels.core import make_callable

if TYPE_CHECKING:
    from number_duels.arena.report import Report
    from number_duels.core.game import SomeGame
    from number_duels.players.registry import PlayerLike


def arena(
    players: Iterable[PlayerLike] | Mapping[str, PlayerLike],
    games: SomeGame | str | Iterable[SomeGame | str] | None = None,
    pairs: int = 50,
    *,
    seed: int = 1,
) -> Report:
    """Play all players against each other, and return the report."""
    # Parts of this package must work without NumPy.
    from number_duels.arena.in_process import run_arena

    return run_arena(players, games, pairs, seed)


make_callable(__name__, arena)
