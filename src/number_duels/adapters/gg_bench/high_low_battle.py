"""High-Low Battle, as gg-bench numbers it (its environment 14)."""

from __future__ import annotations

from typing import Never

import numpy as np
from gymnasium.spaces import Box

from number_duels.adapters.gg_bench.environment import Observation, TurnEnv, present
from number_duels.core.game import Seat
from number_duels.games.high_low_battle import Card, HighLowBattle, State

__all__ = ["CustomEnv"]

#: How many rounds an observation has room for.
ROUNDS = 5


class CustomEnv(TurnEnv[State, Card, Never]):
    """Action `n - 1` plays card n. Seen are one's hand, the last five rounds and the scores.

    gg-bench's own has one player and plays the other's cards at random; here the second step of a
    round is Player 2's. "Player" is who acts, "Opponent" the other.

    >>> env = CustomEnv()
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, str(env.moves[8])
    ((21,), '9')
    """

    notation = tuple(map(str, range(1, 10)))

    def __init__(self) -> None:
        super().__init__(HighLowBattle(), Box(0, 9, (21,), np.int32))

    def observe(self, view: State, seat: Seat) -> Observation:
        rounds = view.rounds[-ROUNDS:]
        unplayed = [0] * (ROUNDS - len(rounds))
        return np.array(
            [
                *present(view.hands[seat], 9),
                *(cards[seat] for cards in rounds),
                *unplayed,
                *(cards[seat.other] for cards in rounds),
                *unplayed,
                view.scores[seat],
                view.scores[seat.other],
            ]
        )

    def describe(self, view: State, seat: Seat) -> str:
        lines = [
            f"Round {len(view.rounds) + 1}",
            f"Player's Hand: {', '.join(map(str, view.hands[seat]))}",
            f"Scores - Player: {view.scores[seat]} | Opponent: {view.scores[seat.other]}",
            "Previous Plays:",
        ]
        lines += [
            f"  Round {number}: Player played {cards[seat]}, Opponent played {cards[seat.other]}"
            for number, cards in enumerate(view.rounds, 1)
        ]
        return "\n".join(lines) + "\n"
