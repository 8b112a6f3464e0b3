"""The arrays of a batch, and snapshots of these arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from number_duels.adapters.encoding import Encoding, Observation

#: States of the machine rules with a column per number, or readable states in one column.
States: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.object_]

Kind = TypeVar("Kind", bound=np.generic)

#: What an engine call does: play a turn of every game, start all games, or show them unchanged.
STEP, BEGIN, SHOW = 0, 1, 2
NOBODY = -1
ALIGNMENT_BYTES = 64


class Order(NamedTuple):
    mode: int
    #: Whether a new game begins one step after the end of the old one.
    next_step: bool
    #: Whether the rival's seat is drawn for every new game.
    draw_seats: bool


class BatchArrays(NamedTuple):
    rows: States
    #: `mix(stream)` is the turn's random number.
    streams: npt.NDArray[np.uint64]
    #: How many games were played in this row before.
    played: npt.NDArray[np.int64]
    rivals: npt.NDArray[np.int8]
    observations: Observation
    masks: npt.NDArray[np.bool_]
    movers: npt.NDArray[np.int8]
    rewards: npt.NDArray[np.float32]
    done: npt.NDArray[np.bool_]
    illegal: npt.NDArray[np.bool_]
    finals: Observation
    values: npt.NDArray[np.float64]
    losses: npt.NDArray[np.float64]


class Shown(NamedTuple):
    """The arrays that a step fills in. `Batch` has a property for each of them.

    >>> from number_duels import load
    >>> from number_duels.adapters.batch import Batch
    >>> batch = Batch(load("number-bid", numbers=4), size=2, compiled=False)
    >>> batch.step([[3, 0], [3, 1]], copy=True).done
    array([False, False])
    """

    #: The observations of the deciding seats.
    observations: Observation
    #: The legal actions of the deciding seats.
    masks: npt.NDArray[np.bool_]
    #: The seat that decides, 0 or 1.
    movers: npt.NDArray[np.int8]
    #: Each seat's result in the games that ended.
    rewards: npt.NDArray[np.float32]
    #: True for the games that ended.
    done: npt.NDArray[np.bool_]
    #: True for the seats that acted illegally.
    illegal: npt.NDArray[np.bool_]
    #: Both seats' observations at the end.
    final_observations: Observation
    #: The value of each position for Player 1.
    values: npt.NDArray[np.float64]
    #: The loss of each choice.
    losses: npt.NDArray[np.float64]


def shown(arrays: BatchArrays) -> Shown:
    return Shown._make(arrays[4:])


def read_only(array: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
    view = array.view()
    view.flags.writeable = False
    return view


def aligned(array: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
    # JAX can use an aligned array without copying it.
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
    """A read-only snapshot of all games in a batch.

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
        """Return a snapshot of a batch's arrays."""
        return cls(BatchArrays._make(read_only(array.copy()) for array in arrays))

    def __len__(self) -> int:
        return len(self.arrays.rows)

    def __getitem__(self, games: npt.NDArray[np.int64] | slice) -> BatchStates:
        chosen = (array[games] if len(array) == len(self) else array for array in self.arrays)
        return BatchStates.of(BatchArrays._make(chosen))
