"""Who can sit in a chair: people are asked by the front ends, all others choose here."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from number_duels.core.game import AnyGame
from number_duels.core.player import Player

if TYPE_CHECKING:
    from number_duels.players.outsider import Outsider, Terms
    from number_duels.solvers.policies import Policy

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
#: Players from outside, by the first part of their word; they run with their starter's rights.
OUTSIDERS = {
    "bot:COMMAND": "a program that speaks JSON Lines",
    "py:MODULE:FUNCTION": "a Python function",
    "llm:MODEL": "a language model behind an OpenAI-compatible endpoint",
}


def check_who(who: str) -> None:
    """Raise a ValueError that says what there is, for a word that names no player."""
    if who not in KINDS and not from_outside(who):
        there_are = ", ".join([*KINDS, *OUTSIDERS])
        raise ValueError(f"There is no player {who!r}; there are {there_are}.")


def from_outside(who: str) -> bool:
    """Whether a word names a program, a function or a language model."""
    kind, _, which = who.partition(":")
    return bool(which.strip()) and kind in {word.partition(":")[0] for word in OUTSIDERS}


def seat_player(
    who: str,
    game: AnyGame,
    progress: Callable[[float], None] | None = None,
    terms: Terms | None = None,
) -> Player | None:
    """The player that a word names, ready for a game; None is a person."""
    check_who(who)
    if from_outside(who):
        return invited(who, terms)
    kind, _, level = who.partition(":")
    if kind == "human":
        return None
    if kind == "random":
        from number_duels.players.random import RandomPlayer

        return RandomPlayer(game)
    from number_duels.players.perfect import LevelPlayer, PerfectPlayer

    if kind == "perfect":
        return PerfectPlayer(game, progress)
    return LevelPlayer(int(level), game, progress)


def policy_of(
    who: str, game: AnyGame, progress: Callable[[float], None] | None = None
) -> Policy[Hashable, Hashable]:
    """The probabilities by which a built-in player chooses; a ValueError for anybody else."""
    check_who(who)
    kind, _, level = who.partition(":")
    if kind == "human" or from_outside(who):
        known = ", ".join(word for word in KINDS if word != "human")
        raise ValueError(f"Nobody knows the probabilities of {who}; known are those of {known}.")
    if kind == "random":
        from number_duels.solvers.policies import Uniform

        return Uniform(game)
    from number_duels.players.perfect import LevelPlayer, PerfectPlayer

    player = PerfectPlayer(game, progress) if not level else LevelPlayer(int(level), game, progress)
    return player.policy


def invited(who: str, terms: Terms | None = None) -> Outsider:
    """The player from outside that a word names; a ValueError says why it cannot be had."""
    from number_duels.players.outsider import Terms

    kind, _, which = who.partition(":")
    terms = terms or Terms()
    if kind == "py":
        from number_duels.players.function import FunctionPlayer

        return FunctionPlayer(which, terms)
    if kind == "bot":
        from number_duels.players.bot import BotPlayer

        return BotPlayer(which, terms)
    from number_duels.players.llm import ModelPlayer

    return ModelPlayer(which, terms)
