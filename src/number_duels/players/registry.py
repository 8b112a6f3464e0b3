"""Who can sit in a chair: people are asked by the front ends, all others choose here."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING

from number_duels.core.game import SomeGame
from number_duels.core.player import Player

if TYPE_CHECKING:
    from number_duels.players.external import ExternalPlayer, Limits
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
EXTERNAL_KINDS = {
    "bot:COMMAND": "a program that speaks JSON Lines",
    "py:MODULE:FUNCTION": "a Python function",
    "llm:MODEL": "a language model behind an OpenAI-compatible endpoint",
}


def check_who(who: str) -> None:
    """Raise a ValueError that says what there is, for a word that names no player."""
    if who not in KINDS and not is_external(who):
        there_are = ", ".join([*KINDS, *EXTERNAL_KINDS])
        raise ValueError(f"There is no player {who!r}; there are {there_are}.")


def is_external(who: str) -> bool:
    """Whether a word names a program, a function or a language model."""
    kind, _, which = who.partition(":")
    return bool(which.strip()) and kind in {word.partition(":")[0] for word in EXTERNAL_KINDS}


def seat_player(
    who: str,
    game: SomeGame,
    progress: Callable[[float], None] | None = None,
    limits: Limits | None = None,
) -> Player | None:
    """The player that a word names, ready for a game; None is a person."""
    check_who(who)
    if is_external(who):
        return make_external(who, limits)
    kind, _, level = who.partition(":")
    if kind == "human":
        return None
    if kind == "random":
        from number_duels.players.builtin import RandomPlayer

        return RandomPlayer(game)
    from number_duels.players.builtin import LevelPlayer, PerfectPlayer

    if kind == "perfect":
        return PerfectPlayer(game, progress)
    return LevelPlayer(int(level), game, progress)


def policy_of(
    who: str, game: SomeGame, progress: Callable[[float], None] | None = None
) -> Policy[Hashable, Hashable]:
    """The probabilities by which a built-in player chooses; a ValueError for anybody else."""
    check_who(who)
    kind, _, level = who.partition(":")
    if kind == "human" or is_external(who):
        known = ", ".join(word for word in KINDS if word != "human")
        raise ValueError(f"Nobody knows the probabilities of {who}; known are those of {known}.")
    if kind == "random":
        from number_duels.solvers.policies import Uniform

        return Uniform(game)
    from number_duels.players.builtin import LevelPlayer, PerfectPlayer

    player = PerfectPlayer(game, progress) if not level else LevelPlayer(int(level), game, progress)
    return player.policy


def make_external(who: str, limits: Limits | None = None) -> ExternalPlayer:
    """The player from outside that a word names; a ValueError says why it cannot be had."""
    from number_duels.players.external import Limits

    kind, _, which = who.partition(":")
    limits = limits or Limits()
    if kind == "py":
        from number_duels.players.function import FunctionPlayer

        return FunctionPlayer(which, limits)
    if kind == "bot":
        from number_duels.players.bot.player import BotPlayer

        return BotPlayer(which, limits)
    from number_duels.players.llm.player import ModelPlayer

    return ModelPlayer(which, limits)
