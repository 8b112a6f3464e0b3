"""The built-in players: `random`, `level:1` to `level:5`, and `perfect`."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import TYPE_CHECKING

from number_duels.core.game import SomeGame
from number_duels.core.player import Situation
from number_duels.players.levels import slip

if TYPE_CHECKING:
    from number_duels.solvers.policies import Policy, UniformPolicy


class RandomPlayer:
    def __init__(self, game: SomeGame) -> None:
        self.game = game

    @property
    def policy(self) -> UniformPolicy[Hashable, Hashable, Hashable]:
        # Imported here, because choosing at random does not need the solver.
        from number_duels.solvers.policies import UniformPolicy

        return UniformPolicy(self.game)

    def choose(self, situation: Situation) -> Hashable:
        return situation.rng.choice(situation.options)

    def __repr__(self) -> str:
        return f"<random player of {self.game.title}>"


class PolicyPlayer:
    """A player that draws its moves at random, with the probabilities of a policy."""

    def __init__(self, policy: Policy[Hashable, Hashable]) -> None:
        self.policy = policy

    def choose(self, situation: Situation) -> Hashable:
        from number_duels.solvers.policies import weights

        here, options = situation, situation.options
        odds = weights(here.game, self.policy, here.view, here.seat, options)
        if odds.count(0.0) == len(odds) - 1:  # a certain choice uses no random number
            return next(option for option, chance in zip(options, odds, strict=True) if chance)
        return here.rng.choices(options, odds)[0]


class PerfectPlayer(PolicyPlayer):
    """A player that follows an exact equilibrium strategy, which may be mixed."""

    word = "perfect"

    def __init__(
        self,
        game: SomeGame,
        progress: Callable[[float], None] | None = None,
        often: Fraction = Fraction(0),
    ) -> None:
        # Imported here, because `random` never needs the solver.
        from number_duels.solvers import solve

        self.solution = solve(game, progress=progress)
        super().__init__(self.solution.strategy.with_errors(float(often)))

    def __repr__(self) -> str:
        return f"<{self.word} player of {self.solution.game.title}>"


class LevelPlayer(PerfectPlayer):
    """A player that plays perfectly, except for random moves. The level sets their probability."""

    def __init__(
        self, level: int, game: SomeGame, progress: Callable[[float], None] | None = None
    ) -> None:
        super().__init__(game, progress, slip(level, game.name))
        self.word = f"level:{level}"


def prepare_for_many_games(player: object) -> None:
    """Make a perfect player or a level play faster. This takes a few seconds."""
    if isinstance(player, PerfectPlayer):
        player.solution.open_arrays()
