"""What the five environments have in common: both seats act by `step`, one after the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, SupportsInt, TypeAlias

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "Gymnasium", "gymnasium"):
    import gymnasium
    import numpy as np
    import numpy.typing as npt
    from gymnasium.spaces import Box, Discrete

from number_duels.core.game import Decision, E, Game, M, S, Seat
from number_duels.core.match import Match
from number_duels.core.runner import draw_all

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
