"""Number Stack Showdown, as gg-bench numbers it (its environment 287)."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box

from number_duels.adapters.gg_bench.environment import Observation, TurnEnv, player
from number_duels.core.game import Seat
from number_duels.games.number_stack_showdown import Card, Choice, NumberStackShowdown, State

__all__ = ["CustomEnv"]

GAME = NumberStackShowdown()
HIGHEST = [50, 50, 40, 10, *[4] * 10]


class CustomEnv(TurnEnv[State, Choice, Card]):
    """Action 0 keeps the card, 1 gives it. Seen are both totals, one's card and the deck's cards.

    gg-bench's own draws by a step whose action is ignored; here the card is there when one is
    asked. A total over 50, which only a lost game has, is seen as 50: the space has no more.

    >>> env = CustomEnv()
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, str(env.moves[0])
    ((14,), 'k')
    """

    notation = ("k", "g")

    def __init__(self) -> None:
        super().__init__(
            GAME, Box(np.zeros(14, np.int32), np.array(HIGHEST, np.int32), dtype=np.int32)
        )

    def observe(self, view: State, seat: Seat) -> Observation:
        deck = GAME.deck(view)
        card = view.card.number if isinstance(view.card, Card) else 0
        return np.array([view.total(seat), view.total(seat.other), sum(deck), card, *deck])

    def describe(self, view: State, seat: Seat) -> str:
        deck = GAME.deck(view)
        drawn = (
            f"You have drawn a {view.card}" if isinstance(view.card, Card) else "No card drawn yet."
        )
        return (
            player(seat) + f"Your Stack Total: {view.total(seat)}\n"
            f"Opponent's Stack Total: {view.total(seat.other)}\n"
            f"Cards Remaining in Deck: {sum(deck)}\n{drawn}\nCards Counts Remaining:\n"
            + "".join(f"Card {number}: {left}\n" for number, left in enumerate(deck, 1))
        )
