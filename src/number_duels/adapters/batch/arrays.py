"""The arrays of a batch, for its users and for its engine, and snapshots of both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from number_duels.adapters.encoding import Encoding, Observation

#: Packed as a kernel packs them, or in one column as they are.
States: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.object_]

Kind = TypeVar("Kind", bound=np.generic)

#: What a call of an engine does with every game: play a turn, begin it, or show it as it is.
STEP, BEGIN, SHOW = 0, 1, 2
NOBODY = -1
ALIGNMENT_BYTES = 64


class Order(NamedTuple):
    """What an engine does with games, and how they follow one another."""

    #: `STEP`, `BEGIN` or `SHOW`.
    mode: int
    #: A game that has ended is followed by a new one in the next step, not in the same.
    next_step: bool
    #: The rival's seat is drawn anew for every game.
    draw_seats: bool


class BatchArrays(NamedTuple):
    """A row for every game; after the first four, the arrays of `Shown`."""

    rows: States
    #: The random number of the turn is `mix` of this.
    streams: npt.NDArray[np.uint64]
    #: How many games were played here before.
    played: npt.NDArray[np.int64]
    #: Which seat the batch itself plays; `NOBODY`: none.
    rivals: npt.NDArray[np.int8]
    observations: Observation
    masks: npt.NDArray[np.bool_]
    movers: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    done: npt.NDArray[np.bool_]
    illegal: npt.NDArray[np.bool_]
    finals: Observation
    #: Exact figures: a row for every game, or none.
    values: npt.NDArray[np.float64]
    losses: npt.NDArray[np.float64]


class Shown(NamedTuple):
    """What a step leaves to be seen; see `Batch` for each.

    >>> from number_duels import load
    >>> from number_duels.adapters.batch import Batch
    >>> batch = Batch(load("number-bid", numbers=4), size=2, compiled=False)
    >>> batch.step([[3, 0], [3, 1]], copy=True).done
    array([False, False])
    """

    #: What the deciding seats see.
    observations: Observation
    #: What they may do.
    masks: npt.NDArray[np.bool_]
    #: Who decides, 0 or 1.
    movers: npt.NDArray[np.int8]
    #: Each seat's result of the games that have ended.
    rewards: npt.NDArray[np.float32]
    #: Which games have ended.
    done: npt.NDArray[np.bool_]
    #: Which seats have acted illegally.
    illegal: npt.NDArray[np.bool_]
    #: What both saw at the end.
    final_observations: Observation
    #: What positions are worth to Player 1.
    values: npt.NDArray[np.float64]
    #: What the choices lost.
    losses: npt.NDArray[np.float64]


def shown(arrays: BatchArrays) -> Shown:
    """Return the arrays that users read, themselves."""
    return Shown._make(arrays[4:])


def read_only(array: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
    """The same array, for those who only look."""
    view = array.view()
    view.flags.writeable = False
    return view


def aligned(array: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
    """A copy that begins where JAX wants an array to begin, which then takes it as it is."""
    if array.dtype.hasobject:
        return array.copy()
    room = np.empty(array.nbytes + ALIGNMENT_BYTES, np.uint8)
    begin = -room.ctypes.data % ALIGNMENT_BYTES
    found = room[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    found[...] = array
    return found


def copied(arrays: BatchArrays) -> BatchArrays:
    return BatchArrays._make(map(aligned, arrays))


def empty_arrays(encoding: Encoding, rows: States, values: bool) -> BatchArrays:
    """Arrays for as many games as there are rows."""
    size, length, seats = len(rows), len(encoding.low), encoding.choosers
    arrays = BatchArrays(
        rows=rows,
        streams=np.zeros(size, np.uint64),
        played=np.zeros(size, np.int64),
        rivals=np.full(size, NOBODY, np.int8),
        observations=np.zeros((size, seats, length), encoding.dtype),
        masks=np.zeros((size, seats, encoding.action_count), np.bool_),
        movers=np.zeros(size, np.int8),
        rewards=np.zeros((size, 2), np.float32),
        done=np.zeros(size, np.bool_),
        illegal=np.zeros((size, 2), np.bool_),
        finals=np.zeros((size, 2, length), encoding.dtype),
        values=np.zeros(size if values else 0),
        losses=np.zeros((size if values else 0, seats)),
    )
    return copied(arrays)


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
