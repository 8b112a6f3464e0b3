"""The built-in players: `random`, `perfect`, and `level:1` to `level:5` in between."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import TYPE_CHECKING

from number_duels.core.game import SomeGame
from number_duels.core.player import Situation

if TYPE_CHECKING:
    from number_duels.solvers.policies import Policy, Uniform


class RandomPlayer:
    """Chooses blindly; the yardstick at the bottom of every scale."""

    def __init__(self, game: SomeGame | None = None) -> None:
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


class PolicyPlayer:
    """Plays by probabilities that are known."""

    def __init__(self, policy: Policy[Hashable, Hashable]) -> None:
        #: The probability of every option in a state, for a seat.
        self.policy = policy

    def choose(self, situation: Situation) -> Hashable:
        """One option, drawn by its probability from the seat's own stream."""
        odds = self.policy(situation.view, situation.seat)
        return situation.rng.choices(list(odds), list(odds.values()))[0]


class PerfectPlayer(PolicyPlayer):
    """Plays an equilibrium strategy of the exact solution, mixing where it mixes."""

    def __init__(
        self,
        game: SomeGame,
        progress: Callable[[float], None] | None = None,
        often: Fraction = Fraction(0),
    ) -> None:
        # The solver is loaded when it is first needed: `random` never needs it.
        from number_duels.solvers import solve
        from number_duels.solvers.policies import Slipping

        self.solution = solve(game, progress=progress)
        super().__init__(Slipping(self.solution.strategy, float(often)))


class LevelPlayer(PerfectPlayer):
    """Slips once in 2, 8, 32, 128 or 512 turns: any option then, perfect play otherwise."""

    def __init__(
        self, level: int, game: SomeGame, progress: Callable[[float], None] | None = None
    ) -> None:
        super().__init__(game, progress, slip(level))


def slip(level: int) -> Fraction:
    """How often a level plays at random.

    >>> [str(slip(level)) for level in range(1, 6)]
    ['1/2', '1/8', '1/32', '1/128', '1/512']
    """
    return Fraction(2, 4**level)
