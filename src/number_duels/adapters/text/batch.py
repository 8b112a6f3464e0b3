"""Many games as text, stepped together: all that is asked is one list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

from number_duels.adapters.text.env import LOSS, RETRIES, Ask, TextEnv, TextStep
from number_duels.core.game import AnyGame, Seat
from number_duels.core.player import Player
from number_duels.players.external import THINKING


class TextBatch:
    """Games that are played side by side, until all are over.

    >>> batch = TextBatch("number-bid", 2, numbers=2)
    >>> asks = batch.reset(seeds=[7, 8])
    >>> [(ask.game, ask.seat) for ask in asks]
    [(0, Seat.ONE), (0, Seat.TWO), (1, Seat.ONE), (1, Seat.TWO)]
    >>> steps = batch.step(['{"move": "2"}', '{"move": "1"}', '{"move": "1"}', '{"move": "2"}'])
    >>> [step.losses[Seat.TWO] for step in steps], batch.asked
    ([1.0, 0.0], [])
    """

    def __init__(
        self,
        game: str | AnyGame,
        count: int,
        *,
        opponent: str | Player | None = None,
        seat: int | Literal["random"] = 1,
        reward: str = LOSS,
        retries: int = RETRIES,
        think: str = THINKING[0],
        ask_forced: bool = False,
        **settings: int | str,
    ) -> None:
        self.envs = [
            TextEnv(
                game,
                opponent=opponent,
                seat=seat,
                reward=reward,
                retries=retries,
                think=think,
                ask_forced=ask_forced,
                **settings,
            )
            for _ in range(count)
        ]
        for number, env in enumerate(self.envs):
            env.number = number

    def reset(self, seeds: Sequence[int] | None = None) -> list[Ask]:
        """Begin all games, each with its seed; what is asked, game after game."""
        if seeds is not None and len(seeds) != len(self.envs):
            raise ValueError(f"There are {len(self.envs)} games and {len(seeds)} seeds.")
        for number, env in enumerate(self.envs):
            env.reset(None if seeds is None else seeds[number])
        return self.asked

    @property
    def asked(self) -> list[Ask]:
        """All that is asked now, game after game and seat after seat; nothing at the end."""
        return [ask for env in self.envs for _, ask in sorted(env.asked.items())]

    @property
    def done(self) -> bool:
        """Whether all games are over."""
        return all(env.done for env in self.envs)

    def step(self, answers: Sequence[str]) -> list[TextStep]:
        """Take an answer to everything in `asked`, in its order; the steps of the games asked."""
        asked = self.asked
        if len(answers) != len(asked):
            raise ValueError(f"There are {len(asked)} questions and {len(answers)} answers.")
        by_game: dict[int, dict[Seat, str]] = defaultdict(dict)
        for ask, answer in zip(asked, answers, strict=True):
            by_game[ask.game][ask.seat] = answer
        return [self.envs[number].step(given) for number, given in by_game.items()]
