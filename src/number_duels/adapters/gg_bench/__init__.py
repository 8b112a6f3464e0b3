"""gg-bench: its `CustomEnv` of each game, with its numbers and spaces and the rules as written.

A game's module has the name of the game, and its class the name that gg-bench's own code imports.

>>> isinstance(custom_env("knot"), TurnEnv)
True
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from number_duels.adapters.gg_bench.environment import TurnEnv
from number_duels.games import find

__all__ = ["TurnEnv", "custom_env"]


def custom_env(name: str) -> TurnEnv[Any, Any, Any]:
    """A `CustomEnv` of a game, by its name or an unambiguous part of it.

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
    game = find(name)
    module = f"{__name__}.{game.name.replace('-', '_')}"
    if find_spec(module) is None:
        raise ValueError(f"gg-bench has no {game.title}, so there is no CustomEnv of it.")
    made: TurnEnv[Any, Any, Any] = import_module(module).CustomEnv()
    return made
