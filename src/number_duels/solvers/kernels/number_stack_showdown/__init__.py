"""The kernel for Number Stack Showdown. Importing it does not import Numba."""

from number_duels.solvers.kernels.number_stack_showdown.kernel import Kernel

__all__ = ["Kernel"]
