"""Thousands of games stepped at once, in compiled code where a game has a kernel.

>>> import numpy as np
>>> from number_duels import load
>>> batch = Batch(load("number-bid", numbers=4), size=3, seed=7, compiled=False)
>>> batch.observations.shape, batch.masks.shape
((3, 2, 5), (3, 2, 4))
>>> batch.step(np.array([[3, 0], [1, 1], [9, 0]]))
>>> batch.observations[:, 0]
array([[0, 1, 1, 0, 5],
       [1, 0, 1, 1, 0],
       [1, 1, 1, 1, 0]], dtype=int16)
>>> batch.done, batch.rewards[2], batch.illegal[2]
(array([False, False,  True]), array([-1.,  1.], dtype=float32), array([ True, False]))
"""

from __future__ import annotations

from copy import deepcopy
from operator import index
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "NumPy", "solve"):
    import numpy as np
    import numpy.typing as npt

from number_duels.adapters.batch import python_backend
from number_duels.adapters.batch.arrays import BatchArrays, empty_arrays
from number_duels.adapters.batch.compiled import find_kernel
from number_duels.adapters.batch.python_backend import Policy, PythonEngine
from number_duels.adapters.batch.splitmix64 import UINT64_MASK
from number_duels.adapters.encoding import Encoding, Observation
from number_duels.core.game import Seat, SomeGame

if TYPE_CHECKING:
    from number_duels.adapters.batch.compiled.driver import BatchKernel

Actions = npt.NDArray[np.int64]


class CompiledEngine:
    """Steps a batch by a kernel."""

    def __init__(self, kernel: BatchKernel) -> None:
        self.kernel = kernel

    def rows(self, size: int) -> npt.NDArray[np.int64]:
        """Room for as many packed states."""
        return np.zeros((size, self.kernel.width), np.int64)

    def step(
        self, arrays: BatchArrays, seed: int, actions: Actions, rival: Seat | None, fresh: bool
    ) -> None:
        """Play a turn of every game, or begin them all."""
        number = -1 if rival is None else int(rival)
        self.kernel.step(self.kernel.settings, arrays, np.uint64(seed), actions, number, fresh)


class Batch:
    """Many games of one kind; a step plays one turn of each, and replaces those that have ended.

    The arrays are filled again by every step; copy what is to be kept. A `rival` is a seat that
    the batch itself plays within a step: at random, or by a player's `policy`, in plain Python.
    """

    def __init__(
        self,
        game: SomeGame,
        size: int,
        seed: SupportsIndex = 0,
        *,
        rival: Seat | None = None,
        policy: Policy | None = None,
        compiled: bool = True,
    ) -> None:
        if size < 1:
            raise ValueError(f"A batch has at least 1 game, not {size}.")
        if rival is not None and rival not in tuple(Seat):
            raise ValueError(f"A rival is Seat.ONE or Seat.TWO, not {rival!r}.")
        if policy is not None and rival is None:
            raise ValueError("A policy needs a seat to play; say rival=Seat.ONE or Seat.TWO.")
        self.game, self.size, self.seed = game, size, index(seed) & UINT64_MASK
        # The rules tell seats apart by identity: a plain 1 would be nobody's.
        self.rival = None if rival is None else Seat(rival)
        self.policy, self.compiled = policy, compiled
        self.encoding = Encoding(game)
        #: How many seats decide in a turn, at most.
        self.seats = self.encoding.choosers
        self._engine = self._find_engine()
        self._arrays = empty_arrays(self.encoding, self._engine.rows(size), self.seats)
        self._actions = np.zeros((size, self.seats), np.int64)
        self.reset()

    def _find_engine(self) -> PythonEngine | CompiledEngine:
        """A kernel, if there is one and none is in its way; otherwise the readable rules."""
        kernel = find_kernel(self.game) if self.compiled and self.policy is None else None
        return (
            PythonEngine(self.encoding, self.policy) if kernel is None else CompiledEngine(kernel)
        )

    def reset(self, seed: SupportsIndex | None = None) -> None:
        """Begin all games again: the first games of a seed."""
        self.seed = self.seed if seed is None else index(seed) & UINT64_MASK
        for array in (self._arrays.played, self._arrays.rewards, self._arrays.finals):
            array[:] = 0
        self._arrays.done[:] = self._arrays.illegal[:] = False
        self._engine.step(self._arrays, self.seed, self._actions, self.rival, fresh=True)

    def step(self, actions: npt.ArrayLike) -> None:
        """Play one turn of every game: an action for each deciding seat of each.

        A column for each seat; where one seat decides, a plain row of actions will do.
        """
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise ValueError(f"Actions are whole numbers, not {given.dtype}.")
        if given.ndim == 1 and self.seats == 1:
            given = given[:, None]
        if given.shape != self._actions.shape:
            raise ValueError(f"Actions have the shape {self._actions.shape}, not {given.shape}.")
        if given.dtype != np.int64 or not given.flags.carray:  # only such arrays are compiled for
            self._actions[:] = given
            given = self._actions
        self._engine.step(self._arrays, self.seed, given, self.rival, fresh=False)

    # ---- what a step leaves ------------------------------------------------------

    @property
    def observations(self) -> Observation:
        """What the deciding seats see: games by seats by numbers, as `Encoding.observation`."""
        return self._arrays.observations

    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """What the deciding seats may do: games by seats by actions."""
        return self._arrays.masks

    @property
    def movers(self) -> npt.NDArray[np.int8]:
        """Who decides, 0 or 1; 0 where both do."""
        return self._arrays.movers

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """Each seat's result of the games that have ended in this step; otherwise 0."""
        return self._arrays.rewards

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Which games have ended in this step; their rows show new games."""
        return self._arrays.done

    @property
    def illegal(self) -> npt.NDArray[np.bool_]:
        """Which seats have acted illegally in this step, and lost."""
        return self._arrays.illegal

    @property
    def final_observations(self) -> Observation:
        """What both seats saw at the end of the latest game that has ended."""
        return self._arrays.finals

    # ---- copies ------------------------------------------------------------------

    def copy(self) -> Batch:
        """An equal batch that goes on by itself."""
        twin = object.__new__(Batch)
        twin.__dict__.update(self.__dict__)
        twin._arrays, twin._actions = deepcopy((self._arrays, self._actions))
        return twin

    __copy__ = copy

    def __deepcopy__(self, _: dict[int, object]) -> Batch:
        return self.copy()

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "_engine"}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._engine = self._find_engine()


class Tally(NamedTuple):
    """How random games ended for Player 1, and how many turns they had together."""

    won: int
    drawn: int
    lost: int
    turns: int


def playouts(
    game: SomeGame, count: int, seed: SupportsIndex = 0, *, compiled: bool = True
) -> Tally:
    """Play whole games by random moves, and count how they end.

    >>> from number_duels import load
    >>> playouts(load("number-bid", numbers=2), 1000, seed=7, compiled=False)
    Tally(won=253, drawn=471, lost=276, turns=1471)
    """
    if count < 0:
        raise ValueError(f"The number of games to play is 0 or more, not {count}.")
    word = index(seed) & UINT64_MASK
    kernel = find_kernel(game) if compiled else None
    if kernel is None:
        return Tally(*python_backend.playouts(game, word, count))
    return Tally(*kernel.playouts(kernel.settings, np.uint64(word), count))
