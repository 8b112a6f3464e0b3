"""Set up start positions and opponents for environments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from number_duels.core.game import AnyGame
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch, Player
from number_duels.players.builtin import prepare_for_many_games
from number_duels.players.registry import PlayerLike, as_player


def start_options(options: Mapping[str, object] | None) -> dict[str, str]:
    """Return the options `moves` and `deal` of a reset. Raise ValueError for any other option.

    >>> start_options({"moves": "S5 A3", "deal": None})
    {'moves': 'S5 A3'}
    """
    found: dict[str, str] = {}
    for name, value in (options or {}).items():
        if name not in ("moves", "deal"):
            raise ValueError(f"There is no option {name!r}; the options are moves and deal.")
        if isinstance(value, str):
            found[name] = value
        elif value is not None:
            raise ValueError(f"The option {name} must be a string, not {value!r}.")
    return found


def start_match(
    game: AnyGame, seed: int, *, moves: str | None = None, deal: str | None = None
) -> AnyMatch:
    """Start a match. Raise ValueError if the deal or a move is invalid."""
    # A fixed date, so that equal seeds give equal matches.
    match: AnyMatch = Match(game, seed, deal, started="1970-01-01T00:00:00Z")
    if moves is None:
        return match
    try:
        match = Match.from_record(game, replace(match.record, moves=moves))
    except ValueError as error:
        raise ValueError(f"These moves cannot be played: {error}") from None
    if match.outcome:
        raise ValueError("The game is over after these moves; leave out the last ones.")
    return match


@lru_cache(maxsize=32)
def shared_player(who: str, game: AnyGame) -> Player:
    """Return a built-in player, which environments can share because it keeps no state.

    >>> from number_duels import load
    >>> shared_player("random", load("knot")) is shared_player("random", load("knot"))
    True
    """
    player = as_player(who, game)
    prepare_for_many_games(player)
    return player


def opponent_of(who: PlayerLike, game: AnyGame) -> Player:
    return shared_player(who, game) if isinstance(who, str) else as_player(who, game)
