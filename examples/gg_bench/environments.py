"""gg-bench's environment of each game: its numbers and spaces, with the rules as written.

>>> env = custom_env("knot")
>>> observation, info = env.reset(seed=7)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from itertools import combinations
from typing import Any, ClassVar, Generic, Never, SupportsInt, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete

from number_duels.core.game import Decision, E, Game, M, S, Seat
from number_duels.core.match import Match
from number_duels.core.runner import draw_all
from number_duels.games import find, high_low_battle, number_bid, number_drop, number_knot
from number_duels.games import number_stack_showdown as number_stack

#: What the one who acts sees; in the numbers that gg-bench chose for the game.
Observation: TypeAlias = npt.NDArray[Any]
#: What gg-bench's code expects of an action that is not open.
INVALID = -10
#: A match's seed is below this.
SEEDS = 2**48


class TurnEnv(gymnasium.Env[Observation, np.int64], Generic[S, M, E]):
    """A whole game, in which every `step` is the next player's; the one who acts is rewarded.

    A choice that both make at once is two steps, Player 1's first: nothing shows it until Player 2
    has chosen as well. Cards are drawn before `reset` and `step` return: each step is a decision.
    """

    #: Every move in notation; its place is its action.
    notation: ClassVar[Sequence[str]]

    def __init__(self, game: Game[S, M, E], observation_space: Box) -> None:
        self.game = game
        self.moves = tuple(map(game.parse, self.notation))
        self.observation_space: Box = observation_space
        self.action_space = Discrete(len(self.moves))
        self.reset()

    # ---- what each game says for itself -------------------------------------------

    @abstractmethod
    def observe(self, view: S, seat: Seat) -> Observation:
        """What a seat sees, laid out as in gg-bench's environment."""

    @abstractmethod
    def describe(self, view: S, seat: Seat) -> str:
        """What a seat sees, in the words of gg-bench's environment."""

    # ---- what gg-bench calls --------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game; a seed determines its cards and grids, and those of all games after it."""
        super().reset(seed=seed)
        self.match: Match[S, M, E] = Match(self.game, int(self.np_random.integers(SEEDS)))
        self.seat = Seat.ONE
        self.done = False
        self._go_on()
        return self._observation(), {}

    def step(self, action: SupportsInt) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Act for the player whose turn it is: 1 if that wins, -1 if it loses, else 0.

        An action that is not open ends the game and pays -10; nothing happens after the end.
        """
        if self.done:
            return self._observation(), 0, True, False, {}
        if int(action) not in self.valid_moves():
            self.done = True
            return self._observation(), INVALID, True, False, {"invalid_action": True}
        mover = self.seat
        self.match.submit(mover, self.moves[int(action)])
        self._go_on()
        outcome = self.match.outcome
        reward = (
            0 if outcome is None or outcome.winner is None else 2 * (outcome.winner is mover) - 1
        )
        return self._observation(), reward, self.done, False, {}

    def valid_moves(self) -> list[int]:
        """The actions that are open, in order; none when the game is over."""
        open_moves = () if self.done else self.match.options(self.seat)
        return [action for action, move in enumerate(self.moves) if move in open_moves]

    def render(self) -> str:
        return self.describe(self.match.view(self.seat), self.seat)

    @property
    def current_player(self) -> int:
        """1 or -1: who acts next, or has ended the game."""
        return -1 if self.seat else 1

    def _go_on(self) -> None:
        """Draw what is to be drawn, and see who acts next; at the end it stays who acted last."""
        turn = draw_all(self.match)
        self.done = not isinstance(turn, Decision)
        if isinstance(turn, Decision):
            self.seat = next(seat for seat in turn.options if seat not in self.match.seats_ready)

    def _observation(self) -> Observation:
        view = self.match.view(self.seat)
        space = self.observation_space
        return np.clip(self.observe(view, self.seat), space.low, space.high).astype(space.dtype)


def present(numbers: Sequence[int | None], highest: int) -> list[int]:
    """A 1 for every number that is there, from 1 to the highest."""
    return [int(n in numbers) for n in range(1, highest + 1)]


def player(seat: Seat) -> str:
    return f"Current Player: {seat}\n"


class NumberBidEnv(TurnEnv[number_bid.State, number_bid.Bid, Never]):
    """gg-bench's environment 433: action `n - 1` bids n.

    Seen are the pool and both scores, Player 1's first.

    >>> env = NumberBidEnv()
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, str(env.moves[6])
    ((12,), '7')
    """

    notation = tuple(map(str, range(1, 11)))

    def __init__(self) -> None:
        super().__init__(number_bid.NumberBid(), Box(0, 55, (12,), np.float32))

    def observe(self, view: number_bid.State, seat: Seat) -> Observation:
        return np.array([*present(view.pool, 10), *view.scores])

    def describe(self, view: number_bid.State, seat: Seat) -> str:
        one, two = view.scores
        return (
            f"Available Numbers: {', '.join(map(str, view.pool))}\n"
            f"Scores - Player 1: {one}, Player 2: {two}\n" + player(seat)
        )


#: How many rounds an observation has room for.
ROUNDS = 5


class HighLowBattleEnv(TurnEnv[high_low_battle.State, high_low_battle.Card, Never]):
    """gg-bench's environment 14: action `n - 1` plays card n.

    Seen are one's hand, the last five rounds and the scores.

    gg-bench's own has one player and plays the other's cards at random; here the second step of a
    round is Player 2's. "Player" is who acts, "Opponent" the other.

    >>> env = HighLowBattleEnv()
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, str(env.moves[8])
    ((21,), '9')
    """

    notation = tuple(map(str, range(1, 10)))

    def __init__(self) -> None:
        super().__init__(high_low_battle.HighLowBattle(), Box(0, 9, (21,), np.int32))

    def observe(self, view: high_low_battle.State, seat: Seat) -> Observation:
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

    def describe(self, view: high_low_battle.State, seat: Seat) -> str:
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


GAME = number_stack.NumberStackShowdown()
HIGHEST = [50, 50, 40, 10, *[4] * 10]


class NumberStackShowdownEnv(TurnEnv[number_stack.State, number_stack.Choice, number_stack.Card]):
    """gg-bench's environment 287: action 0 keeps the card, 1 gives it.

    Seen are both totals, one's card and the deck's cards.

    gg-bench's own draws by a step whose action is ignored; here the card is there when one is
    asked. A total over 50, which only a lost game has, is seen as 50: the space has no more.

    >>> env = NumberStackShowdownEnv()
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, str(env.moves[0])
    ((14,), 'k')
    """

    notation = ("k", "g")

    def __init__(self) -> None:
        super().__init__(
            GAME, Box(np.zeros(14, np.int32), np.array(HIGHEST, np.int32), dtype=np.int32)
        )

    def observe(self, view: number_stack.State, seat: Seat) -> Observation:
        deck = GAME.deck(view)
        card = view.card.number if isinstance(view.card, number_stack.Card) else 0
        return np.array([view.total(seat), view.total(seat.other), sum(deck), card, *deck])

    def describe(self, view: number_stack.State, seat: Seat) -> str:
        deck = GAME.deck(view)
        drawn = (
            f"You have drawn a {view.card}"
            if isinstance(view.card, number_stack.Card)
            else "No card drawn yet."
        )
        return (
            player(seat) + f"Your Stack Total: {view.total(seat)}\n"
            f"Opponent's Stack Total: {view.total(seat.other)}\n"
            f"Cards Remaining in Deck: {sum(deck)}\n{drawn}\nCards Counts Remaining:\n"
            + "".join(f"Card {number}: {left}\n" for number, left in enumerate(deck, 1))
        )


class NumberKnotEnv(TurnEnv[number_knot.State, number_knot.Pull, Never]):
    """gg-bench's environment 584: action `2n - 2` adds n to one's life, `2n - 1` subtracts it.

    Seen are both life totals, one's own first, and the number line.

    >>> env = NumberKnotEnv()
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, str(env.moves[9])
    ((11,), 'S5')
    """

    notation = tuple(f"{action}{number}" for number in range(1, 10) for action in "AS")

    def __init__(self) -> None:
        super().__init__(number_knot.NumberKnot(), Box(-100, 100, (11,), np.int32))

    def observe(self, view: number_knot.State, seat: Seat) -> Observation:
        return np.array([view.life[seat], view.life[seat.other], *present(view.line, 9)])

    def describe(self, view: number_knot.State, seat: Seat) -> str:
        one, two = view.life
        return (
            f"Player 1 Life Total: {one}\nPlayer 2 Life Total: {two}\n"
            f"Available Numbers: {' '.join(map(str, view.line))}\n" + player(seat)
        )


class NumberDropEnv(TurnEnv[number_drop.State, number_drop.Attack, Never]):
    """gg-bench's environment 354: actions 0 to 71 add or subtract two numbers.

    Actions 72 to 80 are the last number alone. Seen is which numbers
    each grid has, one's own first.

    >>> env = NumberDropEnv()
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, str(env.moves[0])
    ((18,), '2+1')
    """

    notation = (
        *(f"{b}{sign}{a}" for a, b in combinations(range(1, 10), 2) for sign in "+-"),
        *map(str, range(1, 10)),
    )

    def __init__(self) -> None:
        super().__init__(number_drop.NumberDrop(), Box(0, 1, (18,), np.int8))

    def observe(self, view: number_drop.State, seat: Seat) -> Observation:
        return np.array([*present(view.left(seat), 9), *present(view.left(seat.other), 9)])

    def describe(self, view: number_drop.State, seat: Seat) -> str:
        return (
            player(seat) + f"Your Grid: {view.left(seat)}\n"
            f"Opponent's Grid: {view.left(seat.other)}\n"
        )


#: By the name of the game.
ENVIRONMENTS: dict[str, type[TurnEnv[Any, Any, Any]]] = {
    "number-bid": NumberBidEnv,
    "high-low-battle": HighLowBattleEnv,
    "number-stack-showdown": NumberStackShowdownEnv,
    "number-knot": NumberKnotEnv,
    "number-drop": NumberDropEnv,
}


def custom_env(name: str) -> TurnEnv[Any, Any, Any]:
    """The environment of a game, by its name or an unambiguous part of it.

    >>> env = custom_env("bid")
    >>> env.reset(seed=1)[0].shape, env.valid_moves()
    ((12,), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    >>> for action in (6, 5):  # Player 1 bids 7; then Player 2, who has not seen it, bids 6
    ...     observation, reward, terminated, truncated, info = env.step(action)
    >>> print(env.render())
    Available Numbers: 1, 2, 3, 4, 5, 8, 9, 10
    Scores - Player 1: 13, Player 2: 0
    Current Player: Player 1
    <BLANKLINE>
    """
    return ENVIRONMENTS[find(name).name]()
