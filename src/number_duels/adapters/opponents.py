"""Players of ours who sit across from a learner or a model, shared by all environments."""

from __future__ import annotations

from functools import lru_cache

from number_duels.core.game import AnyGame
from number_duels.core.player import Player
from number_duels.players.builtin import prepare_for_many_games
from number_duels.players.registry import KINDS, seat_player


@lru_cache(maxsize=32)
def shared_player(who: str, game: AnyGame) -> Player:
    """One of our players, shared by all environments: it keeps nothing between turns.

    >>> from number_duels import load
    >>> shared_player("random", load("knot")) is shared_player("random", load("knot"))
    True
    """
    player = seat_player(who, game)
    if player is None:
        others = ", ".join(kind for kind in KINDS if kind != who)
        raise ValueError(f"Nobody can be asked here, so {who!r} cannot play; choose {others}.")
    prepare_for_many_games(player)
    return player


def opponent_of(who: str | Player, game: AnyGame) -> Player:
    """The player that a word or an object is; a ValueError, in a sentence, for what is none."""
    if isinstance(who, str):
        return shared_player(who, game)
    if not hasattr(who, "choose"):
        raise ValueError(f"An opponent is a word or has choose(situation), not {who!r}.")
    return who
