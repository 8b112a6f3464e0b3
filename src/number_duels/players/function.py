"""`py:module:function`: a Python function, called with view, options and history."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from number_duels.core.player import Situation
from number_duels.players.external import ExternalPlayer, Fault, Limits, call_foreign


class FunctionPlayer(ExternalPlayer):
    """Plays what a function returns: one of the options, or a move's notation."""

    def __init__(self, name: str, limits: Limits) -> None:
        super().__init__(limits)
        self.function = find_function(name)

    def answer(self, situation: Situation, refused: Fault | None) -> str:
        """What the function returns; it does not learn why an answer was refused."""
        view, options, history = situation.view, situation.options, situation.history
        return str(call_foreign(lambda: self.function(view, options, history)))


def find_function(name: str) -> Callable[..., object]:
    """The function that `module:function` names; a ValueError says what is wrong with it."""
    module, colon, function = name.partition(":")
    if not (module and colon and function):
        raise ValueError(f"py: takes module:function, such as py:mybot:choose, not {name!r}.")
    here = str(Path.cwd())
    if here not in sys.path:  # a command's own path begins where it is installed
        sys.path.insert(0, here)
    try:
        found = getattr(import_module(module), function)
    except Exception as error:
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        raise ValueError(f"py:{name} cannot be loaded ({what}).") from None
    if not callable(found):
        raise ValueError(f"py:{name} is not a function.")
    return found  # type: ignore[no-any-return]  # whatever it returns is checked as a move
