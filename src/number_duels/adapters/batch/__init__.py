"""Simulate many games at once, in compiled code where possible.

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
from number_duels.adapters.batch.lookup import AnySolution
from number_duels.adapters.batch.policies import policy_function, rival_seats
from number_duels.adapters.batch.python_engine import PythonEngine
from number_duels.adapters.batch.random_games import Histogram, Tally, playouts
from number_duels.adapters.batch.splitmix64 import UINT64_MASK, stream_start
from number_duels.adapters.encoding import Encoding, Observation
from number_duels.core.game import Decision, Seat, SomeGame
from number_duels.games import as_game
from number_duels.players.registry import PlayerLike
from number_duels.solvers import solve

__all__ = ["Batch", "Shown", "BatchStates", "playouts", "Tally", "Histogram"]

Autoreset: TypeAlias = Literal["same-step", "next-step"]
Rival: TypeAlias = Seat | Literal["random"] | npt.ArrayLike | None


class Batch:
    """Many games with the same rules. Each step plays one turn of every game.

    A new game replaces each finished one. Every step overwrites the arrays, so copy what you want
    to keep. The batch plays the seat of a `rival` itself, at random or with a `policy`: a name such
    as `perfect`, an NPZ file, a function, a player or an array. Policies stored as tables
    (`perfect`, the levels, files, arrays and `Tables`) run in compiled code. All others run in
    plain Python, and players do not see the game's history. If `values` is true, each step also
    computes the exact `values` and `losses`.
    """

    def __init__(
        self,
        game: SomeGame | str,
        size: int,
        seed: SupportsIndex = 0,
        *,
        rival: Rival = None,
        policy: PlayerLike | None = None,
        values: bool = False,
        autoreset: Autoreset = "same-step",
        threads: int | None = 1,
        compiled: bool = True,
    ) -> None:
        if size < 1:
            raise ValueError(f"A batch needs at least 1 game, not {size}.")
        if autoreset not in ("same-step", "next-step"):
            raise ValueError(f"autoreset must be 'same-step' or 'next-step', not {autoreset!r}.")
        rivals = rival_seats(rival, size)
        if policy is not None and rivals is None:
            raise ValueError("A policy needs a seat; pass rival=Seat.ONE or Seat.TWO.")
        available_threads(threads)  # raises for an invalid number
        self.game: SomeGame = as_game(game)
        self.size, self.seed = size, index(seed) & UINT64_MASK
        self.rival = rival
        self.policy, self.compiled = policy, compiled
        self.has_values = values
        self._next_step, self._draw_seats = autoreset == "next-step", isinstance(rival, str)
        self._threads = threads
        self.encoding = Encoding(self.game)
        #: The largest number of seats that decide in one turn.
        self.seats = self.encoding.choosers
        self._engine = self._find_engine()
        self._arrays = empty_arrays(self.encoding, self._engine.rows(size), values)
        self._arrays.rivals[:] = NOBODY if rivals is None else rivals
        self._actions = np.zeros((size, self.seats), np.int64)
        self.reset()

    def __repr__(self) -> str:
        return f"<Batch of {self.size} games of {self.game!r}>"

    def _find_engine(self) -> PythonEngine | CompiledEngine:
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
        """Return the exact solution of the game."""
        return solve(self.game)

    def reset(self, seed: SupportsIndex | None = None) -> None:
        """Restart all games. Without a `seed`, use the previous seed again."""
        self.seed = self.seed if seed is None else index(seed) & UINT64_MASK
        self._arrays.played[:] = self._arrays.finals[:] = 0
        self._run(BEGIN, self._actions)

    @overload
    def step(self, actions: npt.ArrayLike, *, copy: Literal[False] = False) -> None: ...

    @overload
    def step(self, actions: npt.ArrayLike, *, copy: Literal[True]) -> Shown: ...

    def step(self, actions: npt.ArrayLike, *, copy: bool = False) -> Shown | None:
        """Play one turn of every game.

        `actions` has one row per game and one column per deciding seat. If only one seat decides,
        it may be one-dimensional. With `copy`, return copies of the arrays, which do not change
        later.
        """
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise ValueError(f"Actions must be whole numbers, not {given.dtype}.")
        if given.ndim == 1 and self.seats == 1:
            given = given[:, None]
        if given.shape != self._actions.shape:
            raise ValueError(f"Actions must have shape {self._actions.shape}, not {given.shape}.")
        if given.dtype != np.int64 or not given.flags.carray:  # the compiled code takes no others
            self._actions[:] = given
            given = self._actions
        self._run(STEP, given)
        return deepcopy(shown(self._arrays)) if copy else None

    @property
    def observations(self) -> Observation:
        """Return the observations of the deciding seats. The axes are games, seats and numbers."""
        return read_only(self._arrays.observations)

    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """Return True for each legal action of a deciding seat.

        The axes are games, seats, actions.
        """
        return read_only(self._arrays.masks)

    @property
    def movers(self) -> npt.NDArray[np.int8]:
        """Return the seat to move in each game, 0 or 1. It is 0 if both seats choose at once."""
        return read_only(self._arrays.movers)

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """Return each seat's result if its game ended in this step, otherwise 0."""
        return read_only(self._arrays.rewards)

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Return True for each game that ended in this step.

        In `same-step` mode, `observations` and `masks` already show the new games.
        """
        return read_only(self._arrays.done)

    @property
    def illegal(self) -> npt.NDArray[np.bool_]:
        """Return True for each seat that lost its game in this step by an illegal action."""
        return read_only(self._arrays.illegal)

    @property
    def final_observations(self) -> Observation:
        """Return both seats' observations at the end of the last finished game in each row."""
        return read_only(self._arrays.finals)

    @property
    def rivals(self) -> npt.NDArray[np.int8]:
        """Return the seat that the batch plays in each game: 0 or 1, or -1 if it plays none."""
        return read_only(self._arrays.rivals)

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """Return the exact value of each position for Player 1, or the result after the end."""
        return read_only(self._arrays.values)

    @property
    def losses(self) -> npt.NDArray[np.float64]:
        """Return the exact loss of each deciding seat's action, compared with its best action.

        It is 0 for the rival. An illegal action costs the position's value for that seat, plus 1.
        """
        return read_only(self._arrays.losses)

    @property
    def buffers(self) -> Shown:
        """Return the writable arrays themselves, for libraries that reject read-only ones."""
        return shown(self._arrays)

    def states(self) -> BatchStates:
        """Return a snapshot of all games, which `set_states` can restore."""
        return BatchStates.of(self._arrays)

    def set_states(self, states: BatchStates) -> None:
        """Restore a snapshot of this batch, or of another batch with the same game and size."""
        for own, other in zip(self._arrays, states.arrays, strict=True):
            if own.shape != other.shape or own.dtype != other.dtype:
                raise ValueError(
                    "These states are from another game, or from a batch of another size."
                )
        for own, other in zip(self._arrays, states.arrays, strict=True):
            own[...] = other

    def set_positions(self, positions: Sequence[Hashable]) -> None:
        """Set the position of each game. If the rival is to move, it moves immediately."""
        if len(positions) != self.size:
            raise ValueError(
                f"There are {self.size} games but {len(positions)} positions; pass one per game."
            )
        rows: npt.NDArray[Any] = self._arrays.rows
        for place, state in enumerate(positions):
            if not isinstance(self.game.turn(state), Decision):
                raise ValueError(f"No player decides in position {place}.")
            if self._engine.by_tables:
                self.solution.value(
                    state
                )  # raises if the state cannot arise, because then no table has it
            rows[place] = self._engine.pack(state)
        self._run(SHOW, self._actions)

    def branch(self, games: npt.ArrayLike, seed: SupportsIndex | None = None) -> Batch:
        """Return a new batch with copies of the games at these indexes, which may repeat.

        Without a `seed`, all copies of a game draw the same cards. With one, each draws its own.
        """
        chosen = np.asarray(games)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or not len(chosen):
            raise ValueError("Pass the index of at least one game in the batch.")
        twin = self.copy()
        twin.size, twin._actions = len(chosen), np.zeros((len(chosen), self.seats), np.int64)
        twin._arrays = copied(BatchStates(self._arrays)[chosen].arrays)
        if seed is not None:
            twin.seed = index(seed) & UINT64_MASK
            places: Any = np.arange(len(chosen), dtype=np.uint64)
            streams: Any = twin._arrays.streams
            streams[:] = stream_start(twin.seed, places, streams)
        return twin

    def copy(self) -> Batch:
        """Return an independent copy of the batch."""
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
