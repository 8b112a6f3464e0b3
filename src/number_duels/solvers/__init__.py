"""Exact solutions of games: the value of every state, and how to play perfectly."""

from number_duels.solvers.errors import TooLarge, Unreachable, Unsolvable
from number_duels.solvers.solution import PerfectPolicy, Solution
from number_duels.solvers.solver import solve
from number_duels.solvers.strategy_lock_solution import LockedPolicy, LockedSolution

__all__ = [
    "LockedPolicy",
    "LockedSolution",
    "PerfectPolicy",
    "Solution",
    "TooLarge",
    "Unreachable",
    "Unsolvable",
    "solve",
]
