"""Play whole games with random moves, and count their results and turns."""

from __future__ import annotations

from operator import index
from typing import Literal, NamedTuple, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch import python_engine
from number_duels.adapters.batch.compiled_engine import (
    MIN_WHOLE_GAMES_PER_THREAD,
    find_kernel,
    in_threads,
)
from number_duels.adapters.batch.splitmix64 import UINT64_MASK
from number_duels.core.game import SomeGame
from number_duels.games import as_game

#: How many games Player 1 won, drew and lost (rows), by number of turns (columns).
Histogram = npt.NDArray[np.int64]


class Tally(NamedTuple):
    """How many random games Player 1 won, drew and lost, and how many turns they took.

    >>> Tally(won=480, drawn=40, lost=480, turns=5000).drawn
    40
    """

    #: Games that Player 1 won.
    won: int
    #: Games that nobody won.
    drawn: int
    #: Games that Player 1 lost.
    lost: int
    #: The number of turns in all games.
    turns: int


@overload
def playouts(
    game: SomeGame | str,
    count: int,
    seed: SupportsIndex = 0,
    *,
    histogram: Literal[False] = False,
    threads: int | None = 1,
    compiled: bool = True,
) -> Tally: ...


@overload
def playouts(
    game: SomeGame | str,
    count: int,
    seed: SupportsIndex = 0,
    *,
    histogram: Literal[True],
    threads: int | None = 1,
    compiled: bool = True,
) -> Histogram: ...


def playouts(
    game: SomeGame | str,
    count: int,
    seed: SupportsIndex = 0,
    *,
    histogram: bool = False,
    threads: int | None = 1,
    compiled: bool = True,
) -> Tally | Histogram:
    """Play whole games with random moves, and count how they end.

    With `histogram`, return an array of counts. Its rows are Player 1's wins, draws and losses. Its
    columns are the numbers of turns, up to the longest game.

    >>> from number_duels import load
    >>> game = load("number-bid", numbers=2)
    >>> playouts(game, 1000, seed=7, compiled=False)
    Tally(won=253, drawn=471, lost=276, turns=1471)
    >>> playouts(game, 1000, seed=7, histogram=True, compiled=False)
    array([[  0, 253,   0],
           [  0,   0, 471],
           [  0, 276,   0]])
    """
    if count < 0:
        raise ValueError(f"The number of games must be 0 or more, not {count}.")
    counts = count_games(as_game(game), count, index(seed) & UINT64_MASK, threads, compiled)
    if histogram:
        return counts[:, : 1 + int(np.flatnonzero(counts.any(axis=0)).max(initial=0))]
    won, drawn, lost = counts.sum(axis=1).tolist()
    return Tally(won, drawn, lost, int(counts.sum(axis=0) @ np.arange(counts.shape[1])))


def count_games(
    game: SomeGame, count: int, seed: int, threads: int | None, compiled: bool
) -> Histogram:
    kernel = find_kernel(game) if compiled else None
    if kernel is None:
        return python_engine.playouts(game, seed, count)
    parts: list[Histogram] = []

    def play(begin: int, end: int) -> None:
        counts = np.zeros((3, game.most_turns + 1), np.int64)
        kernel.playouts()(kernel.packed.settings, np.uint64(seed), begin, end, counts)
        parts.append(counts)

    in_threads(play, count, threads, MIN_WHOLE_GAMES_PER_THREAD)
    total: Histogram = np.sum(parts, axis=0)
    return total
