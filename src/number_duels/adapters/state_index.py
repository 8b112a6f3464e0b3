"""Every position of a game in one array, for networks that are asked about all of them at once.

>>> import numpy as np
>>> from number_duels import load
>>> index = StateIndex(load("number-bid", numbers=4))
>>> len(index), index.observations.shape, index.masks.shape
(51, (51, 2, 5), (51, 2, 4))
>>> blind = np.ones(index.masks.shape)  # every option as likely as any other
>>> round(index.exploitability(blind), 6)
0.958333
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import TypeVar

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "NumPy", "learn"):
    import numpy as np
    import numpy.typing as npt

from number_duels.adapters.encoding import Encoding, Observation
from number_duels.adapters.tables.layered import option_actions
from number_duels.core.game import SomeGame
from number_duels.machine import find_packed
from number_duels.solvers import solve
from number_duels.solvers.best_response import response, response_value
from number_duels.solvers.cache import silent
from number_duels.solvers.layered import ENDS
from number_duels.solvers.strategy_arrays import ArrayPolicy, Side

__all__ = ["StateIndex"]

Floats = npt.NDArray[np.float64]
Marks = npt.NDArray[np.bool_]
Kind = TypeVar("Kind", bound=np.generic)


class StateIndex:
    """All positions in which somebody decides, each with a number.

    Where the seats move in turn a position is its mover's, whoever that is: one row serves both
    seats and shows what the mover sees. Where both choose at once a position has two rows,
    Player 1's first.
    """

    def __init__(self, game: SomeGame) -> None:
        solution, packed = solve(game), find_packed(game)
        arrays = solution.open_arrays()
        if arrays is None or packed is None:
            raise ValueError(f"The positions of {game.title} cannot be laid out as one array.")
        self.game, self.solution, self.encoding = game, solution, Encoding(game)
        self._arrays, self._packed = arrays, packed
        self._actions = option_actions(arrays)

    def __len__(self) -> int:
        return len(self._arrays.codes) - ENDS

    def place(self, state: Hashable) -> int:
        """The number of a position; a ValueError for one that cannot arise."""
        node = self._arrays.node(state)
        if node < ENDS:
            raise ValueError(f"Nobody decides in this position of {self.game.title}: {state}.")
        return node - ENDS

    @cached_property
    def observations(self) -> Observation:
        """What is seen: positions by numbers, or positions by seats by numbers."""
        rules, settings = self._packed.rules, self._packed.settings
        assert rules.codes is not None  # these arrays are by code
        state = rules.codes.decode(settings, self._arrays.codes[ENDS:], 0)
        found = np.zeros((len(self), 2 if rules.both else 1, len(self.encoding.low)), np.int64)
        for seat in range(found.shape[1]):
            place = 0
            seen = zip(
                rules.observe(settings, state, seat),
                rules.counts(settings),
                rules.widths,
                strict=True,
            )
            for word, count, width in seen:
                for n in range(count):
                    mask = (1 << width) - 1 if width else -1
                    found[:, seat, place] = word >> width * n & mask
                    place += 1
        return self._shaped(found.astype(self.encoding.dtype))

    @cached_property
    def masks(self) -> Marks:
        """The legal actions: positions by actions, or positions by seats by actions."""
        sides = self._arrays.sides
        found = np.zeros((len(self), len(sides), self.encoding.action_count), np.bool_)
        for place, (side, actions) in enumerate(zip(sides, self._actions, strict=True)):
            found[rows_of(side), place, actions] = True
        return self._shaped(found)

    @property
    def values(self) -> Floats:
        """What positions are worth to the mover; where both choose at once, to Player 1."""
        return self._arrays.worth[ENDS:]

    def policy(self, probabilities: npt.ArrayLike) -> ArrayPolicy[Hashable, Hashable, Hashable]:
        """The policy that plays by probabilities of the shape of `masks`.

        What they give to illegal actions is ignored; the rest is scaled to a sum of 1.
        """
        given = np.asarray(probabilities, np.float64)
        if given.shape != self.masks.shape:
            raise ValueError(f"Probabilities have the shape {self.masks.shape}, not {given.shape}.")
        sides = given.reshape(len(self), -1, given.shape[-1])
        found = []
        for place, (side, actions) in enumerate(
            zip(self._arrays.sides, self._actions, strict=True)
        ):
            odds = sides[rows_of(side), place, actions]
            sums = np.add.reduceat(odds, side.starts[ENDS:-1])
            wrong = ~((sums > 0) & np.isfinite(sums) & (least(odds, side) >= 0))
            if wrong.any():
                raise ValueError(
                    "Probabilities are 0 or more, and some legal action has more than 0: "
                    f"not so in position {int(wrong.argmax())}."
                )
            found.append(odds / sums[rows_of(side)])
        return ArrayPolicy(self.game, self._arrays, tuple(found))

    def exploitability(self, probabilities: npt.ArrayLike) -> float:
        """What the policy loses to the best answer, on the average of both seats, exactly."""
        policy = self.policy(probabilities)
        worth = response_value(self.solution, policy, silent)
        return response(self.solution, policy, worth).exploitability

    def _shaped(self, array: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
        """Without the axis of seats where one seat decides; and never written to again."""
        found = array if array.shape[1] > 1 else array[:, 0]
        found.flags.writeable = False
        return found


def rows_of(side: Side) -> npt.NDArray[np.int64]:
    """The number of the position of each option."""
    counts = np.diff(side.starts[ENDS:])
    return np.repeat(np.arange(len(counts)), counts)


def least(odds: Floats, side: Side) -> Floats:
    found: Floats = np.minimum.reduceat(odds, side.starts[ENDS:-1])
    return found
