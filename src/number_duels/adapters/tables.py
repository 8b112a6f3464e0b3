"""All positions of a game in arrays: observations, legal actions, values and a policy.

>>> import numpy as np
>>> from number_duels import load
>>> tables = Tables(load("number-bid", numbers=4))  # perfect play
>>> len(tables), tables.observations.shape, tables.masks.shape
(51, (51, 2, 5), (51, 2, 4))
>>> blind = tables.with_odds(np.ones(tables.masks.shape))  # every option is equally likely
>>> round(blind.exploitability(), 6)
0.958333
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from os import PathLike
from typing import TypeAlias, TypeVar

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "NumPy", "learn"):
    import numpy as np
    import numpy.typing as npt

from number_duels.adapters.encoding import Encoding, Observation
from number_duels.core.game import Decision, SomeGame
from number_duels.core.reachable_states import states
from number_duels.games import as_game
from number_duels.machine import find_packed
from number_duels.players.registry import PlayerLike, as_policy
from number_duels.solvers import solve
from number_duels.solvers.best_response import best_response
from number_duels.solvers.layered import ENDS
from number_duels.solvers.policies import Policy, known_error_rate, weights
from number_duels.solvers.strategy_arrays import ArrayPolicy, rows_of

__all__ = ["Tables"]

Floats: TypeAlias = npt.NDArray[np.float64]
Kind = TypeVar("Kind", bound=np.generic)
AnyPolicy: TypeAlias = Policy[Hashable, Hashable]
AnyArrays: TypeAlias = ArrayPolicy[Hashable, Hashable, Hashable]


class Tables(ArrayPolicy[Hashable, Hashable, Hashable]):
    """All positions in which a seat decides, and a policy for them.

    Every array has one row per position. If both seats choose at once, a row has one part per seat,
    Player 1's first. Otherwise the row belongs to the seat to move. `policy` is a name such as
    `level:3`, an NPZ file, a function, an array, or a player whose probabilities are known. The
    tables are a policy themselves, for example for `best_response` or `Batch`.
    """

    def __init__(self, game: SomeGame | str, policy: PlayerLike = "perfect") -> None:
        rules: SomeGame = as_game(game)
        found = as_policy(policy, rules)
        if not isinstance(found, ArrayPolicy):
            error_rate = known_error_rate(rules, found)
            best = ArrayPolicy.perfect(solve(rules), error_rate or 0.0)
            found = best if error_rate is not None else asked_everywhere(found, best)
        super().__init__(rules, found.arrays, found.probabilities)

    def __len__(self) -> int:
        return len(self.arrays.codes) - ENDS

    def place(self, state: Hashable) -> int:
        """Return the index of a position.

        Raise ValueError if no player decides in the position, or if it cannot arise.
        """
        node = self.arrays.node(state)
        if node < ENDS:
            raise ValueError(f"No player decides in this position of {self.game.title}: {state}.")
        return node - ENDS

    @cached_property
    def encoding(self) -> Encoding:
        """Return the encoding of moves and views as numbers."""
        return Encoding(self.game)

    @cached_property
    def observations(self) -> Observation:
        """Return the observations of the deciding seats. The axes are positions, seats and numbers.

        If the seats take turns, there is no axis for seats.
        """
        packed = find_packed(self.game)
        assert packed is not None  # the arrays were made by its machine rules
        assert packed.rules.codes is not None
        rules, settings = packed.rules, packed.settings
        state = packed.rules.codes.decode(settings, self.arrays.codes[ENDS:], 0)
        found = np.zeros((len(self), len(self.arrays.sides), len(self.encoding.low)), np.int64)
        for seat in range(found.shape[1]):
            words, column = rules.observe(settings, state, seat), 0
            for word, count, width in zip(words, rules.counts(settings), rules.widths, strict=True):
                mask = (1 << width) - 1 if width else -1
                for n in range(count):
                    found[:, seat, column] = word >> width * n & mask
                    column += 1
        return self._shaped(found.astype(self.encoding.dtype))

    @cached_property
    def masks(self) -> npt.NDArray[np.bool_]:
        """Return True for each legal action. The axes are positions, seats and actions.

        If the seats take turns, there is no axis for seats.
        """
        return self._by_action(tuple(np.ones(len(a), np.bool_) for a in self.actions))

    @property
    def values(self) -> Floats:
        """Return each position's value for the seat to move, or for Player 1 if both choose."""
        return self.arrays.node_values[ENDS:]

    @property
    def odds(self) -> Floats:
        """Return the policy's probability of each action, in the shape of `masks`."""
        return self._by_action(self.probabilities)

    @cached_property
    def losses(self) -> Floats:
        """Return the loss of each action compared with the best one, in the shape of `masks`."""
        lost = []
        for side in self.arrays.sides:
            best = np.maximum.reduceat(side.values, side.starts[ENDS:-1])
            lost.append(best[rows_of(side)] - side.values)
        return self._by_action(tuple(lost))

    @cached_property
    def places(self) -> npt.NDArray[np.int32]:
        """Return an array that maps state codes of the machine rules to indexes in these tables."""
        found = np.zeros(self.arrays.kernel.size, np.int32)
        found[self.arrays.codes[ENDS:]] = np.arange(len(self))
        return found

    def exploitability(self) -> float:
        """Return the policy's exact loss against the best response, averaged over both seats."""
        return best_response(self.game, self).exploitability

    def save(self, path: str | PathLike[str]) -> None:
        """Write the policy to an NPZ file, for the player `policy:FILE.npz`."""
        np.savez(path, *self.probabilities)

    def _by_action(self, sides: tuple[npt.NDArray[Kind], ...]) -> npt.NDArray[Kind]:
        """Return one value per position, seat and action, with 0 for illegal actions."""
        shape = len(self), len(sides), self.encoding.action_count
        found = np.zeros(shape, sides[0].dtype)
        for place, (side, figures) in enumerate(zip(self.arrays.sides, sides, strict=True)):
            found[rows_of(side), place, self.actions[place]] = figures
        return self._shaped(found)

    def _shaped(self, array: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
        found = array if array.shape[1] > 1 else array[:, 0]
        found.flags.writeable = False
        return found


def asked_everywhere(policy: AnyPolicy, like: AnyArrays) -> AnyArrays:
    """Query a policy in every position. Return its probabilities in the layout of `like`."""
    game, probabilities = like.game, tuple(map(np.zeros_like, like.probabilities))
    for _, state in states(game):
        turn = game.turn(state)
        for seat, options in turn.options.items() if isinstance(turn, Decision) else ():
            _, own = like.arrays.own(state, seat)
            place = seat if len(probabilities) > 1 else 0
            probabilities[place][own] = weights(game, policy, state, seat, options)
    return ArrayPolicy(game, like.arrays, probabilities)
