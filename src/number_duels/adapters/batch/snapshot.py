"""The games of a batch at one moment, to come back to or to branch off from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from number_duels.adapters.batch.arrays import BatchArrays, read_only


@dataclass(frozen=True)
class BatchStates:
    """All that a batch knows of its games, never to change.

    >>> from number_duels import load
    >>> from number_duels.adapters.batch import Batch
    >>> batch = Batch(load("number-bid", numbers=4), size=3, compiled=False)
    >>> before = batch.states()
    >>> batch.step([[3, 0], [3, 1], [3, 2]])
    >>> batch.set_states(before)
    >>> len(before), bool(batch.masks.all())
    (3, True)
    """

    arrays: BatchArrays

    @classmethod
    def of(cls, arrays: BatchArrays) -> BatchStates:
        """A copy of the arrays of a batch."""
        return cls(BatchArrays._make(read_only(array.copy()) for array in arrays))

    def __len__(self) -> int:
        return len(self.arrays.rows)

    def __getitem__(self, games: npt.NDArray[np.int64] | slice) -> BatchStates:
        """Some of the games, as often as they are named."""
        # Figures that are not kept have no rows.
        chosen = (array[games] if len(array) == len(self) else array for array in self.arrays)
        return BatchStates.of(BatchArrays._make(chosen))
