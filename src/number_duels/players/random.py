"""`random`: every option is as likely as any other."""

from __future__ import annotations

from collections.abc import Hashable

from number_duels.core.player import Situation


class RandomPlayer:
    """Chooses blindly; the yardstick at the bottom of every scale."""

    def choose(self, situation: Situation) -> Hashable:
        """Any option, each with the same chance."""
        return situation.rng.choice(situation.options)
