"""What can be typed at any question besides an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from number_duels.core.game import AnyGame
from number_duels.core.text import listed, rules_text

COMMANDS = {
    "help": "what you can type",
    "rules": "the rules of this game",
    "board": "how the game stands",
    "hint": "the winning chance of each of your options",
    "undo": "take back the last turn",
    "back": "one step back, where a move is asked for in steps",
    "save": "where this game is kept",
    "quit": "stop here, and go on another day",
}
ALIASES = {"?": "help", "q": "quit"}
NO_HINTS = "Hints are off; start the game, or resume it, with --hints to have them."
NO_STEP_BACK = "There is no step to take back in this question; undo takes back the last turn."


class Quit(Exception):
    """A player wants to stop here."""


class TakenBack(Exception):
    """A turn was taken back, so whatever was being asked is asked no more."""


class StepBack(Exception):
    """A player wants the question before this one again."""


def command_in(reply: str) -> str | None:
    """The command that a reply is, if it is one."""
    word = reply.strip().casefold()
    word = ALIASES.get(word, word)
    return word if word in COMMANDS else None


def reminder(commands: Mapping[str, str]) -> str:
    """The commands in one line."""
    return f"You can always type {listed(list(commands))}."


def help_lines(game: AnyGame, commands: Mapping[str, str]) -> Iterator[str]:
    """How moves are typed in this game, and every command with its meaning."""
    typing = [part for part in game.rule_sections() if part.for_keyboard]
    yield from rules_text(typing).splitlines()[1:]
    yield "You can also type:"
    for command, meaning in commands.items():
        yield f"  {command:6} {meaning}"
    short = [f"{alias} for {command}" for alias, command in ALIASES.items()]
    yield f"In short: {listed(short)}."
