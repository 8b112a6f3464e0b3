"""`random`: every option is as likely as any other."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from number_duels.core.game import AnyGame
from number_duels.core.player import Situation

if TYPE_CHECKING:
    from number_duels.solvers.policies import Uniform


class RandomPlayer:
    """Chooses blindly; the yardstick at the bottom of every scale."""

    def __init__(self, game: AnyGame | None = None) -> None:
        self.game = game

    @property
    def policy(self) -> Uniform[Hashable, Hashable, Hashable] | None:
        """The probability of every option; None where the player was not told its game."""
        # The solver is loaded when it is first asked for: who chooses blindly never needs it.
        from number_duels.solvers.policies import Uniform

        return Uniform(self.game) if self.game else None

    def choose(self, situation: Situation) -> Hashable:
        """Any option, each with the same chance."""
        return situation.rng.choice(situation.options)
