"""Gymnasium environments for one seat of a game. Importing this registers all their ids."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "Gymnasium", "learn"):
    import gymnasium
    import numpy as np
    import numpy.typing as npt
    from gymnasium import logger
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Box, Discrete

from number_duels.adapters.encoding import Encoding, Observation
from number_duels.adapters.game_setup import agent_number, opponent_of, shared_player
from number_duels.adapters.registration import env_id, register
from number_duels.adapters.single_game import RENDER_MODES, SingleGame, check_render_mode
from number_duels.core.game import Seat, SomeGame
from number_duels.core.player import Player, situation
from number_duels.games import as_game
from number_duels.players.registry import PlayerLike

if TYPE_CHECKING:
    from number_duels.adapters.picture import Picture

__all__ = ["DuelEnv", "Info", "env_id", "register", "shared_player"]

#: Has `action_mask`, `seat` (1 or 2) and, after an illegal action, the reason as `illegal`.
Info: TypeAlias = dict[str, Any]


class DuelEnv(gymnasium.Env[Observation, np.int64]):
    """An environment for one seat of a game. `step` also plays the opponent's moves.

    >>> env = DuelEnv("number-knot", opponent="random", seat=2)
    >>> observation, info = env.reset(seed=1)
    >>> info["seat"], int(info["action_mask"].sum())
    (2, 16)
    """

    # Gymnasium declares this attribute on instances but reads it from the class.
    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: SomeGame | str,
        *,
        opponent: PlayerLike = "random",
        seat: Seat | Literal[1, 2, "random"] = 1,
        render_mode: str | None = None,
        **settings: int | str,
    ) -> None:
        check_render_mode(render_mode)
        self.encoding = encoding = Encoding(as_game(game, **settings))
        self.render_mode = render_mode
        self.opponent = opponent
        self.seat = agent_number(seat)
        self.observation_space = Box(encoding.low, encoding.high, dtype=encoding.dtype.type)
        self.action_space = Discrete(encoding.action_count)
        self._player()  # raises if the opponent does not exist or cannot play this game
        self._mine = Seat.ONE
        self._started: SingleGame | None = None
        self._end_returned = True  # before the first `reset` and after the end

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Start a game. A `seed` determines it and all games until the next seed.

        To start from another position, pass `moves` or `deal` in notation as `options`.
        """
        super().reset(seed=seed)
        game_seed, drawn_seat = (int(self.np_random.integers(n)) for n in (2**48, 2))
        self._started = SingleGame(self.encoding, game_seed, options)
        self._mine = Seat(drawn_seat if self.seat == "random" else self.seat - 1)
        self._end_returned = False
        self._answer()
        self._single_game.show(self.render_mode)
        return self._single_game.observation(self._mine), self._info()

    def step(self, action: object) -> tuple[Observation, float, bool, bool, Info]:
        """Play an action, then the opponent's moves until this seat is to move again.

        If the game ends before this seat's first turn, `step` accepts any action.
        """
        single = self._single_game
        if self._end_returned:
            raise ResetNeeded("The game is over; call reset() to begin the next one.")
        if not single.over:
            single.act(self._mine, action)
            self._answer()
            self._single_game.show(self.render_mode)
        self._end_returned = single.over
        return (
            single.observation(self._mine),
            single.reward(self._mine),
            single.over,
            False,
            self._info(),
        )

    def _answer(self) -> None:
        """Play the opponent's moves until the agent must act or the game is over."""
        single, theirs = self._single_game, self._mine.other
        while theirs in single.waiting and self._mine not in single.waiting:
            move = self._player().choose(situation(single.match, theirs))
            single.act(theirs, self.encoding.action(move))

    def _player(self) -> Player:
        return opponent_of(self.opponent, self.encoding.game)

    @property
    def _single_game(self) -> SingleGame:
        if self._started is None:
            raise ResetNeeded("No game has begun; call reset() first.")
        return self._started

    def _info(self) -> Info:
        info: Info = {"action_mask": self._single_game.mask(self._mine), "seat": self._mine + 1}
        if self._mine in self._single_game.illegal:
            info["illegal"] = self._single_game.illegal[self._mine]
        return info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return an array with True for each legal action, as sb3-contrib expects."""
        return self._single_game.mask(self._mine).astype(np.bool_)

    def render(self) -> str | Picture | None:
        """Print the board as a spectator sees it, or return it as text or as a picture."""
        if self.render_mode is None:
            logger.warn("Nothing is rendered; create the environment with a render_mode.")
        return self._single_game.render(self.render_mode)

    def __copy__(self) -> Self:
        # Two environments that share a game would play each other's moves.
        return deepcopy(self)


register()
