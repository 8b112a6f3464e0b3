"""Which of several equally good moves perfect play chooses: written once, for every solver.

The move after which the opponent goes wrong most easily comes first; then one
that wins at once, and one that loses at once comes last; then the first option.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Numbers = TypeVar("Numbers", float, "NDArray[np.float64]")

#: Tie-break keys that differ by no more than this are equal.
TIE = 5e-10


def tie_break_key(losing_share: Numbers, result: Numbers) -> Numbers:
    """The key of a move; the largest is chosen. It takes arrays too, and can be compiled.

    `losing_share` is the share of the opponent's options that lose value, averaged
    over what nature may do before; `result` is the mover's if the move ends the
    game, else 0. A result counts less than any difference in losing shares.
    """
    return losing_share + result * 1e-9
