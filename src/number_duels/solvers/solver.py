"""Solve a game with the fastest method, or open its cached solution."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from time import perf_counter
from typing import overload

from number_duels.core.game import E, Game, M, S
from number_duels.core.progress_bar import progress_bar
from number_duels.games import as_game
from number_duels.solvers import kernels
from number_duels.solvers.cache import Progress, SolutionCache
from number_duels.solvers.induction import Induction, Method
from number_duels.solvers.solution import Solution, TableReader
from number_duels.solvers.strategy_lock_solution import LockedSolution
from number_duels.solvers.strategy_locks import Lock, LockRules

#: The most states to solve in plain Python if the library for a faster method is missing.
MAX_PLAIN_STATES = 300_000
REMEDY = "run pip install 'number-duels[play]' and try again"
#: Before adding more than this to the cache, callers tell the user.
LARGE_CACHE_BYTES = 100_000_000


@overload
def solve(
    game: Game[S, M, E] | str,
    *,
    locks: None = None,
    progress: Progress | None = None,
    cache: bool = True,
    **settings: int | str,
) -> Solution[S, M, E]: ...


@overload
def solve(
    game: Game[S, M, E] | str,
    *,
    locks: Iterable[Lock | str],
    progress: Progress | None = None,
    cache: bool = True,
    **settings: int | str,
) -> LockedSolution[S, M, E]: ...


def solve(
    game: Game[S, M, E] | str,
    *,
    locks: Iterable[Lock | str] | None = None,
    progress: Progress | None = None,
    cache: bool = True,
    **settings: int | str,
) -> Solution[S, M, E] | LockedSolution[S, M, E]:
    """Solve a game exactly, or open its cached solution.

    `game` may also be a name, followed by settings. `locks` fix parts of a player's strategy. With
    locks, the result is a `LockedSolution`. `progress` is called repeatedly with the fraction done.
    The default draws a progress bar if standard error is a terminal. With `cache=False`, nothing is
    read from disk or written to it.

    Raise Unsolvable, a ValueError, if the game is too large, if its positions can repeat, or if
    something is hidden from a seat that decides.

    >>> from number_duels import Seat, load
    >>> game = load("number-drop")
    >>> solution = solve(game, cache=False)
    >>> solution.value(game.start()), solution.states
    (1.0, 204722)
    >>> game = load("high-low-battle", cards=4, rounds=2)
    >>> locked = solve(game, locks=["2 never 1"], cache=False)
    >>> round(locked.value(game.start()), 3)
    0.167
    >>> round(locked.reply_value(game.start(), Seat.ONE), 3)
    0.333
    """
    began = perf_counter()
    game = as_game(game, **settings)
    rules = None if locks is None else LockRules.read(game, locks)
    with nullcontext(progress) if progress else progress_bar(f"Solving {game.title}") as report:
        tables = TableReader(game, method_for(game), report, cache=cache)
        solution = Solution(game, tables, perf_counter() - began)
        return solution if rules is None else LockedSolution(solution, rules, report)


def bytes_to_cache(game: Game[S, M, E]) -> int:
    """Return about how many bytes solving a game adds to the cache, or 0 if they are few.

    >>> from number_duels import load
    >>> bytes_to_cache(load("number-knot")) < 10_000_000
    True
    """
    method = method_for(game)
    store = SolutionCache(game, method.identity)
    return 0 if store.rules is None or store.read() else method.table_bytes()


def is_kept(game: Game[S, M, E]) -> bool:
    return SolutionCache(game, method_for(game).identity).read() is not None


def method_for(game: Game[S, M, E]) -> Method[S, M, E]:
    try:
        return kernels.find_kernel(game) or Induction(game)
    except ModuleNotFoundError:
        plain = kernels.find_plain_kernel(game, MAX_PLAIN_STATES, REMEDY)
        return plain or Induction(game, MAX_PLAIN_STATES, REMEDY)
