"""Number Stack Showdown by sets of cards; Numba is imported only to solve it."""

from number_duels.solvers.kernels.number_stack_showdown.kernel import Kernel

__all__ = ["Kernel"]
