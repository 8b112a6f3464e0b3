"""Exact solutions: what every state of a game is worth, and how to play it perfectly."""

from number_duels.solvers.errors import TooLarge, Unreachable, Unsolvable
from number_duels.solvers.locked_solution import LockedPolicy, LockedSolution
from number_duels.solvers.solution import PerfectPolicy, Solution
from number_duels.solvers.solver import solve

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
