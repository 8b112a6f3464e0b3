"""Who can sit in a chair: people are asked by the front ends, all others choose here."""

from __future__ import annotations

from number_duels.core.player import Player

#: The kinds of player, each with what it is; a front end offers these.
KINDS = {
    "human": "a person at the keyboard",
    "random": "plays any move that is allowed",
}


def seat_player(who: str) -> Player | None:
    """The player that a word names; None is a person. A ValueError says what there is."""
    if who == "human":
        return None
    if who == "random":
        from number_duels.players.random import RandomPlayer  # noqa: PLC0415  # only when it plays

        return RandomPlayer()
    raise ValueError(f"There is no player {who!r}; there are {', '.join(KINDS)}.")
