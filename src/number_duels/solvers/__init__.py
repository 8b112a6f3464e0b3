"""Exact solutions: what every state of a game is worth, and how to play it perfectly."""

from number_duels.solvers.errors import TooLarge, Unreachable, Unsolvable
from number_duels.solvers.perfect_policy import PerfectPolicy
from number_duels.solvers.solution import Solution
from number_duels.solvers.solver import solve

__all__ = ["PerfectPolicy", "Solution", "TooLarge", "Unreachable", "Unsolvable", "solve"]
