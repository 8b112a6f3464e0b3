"""The arrays of a batch: what its users read, and what its engine keeps between steps."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from number_duels.adapters.encoding import Encoding, Observation

#: Packed as a kernel packs them, or in one column as they are.
States: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.object_]


class BatchArrays(NamedTuple):
    """A row for every game."""

    rows: States
    #: The random number of the turn is `mix` of this.
    streams: npt.NDArray[np.uint64]
    #: How many games were played here before.
    played: npt.NDArray[np.int64]
    movers: npt.NDArray[np.int8]
    observations: Observation
    masks: npt.NDArray[np.bool_]
    rewards: npt.NDArray[np.float32]
    done: npt.NDArray[np.bool_]
    illegal: npt.NDArray[np.bool_]
    finals: Observation


def empty_arrays(encoding: Encoding, rows: States, seats: int) -> BatchArrays:
    """Arrays for as many games as there are rows."""
    size, length = len(rows), len(encoding.low)
    return BatchArrays(
        rows=rows,
        streams=np.zeros(size, np.uint64),
        played=np.zeros(size, np.int64),
        movers=np.zeros(size, np.int8),
        observations=np.zeros((size, seats, length), encoding.dtype),
        masks=np.zeros((size, seats, encoding.action_count), np.bool_),
        rewards=np.zeros((size, 2), np.float32),
        done=np.zeros(size, np.bool_),
        illegal=np.zeros((size, 2), np.bool_),
        finals=np.zeros((size, 2, length), encoding.dtype),
    )
