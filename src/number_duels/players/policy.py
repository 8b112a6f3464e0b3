"""The players `policy:MODULE:NAME` and `policy:FILE.npz`, whose probabilities are known."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TypeAlias

from number_duels.core.game import AnyGame, Seat
from number_duels.core.player import Forfeit, Situation
from number_duels.players.external import (
    ILLEGAL,
    ExternalPlayer,
    Fault,
    Limits,
    call_foreign,
)
from number_duels.players.function import accepts, find_object
from number_duels.players.registry import ARRAYS_SUFFIX
from number_duels.solvers import solve
from number_duels.solvers.policies import SUM_TOLERANCE, InvalidPolicy, Policy, probabilities

AnyPolicy: TypeAlias = Policy[Hashable, Hashable]


class TrainedPlayer(ExternalPlayer):
    """A player that draws its moves at random, with the probabilities of an external policy."""

    def __init__(self, policy: AnyPolicy, game: AnyGame, limits: Limits) -> None:
        super().__init__(limits)
        self.game = game
        self.asked = policy
        self.said: dict[tuple[Hashable, Seat], dict[Hashable, float]] = {}

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        super().begin(game, seat, seed)
        self.said = {}

    def choose(self, situation: Situation) -> Hashable:
        here = situation
        try:
            odds = probabilities(here.game, self.asked, here.view, here.seat, here.options)
        except InvalidPolicy as error:  # the record knows the position
            raise Forfeit(ILLEGAL, error.reason) from None
        except ValueError as error:
            raise Forfeit(ILLEGAL, str(error)) from None
        self.said[here.game.key(here.view), here.seat] = odds
        return here.rng.choices(list(odds), list(odds.values()))[0]

    def answer(self, situation: Situation, refused: Fault | None) -> str:
        return str(self.choose(situation))

    def policy(self, state: Hashable, seat: Seat) -> Mapping[Hashable, float]:
        """Return the probabilities used in this game, even if the policy has changed since then."""
        return self.said[self.game.key(state), seat]


@dataclass(frozen=True)
class ForeignPolicy:
    """A policy from outside this package. It may fail or return invalid probabilities."""

    function: Callable[..., object]

    def __call__(self, view: Hashable, seat: Seat) -> Mapping[Hashable, float]:
        return call_foreign(lambda: self.function(view, seat))  # type: ignore[return-value]  # checked by the caller


def load_policy(name: str, game: AnyGame) -> AnyPolicy:
    """Load the policy `MODULE:NAME` or `FILE.npz`. Raise ValueError if that fails."""
    from number_duels.solvers.strategy_arrays import ArrayPolicy

    if Path(name).suffix == ARRAYS_SUFFIX:
        return read_arrays(Path(name), game)
    found = find_object("policy", name)
    if isinstance(found, ArrayPolicy):
        return found
    if not accepts(found, "view", "seat"):
        raise ValueError(f"policy:{name} must be a function of the view and the seat.")
    return ForeignPolicy(found)


def read_arrays(path: str | PathLike[str], game: AnyGame) -> AnyPolicy:
    """Read a policy from an NPZ file. Raise ValueError if it does not fit the game.

    The file comes from `Tables.save`, or has one array in the shape of `Tables.masks`.
    """
    import numpy as np

    from number_duels.solvers.strategy_arrays import ArrayPolicy

    like = ArrayPolicy.perfect(solve(game))
    try:
        with np.load(path, allow_pickle=False) as file:
            found = tuple(np.asarray(file[key], np.float64) for key in sorted(file.files))
    except (OSError, ValueError) as error:
        what = getattr(error, "strerror", None) or "it is not an .npz file with numbers"
        raise ValueError(f"policy:{path} cannot be read ({what}).") from None
    if len(found) == 1 and found[0].ndim > 1:
        try:
            return like.with_odds(found[0])
        except ValueError as error:
            raise ValueError(f"policy:{path} does not fit {described(game)}: {error}") from None
    shapes = [array.shape for array in like.probabilities]
    if [array.shape for array in found] != shapes:
        wanted = " and ".join(f"{size:,}" for (size,) in shapes)
        raise ValueError(
            f"policy:{path} does not fit {described(game)}: the file must have arrays of {wanted} "
            "numbers; use the settings that the policy was made with."
        )
    for array, side in zip(found, like.arrays.sides, strict=True):
        starts = side.starts[:-1][np.diff(side.starts) > 0]
        sums = np.add.reduceat(array, starts) if len(starts) else np.ones(1)
        if not ((array >= 0).all() and (abs(sums - 1) <= SUM_TOLERANCE).all()):
            raise ValueError(
                f"policy:{path}: in each state, the probabilities must be 0 or more and add up"
                " to 1."
            )
    return ArrayPolicy(game, like.arrays, found)


def described(game: AnyGame) -> str:
    settings = ", ".join(f"{name}={value}" for name, value in game.settings.items())
    return f"{game.title} with {settings}"
