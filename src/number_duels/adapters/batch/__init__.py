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

from collections.abc import Hashable, Sequence
from copy import deepcopy
from functools import cached_property
from operator import index
from typing import Any, Literal, SupportsIndex, TypeAlias, overload

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "NumPy", "learn"):
    import numpy as np
    import numpy.typing as npt

from number_duels.adapters.batch.arrays import (
    BEGIN,
    NOBODY,
    SHOW,
    STEP,
    BatchStates,
    Order,
    Shown,
    copied,
    empty_arrays,
    read_only,
    shown,
)
from number_duels.adapters.batch.compiled_engine import (
    CompiledEngine,
    available_threads,
    find_engine,
)
from number_duels.adapters.batch.lookup import AnySolution, KnownPolicy
from number_duels.adapters.batch.policies import Policy, policy_function, rival_seats
from number_duels.adapters.batch.python_engine import PythonEngine
from number_duels.adapters.batch.random_games import Histogram, Tally, playouts
from number_duels.adapters.batch.splitmix64 import UINT64_MASK, stream_start
from number_duels.adapters.encoding import Encoding, Observation
from number_duels.core.game import Decision, Seat, SomeGame
from number_duels.solvers import solve

__all__ = ["Batch", "Shown", "BatchStates", "Policy", "playouts", "Tally", "Histogram"]

Autoreset: TypeAlias = Literal["same-step", "next-step"]
#: A seat for all games, one for each, or one drawn for every new game; None: nobody.
Rival: TypeAlias = Seat | Literal["random"] | npt.ArrayLike | None


