"""Who can sit in a chair: people are asked by the front ends, all others choose here."""

from __future__ import annotations

from collections.abc import Callable

from number_duels.core.game import AnyGame
from number_duels.core.player import Player

LEVELS = range(1, 6)
#: The kinds of player, each with what it is; a front end offers these.
KINDS = {
    "human": "a person at the keyboard",
    "random": "plays any move that is allowed",
    "level:1": "plays at random every other turn, and perfectly otherwise",
    "level:2": "slips one turn in 8",
    "level:3": "slips one turn in 32",
    "level:4": "slips one turn in 128",
    "level:5": "slips one turn in 512",
    "perfect": "never makes a mistake",
}


def check_who(who: str) -> None:
    """Raise a ValueError that says what there is, for a word that names no player."""
    if who not in KINDS:
        raise ValueError(f"There is no player {who!r}; there are {', '.join(KINDS)}.")


def seat_player(
    who: str, game: AnyGame, progress: Callable[[float], None] | None = None
) -> Player | None:
    """The player that a word names, ready for a game; None is a person."""
    check_who(who)
    kind, _, level = who.partition(":")
    if kind == "human":
        return None
    if kind == "random":
        from number_duels.players.random import RandomPlayer

        return RandomPlayer()
    from number_duels.players.perfect import LevelPlayer, PerfectPlayer

    if kind == "perfect":
        return PerfectPlayer(game, progress)
    return LevelPlayer(int(level), game, progress)
