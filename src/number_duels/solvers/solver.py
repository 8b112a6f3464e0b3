"""Solve a game: open what was kept, or work it out by the fastest method there is."""

from __future__ import annotations

from time import perf_counter

from number_duels.core.game import E, Game, M, S
from number_duels.solvers import kernels
from number_duels.solvers.backward_induction import Induction
from number_duels.solvers.cache import Shelf
from number_duels.solvers.protocols import Method, Progress, Tables
from number_duels.solvers.solution import Origin, Solution

#: The most keys to try in plain Python where a faster way exists but is not installed.
PATIENCE = 300_000


def solve(
    game: Game[S, M, E], *, progress: Progress | None = None, cache: bool = True
) -> Solution[S, M, E]:
    """Solve a game exactly, or open its solution if it was solved before.

    `progress` is told the fraction done, now and then. Without `cache` nothing
    is read or kept. A game that hides something from who decides, that can
    repeat, or that is too large is refused with `Unsolvable`, a ValueError.

    >>> from number_duels import load
    >>> game = load("number-drop")
    >>> solution = solve(game, cache=False)
    >>> solution.value(game.start()), solution.states
    (1.0, 204722)
    """
    began = perf_counter()
    report = progress or (lambda _: None)
    method = method_for(game)
    shelf = Shelf(game) if cache else None

    def work() -> tuple[Tables, str | None]:
        tables = method.solve(report)
        report(1.0)
        return tables, shelf.keep(method.identity, tables) if shelf else None

    kept = shelf.open(method.identity) if shelf else None
    if kept:
        origin = Origin(kept.states, perf_counter() - began, cached=True)
        return Solution(game, method, kept.sections, origin, lambda: work()[0].sections)
    tables, warning = work()
    origin = Origin(tables.states, perf_counter() - began, cached=False, warning=warning)
    return Solution(game, method, tables.sections, origin, lambda: work()[0].sections)


def method_for(game: Game[S, M, E]) -> Method[S]:
    """The best way to solve a game: its kernel, or plain induction."""
    try:
        return kernels.find_kernel(game) or Induction(game)
    except ModuleNotFoundError:
        return Induction(game, PATIENCE, "run pip install 'number-duels[solve]' and try again")
