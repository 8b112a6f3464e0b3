"""The games in OpenSpiel: after `register()`, `pyspiel.load_game` knows every one of them.

>>> import pyspiel
>>> names = register()
>>> game = pyspiel.load_game("python_number_knot(numbers=5)")
>>> state = game.new_initial_state()
>>> state.apply_action(state.string_to_action("S5"))
>>> state.information_state_string(1)
'Player 2: S5'
"""

from __future__ import annotations

from typing import cast
from warnings import warn

from number_duels.adapters.optional import explain_missing

with explain_missing(__name__, "OpenSpiel", "learn"):
    import pyspiel  # type: ignore[import-not-found]  # OpenSpiel ships no types

from number_duels.adapters.encoding import Encoding
from number_duels.adapters.open_spiel.state import DuelGame, DuelState, describe
from number_duels.games import load, names

__all__ = ["register"]


def register() -> tuple[str, ...]:
    """Make every game known to OpenSpiel and give their names there; again changes nothing."""
    known = set(pyspiel.registered_names())
    registered = []
    for name in names():
        try:
            kind = describe(Encoding(load(name)))
        except ValueError as refusal:  # it has more positions than can be searched for its events
            warn(f"OpenSpiel does without {name}: {refusal}", stacklevel=2)
            continue
        if kind.short_name not in known:
            # A class, not a function: OpenSpiel lets go of it after Python has ended, and only
            # a class is never freed there, which would abort the process.
            pyspiel.register_game(kind, type(kind.short_name, (DuelGame,), {"name": name}))
        registered.append(kind.short_name)
    return tuple(registered)


def load_registered(text: str) -> DuelGame:
    """The game that OpenSpiel's own text means, also in a process that has not registered it."""
    register()
    return cast("DuelGame", pyspiel.load_game(text))


def restore(text: str) -> DuelState:
    """The state that OpenSpiel's own serialisation means, in any process."""
    register()
    return cast("DuelState", pyspiel.deserialize_game_and_state(text)[1])