class Batch:
    """Many games of one kind; a step plays one turn of each, and replaces those that have ended.

    The arrays are filled again by every step; copy what is to be kept. A `rival` is a seat that
    the batch itself plays within a step: at random, or by a `policy`. What is a table (`perfect`,
    the levels, `Tables`) plays in compiled code; other policies are asked in plain Python.
    With `values` the exact figures of the solution stand beside the steps.
    """

    def __init__(
        self,
        game: SomeGame,
        size: int,
        seed: SupportsIndex = 0,
        *,
        rival: Rival = None,
        policy: str | Policy | KnownPolicy | None = None,
        values: bool = False,
        autoreset: Autoreset = "same-step",
        threads: int | None = 1,
        compiled: bool = True,
    ) -> None:
        if size < 1:
            raise ValueError(f"A batch has at least 1 game, not {size}.")
        if autoreset not in ("same-step", "next-step"):
            raise ValueError(f"autoreset is 'same-step' or 'next-step', not {autoreset!r}.")
        rivals = rival_seats(rival, size)
        if policy is not None and rivals is None:
            raise ValueError("A policy needs a seat to play; say rival=Seat.ONE or Seat.TWO.")
        available_threads(threads)  # refuses what is no number of threads
        self.game, self.size, self.seed = game, size, index(seed) & UINT64_MASK
        # The rules tell seats apart by identity: a plain 1 would be nobody's.
        same = rivals is not None and rivals.ndim == 0
        self.rival = Seat(int(rivals)) if same else rival  # type: ignore[arg-type]  # it is one
        self.policy, self.compiled = policy, compiled
        #: Whether `values` and `losses` are filled in.
        self.has_values = values
        self._next_step, self._draw_seats = autoreset == "next-step", isinstance(rival, str)
        self._threads = threads
        self.encoding = Encoding(game)
        #: How many seats decide in a turn, at most.
        self.seats = self.encoding.choosers
        self._engine = self._find_engine()
        self._arrays = empty_arrays(self.encoding, self._engine.rows(size), values)
        self._arrays.rivals[:] = NOBODY if rivals is None else rivals
        self._actions = np.zeros((size, self.seats), np.int64)
        self.reset()

    def _find_engine(self) -> PythonEngine | CompiledEngine:
        """A kernel, if there is one and none is in its way; otherwise the readable rules."""
        solution = self.solution if self.has_values else None
        policy = policy_function(self.policy, self.game)
        if self.compiled:
            plain = self.rival is None and not self._next_step
            found = find_engine(self.game, policy, solution, self._threads, plain=plain)
            if found:
                return found
        if solution is not None:
            solution.open_arrays()
        return PythonEngine(self.encoding, policy, solution)

    def _run(self, mode: int, actions: npt.NDArray[np.int64]) -> None:
        order = Order(mode, self._next_step, self._draw_seats)
        self._engine.step(self._arrays, self.seed, actions, order)

    @cached_property
    def solution(self) -> AnySolution:
        """The exact solution of the game."""
        return solve(self.game)

    def reset(self, seed: SupportsIndex | None = None) -> None:
        """Begin all games again: the first games of a seed."""
        self.seed = self.seed if seed is None else index(seed) & UINT64_MASK
        self._arrays.played[:] = self._arrays.finals[:] = 0
        self._run(BEGIN, self._actions)

    @overload
    def step(self, actions: npt.ArrayLike, *, copy: Literal[False] = False) -> None: ...

    @overload
    def step(self, actions: npt.ArrayLike, *, copy: Literal[True]) -> Shown: ...

    def step(self, actions: npt.ArrayLike, *, copy: bool = False) -> Shown | None:
        """Play one turn of every game: an action for each deciding seat of each.

        A column for each seat; where one seat decides, a plain row of actions will do. With
        `copy` it gives what it shows in arrays that no later step fills.
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
        self._run(STEP, given)
        return deepcopy(shown(self._arrays)) if copy else None

    # ---- what a step leaves ------------------------------------------------------

    @property
    def observations(self) -> Observation:
        """What the deciding seats see: games by seats by numbers, as `Encoding.observation`."""
        return read_only(self._arrays.observations)

    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """What the deciding seats may do: games by seats by actions."""
        return read_only(self._arrays.masks)

    @property
    def movers(self) -> npt.NDArray[np.int8]:
        """Who decides, 0 or 1; 0 where both do."""
        return read_only(self._arrays.movers)

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """Each seat's result of the games that have ended in this step; otherwise 0."""
        return read_only(self._arrays.rewards)

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Which games have ended in this step; their rows show new games."""
        return read_only(self._arrays.done)

    @property
    def illegal(self) -> npt.NDArray[np.bool_]:
        """Which seats have acted illegally in this step, and lost."""
        return read_only(self._arrays.illegal)

    @property
    def final_observations(self) -> Observation:
        """What both seats saw at the end of the latest game that has ended."""
        return read_only(self._arrays.finals)

    @property
    def rivals(self) -> npt.NDArray[np.int8]:
        """Which seat the batch itself plays in each game, 0 or 1; -1: none."""
        return read_only(self._arrays.rivals)

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """What the positions shown are worth to Player 1, exactly; of an ended game, its result."""
        return read_only(self._arrays.values)

    @property
    def losses(self) -> npt.NDArray[np.float64]:
        """What the choice of each deciding seat in this step lost against its best one, exactly.

        As `Solution.values` has it; 0 for the rival. An illegal action loses the game.
        """
        return read_only(self._arrays.losses)

    @property
    def buffers(self) -> Shown:
        """The same arrays as they are, for libraries that take no read-only ones."""
        return shown(self._arrays)

    # ---- states ------------------------------------------------------------------

    def states(self) -> BatchStates:
        """All games as they are now, to come back to."""
        return BatchStates.of(self._arrays)

    def set_states(self, states: BatchStates) -> None:
        """Go on from states of this batch, or of one that is like it."""
        for own, other in zip(self._arrays, states.arrays, strict=True):
            if own.shape != other.shape or own.dtype != other.dtype:
                raise ValueError("These states are of another game, or of another number of games.")
        for own, other in zip(self._arrays, states.arrays, strict=True):
            own[...] = other

    def set_positions(self, positions: Sequence[Hashable]) -> None:
        """Put a position into each game; the rival answers at once where it is to move."""
        if len(positions) != self.size:
            raise ValueError(f"There are {self.size} games and {len(positions)} positions.")
        rows: npt.NDArray[Any] = self._arrays.rows
        for place, state in enumerate(positions):
            if not isinstance(self.game.turn(state), Decision):
                raise ValueError(f"Nobody decides in position {place}.")
            if self._engine.by_tables:
                self.solution.value(state)  # refuses what cannot arise, which no table has
            rows[place] = self._engine.pack(state)
        self._run(SHOW, self._actions)

    def branch(self, games: npt.ArrayLike, seed: SupportsIndex | None = None) -> Batch:
        """A new batch of copies of some games, each as often as it is named.

        Copies of one game meet the same chance; with a `seed` each meets its own.
        """
        chosen = np.asarray(games)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or not len(chosen):
            raise ValueError("Games are named by their indices in the batch, at least one.")
        twin = self.copy()
        twin.size, twin._actions = len(chosen), np.zeros((len(chosen), self.seats), np.int64)
        twin._arrays = copied(BatchStates(self._arrays)[chosen].arrays)
        if seed is not None:
            twin.seed = index(seed) & UINT64_MASK
            places: Any = np.arange(len(chosen), dtype=np.uint64)
            # Arrays of words are mixed as single words are.
            streams: Any = twin._arrays.streams
            streams[:] = stream_start(twin.seed, places, streams)
        return twin

    # ---- copies ------------------------------------------------------------------

    def copy(self) -> Batch:
        """An equal batch that goes on by itself."""
        twin = object.__new__(Batch)
        twin.__dict__.update(self.__dict__)
        twin._arrays, twin._actions = copied(self._arrays), self._actions.copy()
        return twin

    __copy__ = copy

    def __deepcopy__(self, _: dict[int, object]) -> Batch:
        return self.copy()

    def __getstate__(self) -> dict[str, object]:
        made_again = ("_engine", "solution")
        return {name: value for name, value in vars(self).items() if name not in made_again}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
        self._engine = self._find_engine()
