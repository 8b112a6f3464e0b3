"""The player `py:MODULE:FUNCTION`, which calls a Python function for each move."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import cast

from number_duels.core.game import AnyGame, Seat
from number_duels.core.player import Player, Situation
from number_duels.players.external import ExternalPlayer, Fault, Limits, call_foreign

#: Optional arguments, for functions that have parameters with these names.
EXTRA_PARAMETERS = ("seat", "game", "settings", "seed")


class FunctionPlayer(ExternalPlayer):
    """A player that calls a function, which returns one of the options or its notation."""

    def __init__(self, function: Callable[..., object], limits: Limits) -> None:
        super().__init__(limits)
        self.function = function
        self.wanted = wanted_parameters(self.function)
        self.seed: int | None = None

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        super().begin(game, seat, seed)
        self.seed = seed

    def answer(self, situation: Situation, refused: Fault | None) -> str:
        view, options, history = situation.view, situation.options, situation.history
        if self.seed is None:  # `begin` was not called
            self.seed = situation.rng.getrandbits(48)
        known = {
            "seat": situation.seat,
            "game": situation.game,
            "settings": situation.game.settings,
            "seed": self.seed,
        }
        extra = {name: known[name] for name in self.wanted}
        return str(call_foreign(lambda: self.function(view, options, history, **extra)))


class ObjectPlayer(ExternalPlayer):
    """A Python object with `choose`. It forfeits the game if it fails."""

    def __init__(self, player: Player, limits: Limits) -> None:
        super().__init__(limits)
        self.player = player

    def begin(self, game: AnyGame, seat: Seat, seed: int) -> None:
        super().begin(game, seat, seed)
        if begin := getattr(self.player, "begin", None):
            call_foreign(lambda: begin(game, seat, seed))

    def answer(self, situation: Situation, refused: Fault | None) -> str:
        return str(call_foreign(lambda: self.player.choose(situation)))

    def end(self, view: Hashable, result: str, reason: str) -> None:
        if end := getattr(self.player, "end", None):
            end(view, result, reason)


@dataclass(frozen=True)
class SituationPlayer:
    """A player that calls a function with the situation and plays the move it returns."""

    function: Callable[[Situation], Hashable]

    def choose(self, situation: Situation) -> Hashable:
        return self.function(situation)


def load_player(name: str, limits: Limits) -> ExternalPlayer:
    """Return the player `py:NAME`, a function or an object with `choose`.

    Raise ValueError if it cannot play.
    """
    function = find_object("py", name)
    if not isinstance(function, type):
        if hasattr(function, "choose"):
            return ObjectPlayer(cast("Player", function), limits)
        if takes_options(function):
            return FunctionPlayer(function, limits)
        if argument_count(function) == 1:
            return ObjectPlayer(SituationPlayer(function), limits)
    raise ValueError(
        f"py:{name} must be a function of the view, the options and the history, or of the"
        " situation alone, or an object with choose(situation)."
    )


def takes_options(function: Callable[..., object]) -> bool:
    """Return whether a function can be called with the view, the options and the history."""
    extra = dict.fromkeys(wanted_parameters(function))
    return accepts(function, "view", "options", "history", **extra)


def accepts(function: Callable[..., object], *args: object, **kwargs: object) -> bool:
    try:
        signature(function).bind(*args, **kwargs)
    except TypeError:
        return False
    except ValueError:  # some functions in C have no signature
        return True
    return True


def wanted_parameters(function: Callable[..., object]) -> tuple[str, ...]:
    """Return the extra parameters that a function takes after its first three.

    >>> wanted_parameters(lambda view, options, history, seat, *, seed=0: options[0])
    ('seat', 'seed')
    """
    try:
        parameters = list(signature(function).parameters.values())
    except (TypeError, ValueError):  # some functions in C have no signature
        return ()
    if any(one.kind is Parameter.VAR_KEYWORD for one in parameters):
        return EXTRA_PARAMETERS
    kinds = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    by_place = [one for one in parameters if one.kind is not Parameter.KEYWORD_ONLY][:3]
    names = [one.name for one in parameters if one.kind in kinds and one not in by_place]
    return tuple(name for name in EXTRA_PARAMETERS if name in names)


def argument_count(function: Callable[..., object]) -> int:
    """Return how many arguments to pass to a function, at most 3, or 0 if that is unclear.

    One argument is the situation. Two are the view and the seat. Three are the view, the options
    and the history. Parameters with a default do not count, unless the second one is called `seat`
    or `options`.

    >>> argument_count(lambda view, options, history: options[0])
    3
    >>> argument_count(lambda view, seat, temperature=1.0: {})
    2
    """
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):  # some functions in C have no signature
        return 0
    kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    placed = [one for one in parameters if one.kind in kinds]
    told = {"seat": 2, "options": 3}.get(placed[1].name, 0) if len(placed) > 1 else 0
    if told:
        return told if told <= len(placed) else 0
    return min(3, sum(one.default is Parameter.empty for one in placed))


def find_object(kind: str, name: str) -> Callable[..., object]:
    module, colon, function = name.partition(":")
    if not (module and colon and function):
        raise ValueError(
            f"Write {kind}:MODULE:FUNCTION, such as {kind}:mybot:choose, not {name!r}."
        )
    here = str(Path.cwd())
    if here not in sys.path:  # the path of an installed command lacks it
        sys.path.insert(0, here)
    try:
        found = getattr(import_module(module), function)
    except Exception as error:
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        raise ValueError(f"{kind}:{name} cannot be loaded ({what}).") from None
    if not callable(found) and not (kind == "py" and hasattr(found, "choose")):
        raise ValueError(f"{kind}:{name} is not a function.")
    return found  # type: ignore[no-any-return]  # its result is checked as a move
