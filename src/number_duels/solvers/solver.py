"""Solve a game: open its cached solution, or work it out by the fastest method there is."""

from __future__ import annotations

from time import perf_counter

from number_duels.core.game import E, Game, M, S
from number_duels.solvers import kernels
from number_duels.solvers.backward_induction import Induction
from number_duels.solvers.cache import STRATEGIES, SolutionCache
from number_duels.solvers.cache_file import CachedTables
from number_duels.solvers.protocols import Method, Progress, Tables, silent
from number_duels.solvers.solution import Solution
from number_duels.solvers.table_reader import Origin, TableReader

#: The most states to try in plain Python where a faster way exists but is not installed.
MAX_PLAIN_STATES = 300_000
#: Whoever adds more than this to a user's cache says so first.
LARGE_CACHE_BYTES = 100_000_000


def solve(
    game: Game[S, M, E], *, progress: Progress | None = None, cache: bool = True
) -> Solution[S, M, E]:
    """Solve a game exactly, or open its solution if it was solved before.

    `progress` is called now and then with the fraction done. Without `cache`
    nothing is read from disk or written there. A game that hides something from
    a seat that decides, that can repeat, or that is too large is refused with
    `Unsolvable`, a ValueError.

    >>> from number_duels import load
    >>> game = load("number-drop")
    >>> solution = solve(game, cache=False)
    >>> solution.value(game.start()), solution.states
    (1.0, 204722)
    """
    began = perf_counter()
    report = progress or silent
    method = method_for(game)
    store = SolutionCache(game, method.identity) if cache else None

    def work() -> tuple[Tables, str | None]:
        report(0.0)  # whoever will not wait can say so before anything is begun
        tables = method.solve(report)
        report(1.0)
        return tables, store.write(tables) if store else None

    found: Tables | CachedTables | None = store.read() if store else None
    cached, warning = found is not None, None
    if found is None:
        found, warning = work()
    reader = TableReader(method, found.sections, lambda: work()[0].sections)
    arrays = SolutionCache(game, f"{STRATEGIES} {method.identity}") if cache else None
    seconds = perf_counter() - began
    return Solution(game, reader, Origin(found.states, seconds, cached, warning, arrays))


def bytes_to_cache(game: Game[S, M, E]) -> int:
    """About how much solving a game would put into the cache; 0 if it is there, or is small.

    >>> from number_duels import load
    >>> bytes_to_cache(load("number-knot")) < 10_000_000
    True
    """
    method = method_for(game)
    store = SolutionCache(game, method.identity)
    return 0 if store.rules is None or store.read() else method.table_bytes()


def is_kept(game: Game[S, M, E]) -> bool:
    """Whether the solution of a game is in the cache."""
    store = SolutionCache(game, method_for(game).identity)
    return store.rules is not None and store.read() is not None


def method_for(game: Game[S, M, E]) -> Method[S]:
    """The best way to solve a game: its kernel, or plain induction."""
    try:
        return kernels.find_kernel(game) or Induction(game)
    except ModuleNotFoundError:
        return Induction(
            game, MAX_PLAIN_STATES, "run pip install 'number-duels[play]' and try again"
        )
