"""The kernel of Number Stack Showdown. Numba is imported only for solving."""

from number_duels.solvers.kernels.number_stack_showdown.kernel import Kernel

__all__ = ["Kernel"]
